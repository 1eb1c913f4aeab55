// The options of reading and writing JSON files: read_json_documents and COPY share one parser.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "format/text/text_file.hpp"
#include "scaup/type.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// The options of a JSON file.
struct JsonOptions {
  TextCompression compression = TextCompression::kAuto;
  bool ignore_errors = false;
  bool ignore_unknown_keys = false;       ///< for tables: ignores keys without a column
  std::optional<bool> newline_delimited;  ///< nullopt: detected from the file
  bool array = false;                     ///< for writing: one array instead of a document per line
  /// The bytes that a thread reads and parses at a time; 0 lets the reader choose.
  uint64_t chunk_bytes = 0;
};

enum class JsonUse : uint8_t { kRead, kCopyFrom, kCopyTo };

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder): 42601 for an unknown or repeated option, 22023 for an invalid value.
JsonOptions ParseJsonOptions(std::span<const std::pair<std::string, Value>> options, JsonUse use);
/// The named arguments of read_json_documents. They accept any type and are checked when parsed.
std::map<std::string, LogicalType> JsonReadOptionTypes();

/// Whether a path has an ending of JSON files: .json .jsonl .ndjson, each also with .gz.
bool LooksLikeJsonPath(std::string_view path);

}  // namespace scaup
