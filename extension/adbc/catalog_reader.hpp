// Catalog reader: schemas, tables, columns and constraints, as SQL lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metadata.hpp"

namespace scaup::adbc {

// Value types; nullopt stands for what the catalog does not tell.

struct ColumnEntry {
  std::string name;
  int32_t position = 0;  ///< from 1
  std::optional<std::string> remarks;
  std::string type;  ///< of SQL, such as DECIMAL(10,2)
  bool is_nullable = true;
  std::optional<std::string> default_text;
  std::optional<int32_t> precision;
  std::optional<int32_t> radix;
  std::optional<int32_t> scale;
  std::optional<int32_t> character_count;
  std::optional<int32_t> character_bytes;
  std::optional<int32_t> datetime_precision;
  bool is_identity = false;
  bool is_generated = false;
};

/// A column that a foreign key refers to.
struct UsageEntry {
  std::string schema;
  std::string table;
  std::string column;
};

struct ConstraintEntry {
  std::string name;
  std::string type;  ///< CHECK, FOREIGN KEY, PRIMARY KEY or UNIQUE
  std::vector<std::string> columns;
  std::vector<UsageEntry> usages;
};

struct TableEntry {
  std::string name;
  std::string type;  ///< one of those of TableTypesTable
  std::vector<ColumnEntry> columns;
  std::vector<ConstraintEntry> constraints;
};

struct SchemaEntry {
  std::string name;
  std::vector<TableEntry> tables;
};

/// Returns whether a catalog passes the filter's pattern.
bool PassesCatalog(Operation& operation, const std::string& catalog, const ObjectFilter& filter);
/// Returns the name of the only catalog.
std::string CatalogName(Operation& operation);
/// Reads what passes the filter, down to a depth (ADBC_OBJECT_DEPTH_*), sorted by name, columns by position.
/// A table without columns that pass stays, without columns.
std::vector<SchemaEntry> ReadCatalog(Operation& operation, int depth, const ObjectFilter& filter);

}  // namespace scaup::adbc
