// The queries that list the catalog.
#include "catalog_reader.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace scaup::adbc {

namespace {

/// Reads the values of a result row by row, column by column.
class RowReader {
 public:
  explicit RowReader(QueryResult result) : result_(std::move(result)) {}

  bool Next() {
    column_ = 0;
    return ++row_ < static_cast<int64_t>(result_.row_count());
  }
  std::optional<std::string> OptionalText() {
    const size_t column = column_++;
    const auto row = static_cast<size_t>(row_);
    if (result_.IsNull(column, row)) return std::nullopt;
    std::string text;
    result_.AppendText(column, row, text);
    return text;
  }
  std::string Text() { return OptionalText().value_or(""); }
  std::optional<int32_t> OptionalInteger() {
    const std::optional<std::string> text = OptionalText();
    return text ? std::optional<int32_t>(std::stoi(*text)) : std::nullopt;
  }
  bool IsYes() { return Text() == "YES"; }
  /// Returns the elements of a list of texts.
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    const Value list = result_.GetValue(column_++, static_cast<size_t>(row_));
    if (list.is_null()) return texts;
    for (const Value& element : list.GetElements())
      texts.push_back(element.is_null() ? "" : element.GetString());
    return texts;
  }

 private:
  const QueryResult result_;
  int64_t row_ = -1;
  size_t column_ = 0;
};

/// The conditions of a query on the names of objects, and their parameters.
class Conditions {
 public:
  void Like(const std::string& expression, const char* pattern) {
    if (pattern == nullptr) return;
    parameters_.push_back(Value::Varchar(pattern));
    Add(expression + " LIKE $" + std::to_string(parameters_.size()) + " ESCAPE ''");
  }
  void Add(const std::string& condition) { text_ += (text_.empty() ? " WHERE " : " AND ") + condition; }
  void OneOf(const std::string& expression, const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) {
      parameters_.push_back(Value::Varchar(value));
      list += (list.empty() ? "$" : ", $") + std::to_string(parameters_.size());
    }
    Add(list.empty() ? "false" : expression + " IN (" + list + ")");
  }
  RowReader Query(Operation& operation, const std::string& select, const std::string& order) const {
    return RowReader(operation.session().Query(select + text_ + order, parameters_));
  }

 private:
  std::string text_;
  std::vector<Value> parameters_;
};

/// The tables that are listed, by schema and name.
using TableIndex = std::map<std::pair<std::string, std::string>, TableEntry*>;

TableEntry* Find(const TableIndex& index, const std::string& schema, const std::string& table) {
  const auto found = index.find({schema, table});
  return found == index.end() ? nullptr : found->second;
}

std::vector<SchemaEntry> ReadSchemas(Operation& operation, const ObjectFilter& filter) {
  Conditions conditions;
  conditions.Like("schema_name", filter.schema);
  RowReader rows =
      conditions.Query(operation, "SELECT schema_name FROM information_schema.schemata", " ORDER BY 1");
  std::vector<SchemaEntry> schemas;
  while (rows.Next()) schemas.push_back({rows.Text(), {}});
  return schemas;
}

void ReadTables(Operation& operation, const ObjectFilter& filter, std::vector<SchemaEntry>& schemas) {
  Conditions conditions;
  conditions.Like("table_schema", filter.schema);
  conditions.Like("table_name", filter.table);
  if (filter.types) conditions.OneOf("table_type", *filter.types);
  RowReader rows = conditions.Query(
      operation, "SELECT table_schema, table_name, table_type FROM information_schema.tables",
      " ORDER BY 1, 2");
  std::map<std::string, SchemaEntry*> by_name;
  for (SchemaEntry& schema : schemas) by_name.emplace(schema.name, &schema);
  while (rows.Next()) {
    const auto found = by_name.find(rows.Text());
    std::string name = rows.Text();
    std::string type = rows.Text();
    if (found != by_name.end()) found->second->tables.push_back({std::move(name), std::move(type), {}, {}});
  }
}

void ReadColumns(Operation& operation, const ObjectFilter& filter, const TableIndex& index) {
  Conditions conditions;
  conditions.Like("c.table_schema", filter.schema);
  conditions.Like("c.table_name", filter.table);
  conditions.Like("c.column_name", filter.column);
  RowReader rows = conditions.Query(
      operation,
      "SELECT c.table_schema, c.table_name, c.column_name, c.ordinal_position, s.comment, s.data_type, "
      "c.is_nullable, coalesce(c.column_default, s.column_default), c.numeric_precision, "
      "c.numeric_precision_radix, "
      "c.numeric_scale, c.character_maximum_length, c.character_octet_length, c.datetime_precision, "
      "c.is_identity, "
      "c.is_generated <> 'NEVER' FROM information_schema.columns c JOIN scaup_columns() s ON s.schema_name = "
      "c.table_schema AND s.table_name = c.table_name AND s.column_name = c.column_name",
      " ORDER BY 1, 2, 4");
  while (rows.Next()) {
    const std::string schema = rows.Text();
    TableEntry* table = Find(index, schema, rows.Text());
    ColumnEntry column;
    column.name = rows.Text();
    column.position = rows.OptionalInteger().value_or(0);
    column.remarks = rows.OptionalText();
    column.type = rows.Text();
    column.is_nullable = rows.IsYes();
    column.default_text = rows.OptionalText();
    column.precision = rows.OptionalInteger();
    column.radix = rows.OptionalInteger();
    column.scale = rows.OptionalInteger();
    column.character_count = rows.OptionalInteger();
    column.character_bytes = rows.OptionalInteger();
    column.datetime_precision = rows.OptionalInteger();
    column.is_identity = rows.IsYes();
    column.is_generated = rows.Text() == "true";
    if (table != nullptr) table->columns.push_back(std::move(column));
  }
}

std::string ConstraintType(const std::string& letter) {
  if (letter == "p") return "PRIMARY KEY";
  if (letter == "u") return "UNIQUE";
  return letter == "f" ? "FOREIGN KEY" : "CHECK";
}

/// The names of columns by their numbers in keys, in the order of the key.
std::string KeyNames(const char* key, const char* relation) {
  return std::string("(SELECT array_agg(a.attname::text ORDER BY u.place) FROM unnest(") + key +
         ") WITH ORDINALITY AS u(number, place) JOIN pg_attribute a ON a.attrelid = " + relation +
         " AND a.attnum = u.number)";
}

void ReadConstraints(Operation& operation, const ObjectFilter& filter, const TableIndex& index) {
  Conditions conditions;
  conditions.Add("k.contype IN ('c', 'f', 'p', 'u')");
  conditions.Like("n.nspname", filter.schema);
  conditions.Like("t.relname", filter.table);
  RowReader rows = conditions.Query(operation,
                                    "SELECT n.nspname, t.relname, k.conname, k.contype, " +
                                        KeyNames("k.conkey", "k.conrelid") + ", fn.nspname, ft.relname, " +
                                        KeyNames("k.confkey", "k.confrelid") +
                                        " FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN "
                                        "pg_namespace n ON n.oid = t.relnamespace "
                                        "LEFT JOIN pg_class ft ON ft.oid = k.confrelid LEFT JOIN "
                                        "pg_namespace fn ON fn.oid = ft.relnamespace",
                                    " ORDER BY 1, 2, 3");
  while (rows.Next()) {
    const std::string schema = rows.Text();
    TableEntry* table = Find(index, schema, rows.Text());
    ConstraintEntry constraint;
    constraint.name = rows.Text();
    constraint.type = ConstraintType(rows.Text());
    constraint.columns = rows.Texts();
    const std::string other_schema = rows.Text();
    const std::string other_table = rows.Text();
    for (std::string& column : rows.Texts())
      constraint.usages.push_back({other_schema, other_table, std::move(column)});
    if (table != nullptr) table->constraints.push_back(std::move(constraint));
  }
}

}  // namespace

std::string CatalogName(Operation& operation) {
  RowReader rows(operation.session().Query("SELECT current_database()"));
  rows.Next();
  return rows.Text();
}

bool PassesCatalog(Operation& operation, const std::string& catalog, const ObjectFilter& filter) {
  if (filter.catalog == nullptr) return true;
  const Value parameters[] = {Value::Varchar(catalog), Value::Varchar(filter.catalog)};
  RowReader rows(operation.session().Query("SELECT $1::VARCHAR LIKE $2 ESCAPE ''", parameters));
  rows.Next();
  return rows.Text() == "true";
}

std::vector<SchemaEntry> ReadCatalog(Operation& operation, int depth, const ObjectFilter& filter) {
  std::vector<SchemaEntry> schemas = ReadSchemas(operation, filter);
  if (depth == ADBC_OBJECT_DEPTH_DB_SCHEMAS) return schemas;
  ReadTables(operation, filter, schemas);
  if (depth == ADBC_OBJECT_DEPTH_TABLES) return schemas;
  TableIndex index;
  for (SchemaEntry& schema : schemas) {
    for (TableEntry& table : schema.tables) index.emplace(std::pair(schema.name, table.name), &table);
  }
  ReadColumns(operation, filter, index);
  ReadConstraints(operation, filter, index);
  return schemas;
}

}  // namespace scaup::adbc
