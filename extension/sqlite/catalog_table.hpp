// Tables and pragmas that tell of the database itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "value.hpp"

struct sqlite3;

namespace scaup::sqlite {

/// Rows that this library makes itself.
struct LocalRows {
  std::vector<std::string> names;
  std::vector<std::vector<SqliteValue>> rows;
};

/// Returns the rows of sqlite_schema, also called sqlite_master, or of its part for temporary tables.
LocalRows SchemaRows(sqlite3& db, bool temporary);
/// Returns the rows of a pragma that lists something, such as table_info; nullopt if there is no such pragma.
std::optional<LocalRows> ListingPragma(sqlite3& db, const std::string& name, const std::string& argument);
/// Returns rows as a query in parentheses for sqlite_schema, sqlite_master and pragma_...; "" for other
/// names.
std::string WriteCatalogTable(sqlite3& db, const std::string& name, const std::string& argument);

}  // namespace scaup::sqlite
