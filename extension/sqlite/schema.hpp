// Schema: the tables of a database as SQLite sees them, read from the engine's catalog.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "definition.hpp"
#include "scaup/scaup.hpp"

namespace scaup::sqlite {

/// The form in which the engine stores a column.
enum class Storage { kInteger, kReal, kText, kBlob, kDynamic, kOther };

/// A column of a table or view.
struct SchemaColumn {
  std::string name;           ///< in the engine: in lower case
  std::string shown_name;     ///< as it was declared
  std::string declared_type;  ///< "" if there is none
  Affinity affinity = Affinity::kBlob;
  Storage storage = Storage::kOther;
  bool is_not_null = false;
  bool is_generated = false;
  std::string default_text;
  int key_position = 0;  ///< within the primary key, from 1; 0 if it is not part of it
};

/// A table or view.
struct SchemaTable {
  std::string schema;      ///< in the engine: main or pg_temp
  std::string name;        ///< in the engine: in lower case
  std::string shown_name;  ///< as it was declared
  std::string sql;         ///< the CREATE statement
  bool is_view = false;
  bool has_hidden_rowid = false;  ///< the column "rowid", which * does not show
  bool is_autoincrement = false;
  std::string rowid_column;           ///< the column that is the row's number; "" if there is none
  std::vector<SchemaColumn> columns;  ///< without the hidden one

  const SchemaColumn* Find(std::string_view column) const;
  /// Returns the name as the engine's SQL writes it.
  std::string QuotedName() const { return QuoteName(schema) + "." + QuoteName(name); }
};

/// An index that is no part of a constraint's definition, or that is.
struct SchemaIndex {
  std::string name;
  std::string table;
  std::string sql;  ///< "" for the index of a constraint
  bool is_unique = false;
  bool is_primary_key = false;
  std::vector<std::string> columns;
};

/// The tables that a connection sees. Owned by the connection and used by the thread that uses it. References
/// stay valid until the next Load.
class Schema {
 public:
  /// Reads the catalog within the connection's transaction.
  void Load(Connection& engine);
  /// Returns the table or view of this name in lower case, or null. `schema` is "", "main" or "temp".
  const SchemaTable* Find(std::string_view schema, std::string_view name) const;
  const std::vector<SchemaTable>& tables() const { return tables_; }
  const std::vector<SchemaIndex>& indexes() const { return indexes_; }
  /// Returns the unique keys of a table: the names of their columns.
  std::vector<const SchemaIndex*> UniqueKeys(const SchemaTable& table) const;

 private:
  std::vector<SchemaTable> tables_;
  std::vector<SchemaIndex> indexes_;
};

/// Returns how the engine stores a column of this declared type before anything is stored in it.
Storage InitialStorage(const ColumnDefinition& column);
/// Returns the type of the engine for it.
const char* EngineType(Storage storage);
/// Returns how the engine stores values of this type.
Storage StorageOf(const LogicalType& type);

}  // namespace scaup::sqlite
