// The metadata of Parquet files: footers, page headers, page indexes, Bloom filter headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/codec/codec.hpp"

namespace scaup {

// Plain values, read from bytes that are not trusted. Numbers of enums are Parquet's own. The Read functions
// throw ParquetDamage for bytes that do not follow the format; whether offsets and counts fit the file is for
// those to check who use them.

enum class ParquetType : uint8_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedBytes = 7
};

enum class ParquetRepetition : uint8_t { kRequired = 0, kOptional = 1, kRepeated = 2 };

/// The meaning of a type; the fields' numbers in Parquet's LogicalType.
enum class ParquetMeaning : uint8_t {
  kNone = 0,
  kString = 1,
  kMap = 2,
  kList = 3,
  kEnum = 4,
  kDecimal = 5,
  kDate = 6,
  kTime = 7,
  kTimestamp = 8,
  kInteger = 10,
  kNull = 11,
  kJson = 12,
  kBson = 13,
  kUuid = 14,
  kFloat16 = 15,
  kInterval = 100,  ///< has no LogicalType, only a converted type
};

enum class ParquetUnit : uint8_t { kMillis = 1, kMicros = 2, kNanos = 3 };

/// A logical or converted type with its parameters.
struct ParquetAnnotation {
  ParquetMeaning meaning = ParquetMeaning::kNone;
  int32_t precision = 0, scale = 0;         ///< of decimals
  ParquetUnit unit = ParquetUnit::kMicros;  ///< of times and timestamps
  bool is_utc = false;                      ///< of times and timestamps
  int32_t bits = 0;                         ///< of integers
  bool is_signed = true;                    ///< of integers
};

/// One node of the schema, in depth-first order.
struct ParquetSchemaElement {
  std::string name;
  std::optional<ParquetType> type;  ///< nullopt for groups
  int32_t type_length = 0;
  std::optional<ParquetRepetition> repetition;
  int32_t child_count = 0;
  int32_t converted_type = -1;
  std::optional<int32_t> field_id;
  ParquetAnnotation annotation;
};

struct ParquetStatistics {
  std::optional<std::string> old_minimum, old_maximum;  ///< deprecated: ordered as signed numbers, or wrongly
  std::optional<std::string> minimum, maximum;
  std::optional<int64_t> null_count, distinct_count;
  bool is_minimum_exact = true, is_maximum_exact = true;
};

struct ParquetKeyValue {
  std::string key;
  std::optional<std::string> value;
};

enum class ParquetPageType : uint8_t { kData = 0, kIndex = 1, kDictionary = 2, kDataV2 = 3 };
enum class ParquetEncoding : uint8_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinary = 5,
  kDeltaLength = 6,
  kDeltaBytes = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9
};

/// How many pages of a column chunk have an encoding.
struct ParquetPageCount {
  ParquetPageType type;
  ParquetEncoding encoding;
  int32_t count;
};

struct ParquetColumnChunk {
  std::string file_path;
  ParquetType type = ParquetType::kBoolean;
  std::vector<int32_t> encodings;
  std::vector<std::string> path;
  Codec codec = Codec::kNone;
  int64_t value_count = 0;
  int64_t uncompressed_bytes = 0;
  int64_t compressed_bytes = 0;
  std::optional<ParquetStatistics> statistics;
  int64_t data_offset = 0;
  int64_t index_offset = 0;
  int64_t dictionary_offset = 0;  ///< 0: none known
  /// Whether all data pages are known to be encoded by the dictionary.
  bool is_dictionary_only = false;
  std::vector<ParquetPageCount> page_counts;  ///< for writing; of what was read, is_dictionary_only remains
  int64_t bloom_offset = 0;
  int32_t bloom_bytes = 0;
  int64_t offset_index_offset = 0, column_index_offset = 0;
  int32_t offset_index_bytes = 0, column_index_bytes = 0;
};

struct ParquetRowGroup {
  std::vector<ParquetColumnChunk> columns;
  int64_t row_count = 0;
  int64_t total_bytes = 0;
  int64_t compressed_bytes = 0;
};

struct ParquetMetadata {
  int32_t version = 0;
  std::vector<ParquetSchemaElement> schema;
  int64_t row_count = 0;
  std::vector<ParquetRowGroup> row_groups;
  std::vector<ParquetKeyValue> key_values;
  std::string created_by;
};

ParquetMetadata ReadParquetMetadata(std::span<const std::byte> bytes);

/// The name as Parquet writes it: "PLAIN"; "UNKNOWN" for another number.
std::string_view ParquetEncodingName(int32_t encoding);
std::string_view ParquetTypeName(ParquetType type);

struct ParquetPageHeader {
  ParquetPageType type = ParquetPageType::kData;
  size_t uncompressed_bytes = 0;
  size_t compressed_bytes = 0;
  std::optional<uint32_t> checksum;
  size_t value_count = 0;
  ParquetEncoding encoding = ParquetEncoding::kPlain;
  ParquetEncoding definition_encoding = ParquetEncoding::kRle;
  ParquetEncoding repetition_encoding = ParquetEncoding::kRle;
  // Version 2 only. `null_count` is written, and not looked at.
  size_t row_count = 0;
  size_t null_count = 0;
  size_t definition_bytes = 0;
  size_t repetition_bytes = 0;
  bool is_compressed = true;
};

/// Reads a page header; `header_bytes` becomes its size.
ParquetPageHeader ReadParquetPageHeader(std::span<const std::byte> bytes, size_t& header_bytes);

/// Bounds of each page of a column chunk.
struct ParquetColumnIndex {
  std::vector<bool> is_null_page;
  std::vector<std::string> minima, maxima;
  std::vector<int64_t> null_counts;  ///< empty if unknown
};
/// The rows with which the pages of a column chunk begin.
struct ParquetOffsetIndex {
  std::vector<int64_t> first_rows;
};
ParquetColumnIndex ReadParquetColumnIndex(std::span<const std::byte> bytes);
ParquetOffsetIndex ReadParquetOffsetIndex(std::span<const std::byte> bytes);

/// Reads the header of a Bloom filter. Returns the size of its bit set, or nullopt for a kind that this
/// reader does not know.
std::optional<size_t> ReadParquetBloomHeader(std::span<const std::byte> bytes, size_t& header_bytes);

}  // namespace scaup
