// Parses the options of COPY TO for Arrow files.
#include "format/arrow/file/arrow_write_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "common/throw.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

void SetFormat(ArrowWriteOptions& options, const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  options.is_stream = text == "arrows";
  if (text != "arrow" && text != "feather" && !options.is_stream)
    ThrowBadOption(name, "arrow or arrows", text);
}

void SetCompression(ArrowWriteOptions& options, const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  using Compression = ArrowIpcWriter::Compression;
  if (text == "none" || text == "uncompressed") {
    options.compression = Compression::kNone;
  } else if (text == "lz4") {
    options.compression = Compression::kLz4;
  } else if (text == "zstd") {
    options.compression = Compression::kZstd;
  } else {
    ThrowBadOption(name, "none, lz4 or zstd", text);
  }
}

void SetBatchRows(ArrowWriteOptions& options, const std::string& name, const Value& value) {
  constexpr int64_t kMostRows = int64_t{1} << 30;
  const int64_t rows = IntegerOption(name, value);
  if (rows < 1 || rows > kMostRows)
    ThrowBadOption(name, fmt::format("between 1 and {} rows", kMostRows), std::to_string(rows));
  options.batch_rows = static_cast<size_t>(rows);
}

struct OptionDefinition {
  const char* name;
  void (*set)(ArrowWriteOptions& options, const std::string& name, const Value& value);
};
constexpr OptionDefinition kArrowOptions[] = {
    {"format", SetFormat},
    {"compression", SetCompression},
    {"codec", SetCompression},
    {"row_group_size", SetBatchRows},
};

}  // namespace

ArrowWriteOptions ParseArrowWriteOptions(std::span<const std::pair<std::string, Value>> options) {
  ArrowWriteOptions result;
  std::set<const void*> seen;
  for (const auto& [given_name, value] : options) {
    const std::string name = LowerCase(given_name);
    const auto* option = std::find_if(std::begin(kArrowOptions), std::end(kArrowOptions),
                                      [&](const OptionDefinition& known) { return name == known.name; });
    if (option == std::end(kArrowOptions)) {
      std::vector<const char*> names;
      for (const OptionDefinition& known : kArrowOptions) names.push_back(known.name);
      ThrowUnknownOption("Arrow", name, names);
    }
    if (!seen.insert(reinterpret_cast<const void*>(option->set)).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("Arrow option \"{}\" is given twice", name));
    }
    option->set(result, name, value);
  }
  return result;
}

}  // namespace scaup
