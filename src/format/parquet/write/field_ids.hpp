// Numbers of columns that a Parquet schema has, by which tables such as Iceberg's know them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/parquet/parquet_metadata.hpp"
#include "format/text/option_map.hpp"

namespace scaup {

/// The number of a column, and those of what is in it: the fields of a struct by name, `element` of a list.
struct ParquetFieldId {
  std::optional<int32_t> id;
  std::vector<std::pair<std::string, ParquetFieldId>> inner;
};

/// The value of FIELD_IDS.
struct ParquetFieldIds {
  bool is_automatic = false;  ///< all columns and what is in them, from 0 on, in the order of the schema
  std::vector<std::pair<std::string, ParquetFieldId>> columns;
};

/// Reads `auto`, or {a: 1, s: {__duckdb_field_id: 2, x: 3}}. Throws Error(kBinder, 22023).
ParquetFieldIds ParseFieldIds(const std::string& option, const std::string& text);

/// Sets the numbers of a schema's elements. Throws Error(kBinder): 42703 for a name that no column has, 22023
/// for a number that is there twice.
void SetFieldIds(const ParquetFieldIds& ids, std::vector<ParquetSchemaElement>& schema);

}  // namespace scaup
