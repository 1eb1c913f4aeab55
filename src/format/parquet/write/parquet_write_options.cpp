// The options of COPY TO for Parquet files.
#include "format/parquet/write/parquet_write_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "format/codec/compressor.hpp"
#include "format/text/write_options.hpp"

namespace scaup {

namespace {

/// Row groups are numbers of 32 bits in many readers.
constexpr int64_t kMostRowGroupRows = int64_t{1} << 30;

struct CodecOption {
  const char* name;
  Codec codec;
};
/// lz4 is, as everywhere today, the one without frames.
constexpr CodecOption kCodecs[] = {
    {"snappy", Codec::kSnappy},     {"zstd", Codec::kZstd},  {"gzip", Codec::kGzip},
    {"lz4_raw", Codec::kLz4Raw},    {"lz4", Codec::kLz4Raw}, {"brotli", Codec::kBrotli},
    {"uncompressed", Codec::kNone}, {"none", Codec::kNone},
};

void SetCodec(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  const auto* found = std::find_if(std::begin(kCodecs), std::end(kCodecs),
                                   [&](const CodecOption& codec) { return text == codec.name; });
  if (found == std::end(kCodecs) || !CanCompress(found->codec))
    ThrowBadOption(name, "snappy, zstd, gzip, lz4_raw, brotli or uncompressed", text);
  options.codec = found->codec;
}

void SetLevel(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  const int64_t level = IntegerOption(name, value);
  if (level != static_cast<int8_t>(level))
    ThrowBadOption(name, "a level of the codec", std::to_string(level));
  options.level = static_cast<int>(level);
}

void SetRowGroupRows(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  const int64_t rows = IntegerOption(name, value);
  if (rows < 1 || rows > kMostRowGroupRows)
    ThrowBadOption(name, fmt::format("between 1 and {} rows", kMostRowGroupRows), std::to_string(rows));
  options.row_group_rows = static_cast<size_t>(rows);
}

void SetRowGroupBytes(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  options.row_group_bytes = static_cast<size_t>(SizeOption(name, value));
}

void SetVersion(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  if (text != "v1" && text != "v2") ThrowBadOption(name, "v1 or v2", text);
  options.is_version_2 = text == "v2";
}

void SetKeyValues(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  for (auto& [key, inner] : ParseOptionMap(name, TextOption(name, value)).values) {
    if (!inner.text) ThrowBadOption(name, "made of texts", inner.is_map ? "values in braces" : "NULL");
    options.key_values.push_back({key, std::move(inner.text)});
  }
}

void SetFieldIdsOption(ParquetWriteOptions& options, const std::string& name, const Value& value) {
  options.field_ids = ParseFieldIds(name, TextOption(name, value));
}

void SetFormatName(ParquetWriteOptions&, const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  if (text != "parquet") ThrowBadOption(name, "parquet", text);
}

constexpr WriteOption<ParquetWriteOptions> kWriteOptions[] = {
    {"format", SetFormatName},
    {"compression", SetCodec},
    {"codec", SetCodec},
    {"compression_level", SetLevel},
    {"row_group_size", SetRowGroupRows},
    {"row_group_size_bytes", SetRowGroupBytes},
    {"parquet_version", SetVersion},
    {"kv_metadata", SetKeyValues},
    {"field_ids", SetFieldIdsOption},
};

void CheckLevel(const ParquetWriteOptions& options) {
  if (!options.level) return;
  const auto levels = CompressionLevels(options.codec);
  const std::string codec = LowerCase(CodecName(options.codec));
  if (!levels) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("option compression_level is for zstd, gzip and brotli; {} has no levels", codec));
  }
  if (*options.level >= levels->first && *options.level <= levels->second) return;
  ThrowBadOption("compression_level",
                 fmt::format("between {} and {} for {}", levels->first, levels->second, codec),
                 std::to_string(*options.level));
}

}  // namespace

ParquetWriteOptions ParseParquetWriteOptions(std::span<const std::pair<std::string, Value>> options) {
  auto result = ParseWriteOptions<ParquetWriteOptions>("Parquet", kWriteOptions, options);
  CheckLevel(result);
  return result;
}

}  // namespace scaup
