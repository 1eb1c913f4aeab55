// Parses JSON options by one table of names.
#include "format/json/json_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "common/throw.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

void SetCompression(JsonOptions& o, const std::string& n, const Value& v) {
  o.compression = CompressionOption(n, v);
}
void SetIgnoreErrors(JsonOptions& o, const std::string& n, const Value& v) {
  o.ignore_errors = BooleanOption(n, v);
}
void SetUnknownKeys(JsonOptions& o, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text != "error" && text != "ignore") ThrowBadOption(n, "error or ignore", text);
  o.ignore_unknown_keys = text == "ignore";
}
void SetNewlineDelimited(JsonOptions& o, const std::string& n, const Value& v) {
  o.newline_delimited = BooleanOption(n, v);
}
void SetArray(JsonOptions& o, const std::string& n, const Value& v) { o.array = BooleanOption(n, v); }
void SetBufferSize(JsonOptions& o, const std::string& n, const Value& v) {
  o.chunk_bytes = BufferSizeOption(n, v);
}
void SetEncoding(JsonOptions&, const std::string& n, const Value& v) { CheckEncodingOption(n, v); }
void SetFormat(JsonOptions&, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text != "json") ThrowBadOption(n, "csv or json", text);
}

constexpr uint8_t kForRead = 1, kForCopyFrom = 2, kForCopyTo = 4;

struct OptionDefinition {
  const char* name;
  uint8_t uses;
  void (*set)(JsonOptions& options, const std::string& name, const Value& value);
};

constexpr OptionDefinition kOptions[] = {
    {"compression", 7, SetCompression},
    {"encoding", 7, SetEncoding},
    {"ignore_errors", kForRead | kForCopyFrom, SetIgnoreErrors},
    {"unknown_keys", kForCopyFrom, SetUnknownKeys},
    {"newline_delimited", kForRead | kForCopyFrom, SetNewlineDelimited},
    {"buffer_size", kForRead | kForCopyFrom, SetBufferSize},
    {"array", kForCopyTo, SetArray},
    {"format", kForCopyFrom | kForCopyTo, SetFormat},
};

uint8_t UseBit(JsonUse use) {
  switch (use) {
    case JsonUse::kRead: return kForRead;
    case JsonUse::kCopyFrom: return kForCopyFrom;
    case JsonUse::kCopyTo: return kForCopyTo;
  }
  return 0;
}

}  // namespace

JsonOptions ParseJsonOptions(std::span<const std::pair<std::string, Value>> options, JsonUse use) {
  JsonOptions result;
  std::set<std::string> seen;
  for (const auto& [given_name, value] : options) {
    const std::string name = LowerCase(given_name);
    const auto* option =
        std::find_if(std::begin(kOptions), std::end(kOptions),
                     [&](const OptionDefinition& definition) { return name == definition.name; });
    if (option == std::end(kOptions) || (option->uses & UseBit(use)) == 0) {
      std::vector<const char*> names;
      for (const OptionDefinition& known : kOptions) {
        if ((known.uses & UseBit(use)) != 0) names.push_back(known.name);
      }
      ThrowUnknownOption("JSON", name, names);
    }
    if (!seen.insert(name).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("JSON option \"{}\" is given twice", name));
    }
    option->set(result, name, value);
  }
  return result;
}

std::map<std::string, LogicalType> JsonReadOptionTypes() {
  std::map<std::string, LogicalType> types;
  for (const OptionDefinition& option : kOptions) {
    if ((option.uses & kForRead) != 0) types.emplace(option.name, TypeId::kNull);
  }
  return types;
}

bool LooksLikeJsonPath(std::string_view path) {
  if (PathEndsWith(path, ".gz")) path.remove_suffix(3);
  return PathEndsWith(path, ".json") || PathEndsWith(path, ".jsonl") || PathEndsWith(path, ".ndjson");
}

}  // namespace scaup
