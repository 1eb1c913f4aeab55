// Writes the engine's CREATE TABLE for one of SQLite's.
#pragma once

#include <string>

#include "definition.hpp"
#include "schema.hpp"

struct sqlite3;

namespace scaup::sqlite {

/// Returns the engine's statement for a table with columns.
std::string WriteCreateTable(sqlite3& db, const TableDefinition& definition, const Tokens& tokens);
/// Returns a column with its constraints as the engine's ALTER TABLE ADD COLUMN takes it.
std::string WriteAddedColumn(sqlite3& db, const SchemaTable& table, const ColumnDefinition& column,
                             const Tokens& tokens);

}  // namespace scaup::sqlite
