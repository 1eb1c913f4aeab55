// Lists tables, columns, indexes and keys as SQLite's schema table and pragmas do.
#include "catalog_table.hpp"

#include <algorithm>

#include "connection.hpp"
#include "query_shape.hpp"

namespace scaup::sqlite {

namespace {

SqliteValue Text(std::string text) { return SqliteValue::MakeText(std::move(text)); }
SqliteValue Integer(int64_t integer) { return SqliteValue(integer); }

/// Returns SQLite's name of an index: those of constraints are numbered.
std::string IndexName(const Schema& schema, const SchemaIndex& index) {
  if (!index.sql.empty()) return index.name;
  int number = 0;
  for (const SchemaIndex& other : schema.indexes()) {
    if (other.table != index.table || !other.sql.empty()) continue;
    number++;
    if (other.name == index.name) break;
  }
  return "sqlite_autoindex_" + index.table + "_" + std::to_string(number);
}

/// Returns whether the index is the table itself in SQLite: that of INTEGER PRIMARY KEY.
bool IsRowidIndex(const SchemaTable& table, const SchemaIndex& index) {
  return !table.rowid_column.empty() && index.columns == std::vector<std::string>{table.rowid_column};
}

std::vector<const SchemaIndex*> IndexesOf(const Schema& schema, const SchemaTable& table) {
  std::vector<const SchemaIndex*> indexes;
  for (const SchemaIndex& index : schema.indexes()) {
    if (index.table == table.name && !IsRowidIndex(table, index)) indexes.push_back(&index);
  }
  return indexes;
}

LocalRows TableInfo(const SchemaTable* table, bool is_extended) {
  LocalRows info{{"cid", "name", "type", "notnull", "dflt_value", "pk"}, {}};
  if (is_extended) info.names.push_back("hidden");
  if (table == nullptr) return info;
  for (const SchemaColumn& column : table->columns) {
    if (column.is_generated && !is_extended) continue;
    std::vector<SqliteValue> row{Integer(static_cast<int64_t>(info.rows.size())),
                                 Text(column.shown_name),
                                 Text(column.declared_type),
                                 Integer(column.is_not_null ? 1 : 0),
                                 column.default_text.empty() ? SqliteValue() : Text(column.default_text),
                                 Integer(column.key_position)};
    if (is_extended) row.push_back(Integer(column.is_generated ? 3 : 0));
    info.rows.push_back(std::move(row));
  }
  return info;
}

LocalRows IndexList(const Schema& schema, const SchemaTable* table) {
  LocalRows list{{"seq", "name", "unique", "origin", "partial"}, {}};
  if (table == nullptr) return list;
  for (const SchemaIndex* const index : IndexesOf(schema, *table)) {
    const char* const origin = !index->sql.empty() ? "c" : index->is_primary_key ? "pk" : "u";
    list.rows.push_back({Integer(static_cast<int64_t>(list.rows.size())), Text(IndexName(schema, *index)),
                         Integer(index->is_unique ? 1 : 0), Text(origin), Integer(0)});
  }
  return list;
}

LocalRows IndexInfo(const Schema& schema, const std::string& name) {
  LocalRows info{{"seqno", "cid", "name"}, {}};
  for (const SchemaIndex& index : schema.indexes()) {
    if (ToLower(IndexName(schema, index)) != ToLower(name)) continue;
    const SchemaTable* const table = schema.Find("", index.table);
    for (const std::string& column : index.columns) {
      int64_t position = 0;
      while (position < static_cast<int64_t>(table->columns.size()) &&
             table->columns[static_cast<size_t>(position)].name != column)
        position++;
      const SchemaColumn* const found = table->Find(column);
      info.rows.push_back({Integer(static_cast<int64_t>(info.rows.size())), Integer(position),
                           Text(found != nullptr ? found->shown_name : column)});
    }
  }
  return info;
}

/// Reads REFERENCES t (c) ON UPDATE ... ON DELETE ..., from `at` on.
void AddForeignKey(const Tokens& tokens, size_t at, const std::vector<std::string>& columns, LocalRows& keys,
                   int64_t id) {
  const std::string table = tokens[at + 1].Unquoted();
  std::vector<std::string> targets;
  at += 2;
  if (at < tokens.size() && tokens[at].IsOperator("(")) {
    const size_t end = SkipParentheses(tokens, at);
    for (const Tokens& part : SplitAtCommas(tokens, at + 1, end - 1))
      targets.push_back(part.at(0).Unquoted());
    at = end;
  }
  std::string on_update = "NO ACTION";
  std::string on_delete = "NO ACTION";
  for (; at + 2 < tokens.size(); at++) {
    if (!tokens[at].Is("ON")) continue;
    std::string action = ToUpper(tokens[at + 2].text);
    if ((action == "SET" || action == "NO") && at + 3 < tokens.size())
      action += " " + ToUpper(tokens[at + 3].text);
    (tokens[at + 1].Is("UPDATE") ? on_update : on_delete) = action;
  }
  for (size_t i = 0; i < columns.size(); i++) {
    keys.rows.push_back({Integer(id), Integer(static_cast<int64_t>(i)), Text(table), Text(columns[i]),
                         i < targets.size() ? Text(targets[i]) : SqliteValue(), Text(on_update),
                         Text(on_delete), Text("NONE")});
  }
}

LocalRows ForeignKeyList(const SchemaTable* table) {
  LocalRows keys{{"id", "seq", "table", "from", "to", "on_update", "on_delete", "match"}, {}};
  if (table == nullptr || table->is_view) return keys;
  const Tokens tokens = ReadStatement(table->sql).tokens;
  const TableDefinition definition = ParseCreateTable(tokens);
  int64_t id = 0;
  for (const ColumnDefinition& column : definition.columns) {
    const size_t at = FindWord(column.constraints, 0, column.constraints.size(), {"REFERENCES"});
    if (at < column.constraints.size()) AddForeignKey(column.constraints, at, {column.name}, keys, id++);
  }
  for (const Tokens& constraint : definition.constraints) {
    const size_t at = FindWord(constraint, 0, constraint.size(), {"REFERENCES"});
    if (at == constraint.size()) continue;
    std::vector<std::string> columns;
    size_t open = 0;
    while (!constraint[open].IsOperator("(")) open++;
    for (const Tokens& part : SplitAtCommas(constraint, open + 1, SkipParentheses(constraint, open) - 1))
      columns.push_back(part.at(0).Unquoted());
    AddForeignKey(constraint, at, columns, keys, id++);
  }
  return keys;
}

LocalRows TableList(const Schema& schema) {
  LocalRows list{{"schema", "name", "type", "ncol", "wr", "strict"}, {}};
  for (const SchemaTable& table : schema.tables()) {
    list.rows.push_back({Text(table.schema == "main" ? "main" : "temp"), Text(table.shown_name),
                         Text(table.is_view ? "view" : "table"),
                         Integer(static_cast<int64_t>(table.columns.size())),
                         Integer(table.rowid_column.empty() && !table.is_view ? 1 : 0), Integer(0)});
  }
  return list;
}

}  // namespace

LocalRows SchemaRows(sqlite3& db, bool temporary) {
  const Schema& schema = db.LoadedSchema();
  LocalRows rows{{"type", "name", "tbl_name", "rootpage", "sql"}, {}};
  for (const SchemaTable& table : schema.tables()) {
    if ((table.schema == "pg_temp") != temporary) continue;
    rows.rows.push_back(
        {Text(table.is_view ? "view" : "table"), Text(table.shown_name), Text(table.shown_name),
         Integer(table.is_view ? 0 : static_cast<int64_t>(rows.rows.size()) + 2), Text(table.sql)});
    for (const SchemaIndex* const index : IndexesOf(schema, table)) {
      rows.rows.push_back({Text("index"), Text(IndexName(schema, *index)), Text(table.shown_name),
                           Integer(static_cast<int64_t>(rows.rows.size()) + 2),
                           index->sql.empty() ? SqliteValue() : Text(index->sql)});
    }
  }
  return rows;
}

std::optional<LocalRows> ListingPragma(sqlite3& db, const std::string& name, const std::string& argument) {
  const Schema& schema = db.LoadedSchema();
  const SchemaTable* const table = schema.Find("", ToLower(argument));
  if (name == "table_info" || name == "table_xinfo") return TableInfo(table, name == "table_xinfo");
  if (name == "index_list") return IndexList(schema, table);
  if (name == "index_info" || name == "index_xinfo") return IndexInfo(schema, argument);
  if (name == "foreign_key_list") return ForeignKeyList(table);
  if (name == "table_list") return TableList(schema);
  if (name == "database_list")
    return LocalRows{{"seq", "name", "file"}, {{Integer(0), Text("main"), Text(db.path)}}};
  if (name == "collation_list") {
    LocalRows list{{"seq", "name"}, {}};
    for (const auto& [collation, unused] : db.collations)
      list.rows.push_back({Integer(static_cast<int64_t>(list.rows.size())), Text(collation)});
    for (const char* const builtin : {"RTRIM", "NOCASE", "BINARY"})
      list.rows.push_back({Integer(static_cast<int64_t>(list.rows.size())), Text(builtin)});
    return list;
  }
  return std::nullopt;
}

std::string WriteCatalogTable(sqlite3& db, const std::string& name, const std::string& argument) {
  std::optional<LocalRows> rows;
  if (name == "sqlite_master" || name == "sqlite_schema") {
    rows = SchemaRows(db, false);
  } else if (name == "sqlite_temp_master" || name == "sqlite_temp_schema") {
    rows = SchemaRows(db, true);
  } else if (name.rfind("pragma_", 0) == 0) {
    rows = ListingPragma(db, name.substr(7), argument);
  }
  if (!rows) return {};
  std::string names;
  for (const std::string& column : rows->names) names += (names.empty() ? "" : ", ") + QuoteName(column);
  std::string values;
  // A row of NULLs gives the types, and is left out.
  const bool is_empty = rows->rows.empty();
  if (is_empty) rows->rows.emplace_back(rows->names.size());
  for (const std::vector<SqliteValue>& row : rows->rows) {
    std::string text;
    for (const SqliteValue& value : row) {
      text += text.empty() ? "" : ", ";
      if (value.is_null()) {
        text += "NULL::varchar";
      } else {
        text += value.is_text() ? QuoteText(value.AsText()) + "::varchar" : value.AsText() + "::bigint";
      }
    }
    values += (values.empty() ? "(" : ", (") + text + ")";
  }
  return "(SELECT * FROM (VALUES " + values + ") AS v(" + names + ")" + (is_empty ? " WHERE FALSE)" : ")");
}

}  // namespace scaup::sqlite
