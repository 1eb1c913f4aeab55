// The options of reading and writing JSON files: read_json, read_json_documents and COPY share one parser.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/text/text_file.hpp"
#include "scaup/type.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The options of a JSON file.
struct JsonOptions {
  TextCompression compression = TextCompression::kAuto;
  TextEncoding encoding = TextEncoding::kAuto;
  bool ignore_errors = false;
  bool ignore_unknown_keys = false;       ///< for tables: ignores keys without a column
  std::optional<bool> newline_delimited;  ///< nullopt: detected from the file
  bool array = false;                     ///< for writing: one array instead of a document per line
  /// The bytes that a thread reads and parses at a time; 0 lets the reader choose.
  uint64_t chunk_bytes = 0;
  // For read_json.
  int64_t sample_size = 20480;  ///< documents by which types are found out; negative: all
  size_t most_depth = 30;       ///< levels whose types are found out; what is deeper is JSON
  std::optional<bool> records;  ///< whether members are columns; nullopt: where all documents are objects
  std::vector<std::pair<std::string, LogicalType>> columns;  ///< empty: found out
};

enum class JsonUse : uint8_t { kRead, kReadColumns, kCopyFrom, kCopyTo };

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder): 42601 for an unknown or repeated option, 22023 for an invalid value.
JsonOptions ParseJsonOptions(std::span<const std::pair<std::string, Value>> options, JsonUse use);
/// The named arguments of read_json_documents or read_json. They accept any type and are checked when parsed.
std::map<std::string, LogicalType> JsonReadOptionTypes(JsonUse use);

/// Whether a path has an ending of JSON files: .json .jsonl .ndjson, each also with .gz, .zst or .bz2.
bool LooksLikeJsonPath(std::string_view path);

}  // namespace scaup
