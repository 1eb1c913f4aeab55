// Reads tables, columns, indexes and the stored CREATE statements from the engine's catalog.
#include "schema.hpp"

#include <algorithm>

#include "error.hpp"
#include "value.hpp"

namespace scaup::sqlite {

namespace {

std::string TextAt(const QueryResult& result, size_t column, size_t row) {
  return SqliteValue::FromEngine(result, column, row).AsText();
}

Storage StorageOfName(std::string_view type) {
  if (type == "bigint") return Storage::kInteger;
  if (type == "double precision") return Storage::kReal;
  if (type == "text" || type == "character varying") return Storage::kText;
  if (type == "bytea") return Storage::kBlob;
  if (type.find("sqlite_value") != std::string_view::npos) return Storage::kDynamic;
  return Storage::kOther;
}

/// Adds what the stored CREATE TABLE says of the columns.
void Declare(SchemaTable& table) {
  const FirstStatement statement = ReadStatement(table.sql);
  TableDefinition definition;
  try {
    definition = ParseCreateTable(statement.tokens);
  } catch (const SqliteError&) {
    return;  // A comment of the user's, which is no definition.
  }
  table.shown_name = definition.name;
  const ColumnDefinition* const rowid = definition.RowidColumn();
  if (rowid != nullptr) {
    table.rowid_column = ToLower(rowid->name);
    table.is_autoincrement = rowid->is_autoincrement;
  }
  for (SchemaColumn& column : table.columns) {
    for (const ColumnDefinition& declared : definition.columns) {
      if (ToLower(declared.name) != column.name) continue;
      column.shown_name = declared.name;
      column.declared_type = declared.declared_type;
      column.affinity = declared.affinity;
      column.is_not_null = declared.is_not_null;
      column.is_generated = declared.is_generated;
      column.default_text = declared.default_text;
    }
    const auto at = std::find(definition.primary_key.begin(), definition.primary_key.end(), column.name);
    if (at != definition.primary_key.end())
      column.key_position = static_cast<int>(at - definition.primary_key.begin()) + 1;
  }
}

/// Writes a CREATE statement for what another program has made.
std::string Describe(const SchemaTable& table) {
  std::string sql = "CREATE TABLE " + QuoteName(table.name) + "(";
  for (const SchemaColumn& column : table.columns) {
    if (sql.back() != '(') sql += ", ";
    sql += QuoteName(column.name) + " " + column.declared_type;
    if (column.is_not_null) sql += " NOT NULL";
  }
  return sql + ")";
}

bool IsDefinition(std::string_view comment) {
  const FirstStatement statement = ReadStatement(comment);
  return !statement.tokens.empty() && statement.tokens[0].Is("CREATE");
}

SchemaColumn ReadSchemaColumn(const QueryResult& rows, size_t row) {
  SchemaColumn column;
  column.name = column.shown_name = TextAt(rows, 2, row);
  column.declared_type = TextAt(rows, 3, row);
  column.storage = StorageOfName(column.declared_type);
  column.affinity = column.storage == Storage::kDynamic ? Affinity::kBlob : AffinityOf(column.declared_type);
  column.is_not_null = TextAt(rows, 4, row) == "NO";
  column.default_text = TextAt(rows, 5, row);
  column.is_generated = TextAt(rows, 6, row) == "ALWAYS";
  return column;
}

/// Takes the columns out of CREATE [UNIQUE] INDEX ... (a, b).
std::vector<std::string> IndexedColumns(std::string_view definition) {
  std::vector<std::string> columns;
  const Tokens tokens = ReadStatement(definition).tokens;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (!tokens[i].IsOperator("(")) continue;
    for (const Tokens& part : SplitAtCommas(tokens, i + 1, SkipParentheses(tokens, i) - 1)) {
      if (!part.empty()) columns.push_back(part[0].Unquoted());
    }
    break;
  }
  return columns;
}

}  // namespace

const SchemaColumn* SchemaTable::Find(std::string_view column) const {
  for (const SchemaColumn& candidate : columns) {
    if (candidate.name == column) return &candidate;
  }
  return nullptr;
}

void Schema::Load(Connection& engine) {
  tables_.clear();
  indexes_.clear();
  const QueryResult names = engine.Query(
      "SELECT n.nspname, c.relname, c.relkind = 'v', d.description FROM pg_class c "
      "JOIN pg_namespace n ON n.oid = c.relnamespace "
      "LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0 "
      "WHERE n.nspname IN ('main', 'pg_temp') AND c.relkind IN ('r', 'v') ORDER BY 1, 2");
  std::map<std::pair<std::string, std::string>, size_t> positions;
  for (size_t row = 0; row < names.row_count(); row++) {
    SchemaTable table;
    table.schema = TextAt(names, 0, row);
    table.name = table.shown_name = TextAt(names, 1, row);
    table.is_view = SqliteValue::FromEngine(names, 2, row).AsInteger() != 0;
    table.sql = TextAt(names, 3, row);
    positions[{table.schema, table.name}] = tables_.size();
    tables_.push_back(std::move(table));
  }
  const QueryResult columns = engine.Query(
      "SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default, is_generated "
      "FROM information_schema.columns WHERE table_schema IN ('main', 'pg_temp') "
      "ORDER BY table_schema, table_name, ordinal_position");
  for (size_t row = 0; row < columns.row_count(); row++) {
    const auto found = positions.find({TextAt(columns, 0, row), TextAt(columns, 1, row)});
    if (found == positions.end()) continue;
    SchemaTable& table = tables_[found->second];
    SchemaColumn column = ReadSchemaColumn(columns, row);
    if (column.name == "rowid" && !table.is_view) {
      table.has_hidden_rowid = true;
    } else {
      table.columns.push_back(std::move(column));
    }
  }
  for (SchemaTable& table : tables_) {
    if (table.has_hidden_rowid) table.rowid_column = "rowid";
    if (!IsDefinition(table.sql)) {
      table.sql = Describe(table);
    } else if (!table.is_view) {
      Declare(table);
    } else {
      const Tokens tokens = ReadStatement(table.sql).tokens;
      for (const Token& token : tokens) {
        if (token.IsName() && token.Name() == table.name) table.shown_name = token.Unquoted();
      }
    }
  }
  const QueryResult indexes = engine.Query(
      "SELECT i.indexname, i.tablename, i.indexdef, d.description FROM pg_indexes i "
      "LEFT JOIN pg_class c ON c.relname = i.indexname "
      "LEFT JOIN pg_description d ON d.objoid = c.oid AND d.objsubid = 0 "
      "WHERE i.schemaname IN ('main', 'pg_temp') ORDER BY 1");
  for (size_t row = 0; row < indexes.row_count(); row++) {
    SchemaIndex index;
    index.name = TextAt(indexes, 0, row);
    index.table = TextAt(indexes, 1, row);
    const std::string definition = TextAt(indexes, 2, row);
    index.sql = TextAt(indexes, 3, row);
    const Tokens words = ReadStatement(definition).tokens;
    // One of a part of the rows, which SQLite's statements do not make, is not the key of a row.
    const bool is_partial =
        std::any_of(words.begin(), words.end(), [](const auto& token) { return token.Is("WHERE"); });
    index.is_unique = words.at(1).Is("UNIQUE") && !is_partial;
    index.is_primary_key = index.is_unique && index.name == index.table + "_pkey";
    index.columns = IndexedColumns(definition);
    if (index.columns != std::vector<std::string>{"rowid"}) indexes_.push_back(std::move(index));
  }
}

const SchemaTable* Schema::Find(std::string_view schema, std::string_view name) const {
  if (!schema.empty() && schema != "main" && schema != "temp") return nullptr;
  const SchemaTable* found = nullptr;
  for (const SchemaTable& table : tables_) {
    if (table.name != name) continue;
    const bool is_temporary = table.schema == "pg_temp";
    if (schema.empty() ? is_temporary : is_temporary == (schema == "temp")) return &table;
    if (schema.empty()) found = &table;
  }
  return found;
}

std::vector<const SchemaIndex*> Schema::UniqueKeys(const SchemaTable& table) const {
  std::vector<const SchemaIndex*> keys;
  for (const SchemaIndex& index : indexes_) {
    if (index.is_unique && index.table == table.name) keys.push_back(&index);
  }
  return keys;
}

Storage InitialStorage(const ColumnDefinition& column) {
  switch (column.affinity) {
    case Affinity::kInteger: return Storage::kInteger;
    case Affinity::kReal: return Storage::kReal;
    case Affinity::kText: return Storage::kText;
    case Affinity::kBlob:
    case Affinity::kNumeric: break;
  }
  return column.declared_type.empty() || column.affinity == Affinity::kNumeric ? Storage::kDynamic
                                                                               : Storage::kBlob;
}

const char* EngineType(Storage storage) {
  switch (storage) {
    case Storage::kInteger: return "BIGINT";
    case Storage::kReal: return "DOUBLE PRECISION";
    case Storage::kText: return "VARCHAR";
    case Storage::kBlob: return "BYTEA";
    case Storage::kDynamic:
    case Storage::kOther: break;
  }
  return kDynamicTypeName;
}

Storage StorageOf(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kBoolean:
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt: return Storage::kInteger;
    case TypeId::kReal:
    case TypeId::kDouble:
    case TypeId::kDecimal:
    case TypeId::kNumeric: return Storage::kReal;
    case TypeId::kBlob: return Storage::kBlob;
    case TypeId::kStruct: return type == DynamicType() ? Storage::kDynamic : Storage::kText;
    default: return Storage::kText;
  }
}

}  // namespace scaup::sqlite
