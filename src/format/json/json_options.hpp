// The options of reading and writing JSON files: those of read_json_documents and of COPY share one parser.
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

/// Plain values.
struct JsonOptions {
  TextCompression compression = TextCompression::kAuto;
  bool ignore_errors = false;
  bool ignore_unknown_keys = false;       ///< of tables: keys without a column are left out
  std::optional<bool> newline_delimited;  ///< nullopt: found out from the file
  bool array = false;                     ///< writing: one array instead of a line for each document
  /// Bytes that a thread reads and parses at a time; 0 lets the reader choose.
  uint64_t chunk_bytes = 0;
};

enum class JsonUse : uint8_t { kRead, kCopyFrom, kCopyTo };

/// Options from their names (any case) and values; a NULL value stands for an option written without one.
/// Throws Error(kBinder): 42601 for an unknown or repeated option, 22023 for a value that does not fit.
JsonOptions ParseJsonOptions(std::span<const std::pair<std::string, Value>> options, JsonUse use);
/// The named arguments of read_json_documents: of any type, checked when parsed.
std::map<std::string, LogicalType> JsonReadOptionTypes();

/// Whether a file is JSON by its ending: .json .jsonl .ndjson, each also with .gz.
bool LooksLikeJsonPath(std::string_view path);

}  // namespace scaup
