// The options of COPY TO for Parquet files.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "format/codec/codec.hpp"
#include "format/parquet/write/field_ids.hpp"
#include "scaup/value.hpp"

namespace scaup {

struct ParquetWriteOptions {
  Codec codec = Codec::kSnappy;
  std::optional<int> level;                 ///< of the codec; nullopt for its usual one
  size_t row_group_rows = 122880;           ///< as in DuckDB
  std::optional<size_t> row_group_bytes;    ///< of values, before they are encoded
  bool is_version_2 = false;                ///< pages and encodings that very old readers do not know
  std::vector<ParquetKeyValue> key_values;  ///< of the file
  ParquetFieldIds field_ids;                ///< numbers of columns
};

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder): 42601 for an unknown or repeated option, 22023 for an invalid value.
ParquetWriteOptions ParseParquetWriteOptions(std::span<const std::pair<std::string, Value>> options);

}  // namespace scaup
