// Parses the options of COPY TO for Arrow files.
#include "format/arrow/file/arrow_write_options.hpp"

#include <fmt/format.h>

#include "format/text/write_options.hpp"

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

constexpr WriteOption<ArrowWriteOptions> kArrowOptions[] = {
    {"format", SetFormat},
    {"compression", SetCompression},
    {"codec", SetCompression},
    {"row_group_size", SetBatchRows},
};

}  // namespace

ArrowWriteOptions ParseArrowWriteOptions(std::span<const std::pair<std::string, Value>> options) {
  return ParseWriteOptions<ArrowWriteOptions>("Arrow", kArrowOptions, options);
}

}  // namespace scaup
