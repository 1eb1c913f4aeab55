// Parses JSON options by one table of names.
#include "format/json/json_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "common/throw.hpp"
#include "format/text/list_option.hpp"
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
void SetEncoding(JsonOptions& o, const std::string& n, const Value& v) { o.encoding = EncodingOption(n, v); }
void CheckEncoding(JsonOptions&, const std::string& n, const Value& v) { CheckEncodingOption(n, v); }
/// The layout by the names that DuckDB has for it.
void SetLayout(JsonOptions& o, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text == "newline_delimited" || text == "nd") {
    o.newline_delimited = true;
  } else if (text == "array" || text == "unstructured") {
    o.newline_delimited = false;
  } else if (text != "auto") {
    ThrowBadOption(n, "auto, newline_delimited, array or unstructured", text);
  }
}
void SetFormat(JsonOptions&, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text != "json") ThrowBadOption(n, "csv or json", text);
}

void SetSampleSize(JsonOptions& o, const std::string& n, const Value& v) {
  o.sample_size = IntegerOption(n, v);
  if (o.sample_size < -1 || o.sample_size == 0)
    ThrowBadOption(n, "a number of documents, or -1 for all", std::to_string(o.sample_size));
}
void SetMostDepth(JsonOptions& o, const std::string& n, const Value& v) {
  const int64_t depth = IntegerOption(n, v);
  const auto most = static_cast<int64_t>(o.most_depth);
  if (depth < -1) ThrowBadOption(n, "a number of levels, or -1 for all", std::to_string(depth));
  if (depth >= 0) o.most_depth = static_cast<size_t>(std::min(depth, most));
}
void SetRecords(JsonOptions& o, const std::string& n, const Value& v) {
  if (LowerCase(TextOption(n, v)) != "auto") o.records = BooleanOption(n, v);
}
void SetColumns(JsonOptions& o, const std::string& n, const Value& v) { o.columns = ColumnsOption(n, v); }

constexpr uint8_t kForRead = 1, kForCopyFrom = 2, kForCopyTo = 4, kForColumns = 8;

struct OptionDefinition {
  const char* name;
  uint8_t uses;
  void (*set)(JsonOptions& options, const std::string& name, const Value& value);
};

constexpr OptionDefinition kOptions[] = {
    {"compression", 15, SetCompression},
    {"encoding", kForRead | kForColumns | kForCopyFrom, SetEncoding},
    {"encoding", kForCopyTo, CheckEncoding},
    {"ignore_errors", kForRead | kForColumns | kForCopyFrom, SetIgnoreErrors},
    {"unknown_keys", kForCopyFrom, SetUnknownKeys},
    {"newline_delimited", kForRead | kForColumns | kForCopyFrom, SetNewlineDelimited},
    {"buffer_size", kForRead | kForColumns | kForCopyFrom, SetBufferSize},
    {"sample_size", kForColumns, SetSampleSize},
    {"maximum_depth", kForColumns, SetMostDepth},
    {"records", kForColumns, SetRecords},
    {"columns", kForColumns, SetColumns},
    {"array", kForCopyTo, SetArray},
    {"format", kForCopyFrom | kForCopyTo, SetFormat},
    {"format", kForRead | kForColumns, SetLayout},
};

uint8_t UseBit(JsonUse use) {
  switch (use) {
    case JsonUse::kRead: return kForRead;
    case JsonUse::kReadColumns: return kForColumns;
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
        std::find_if(std::begin(kOptions), std::end(kOptions), [&](const OptionDefinition& definition) {
          return name == definition.name && (definition.uses & UseBit(use)) != 0;
        });
    if (option == std::end(kOptions)) {
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

std::map<std::string, LogicalType> JsonReadOptionTypes(JsonUse use) {
  std::map<std::string, LogicalType> types;
  for (const OptionDefinition& option : kOptions) {
    if ((option.uses & UseBit(use)) != 0) types.emplace(option.name, TypeId::kNull);
  }
  return types;
}

bool LooksLikeJsonPath(std::string_view path) {
  path = WithoutCompressionEnding(path);
  return PathEndsWith(path, ".json") || PathEndsWith(path, ".jsonl") || PathEndsWith(path, ".ndjson");
}

}  // namespace scaup
