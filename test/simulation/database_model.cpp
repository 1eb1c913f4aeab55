// Reads a database as a model, and compares two.
#include "simulation/database_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/sqlstate.hpp"

namespace scaup::test {

namespace {

std::vector<std::string> RowTexts(const QueryResult& result) {
  std::vector<std::string> rows(result.row_count());
  for (size_t column = 0; column < result.column_count(); column++) {
    const TypeId type = result.columns()[column].type.id();
    for (size_t row = 0; row < rows.size(); row++) {
      if (column != 0) rows[row] += '|';
      if (result.IsNull(column, row)) {
        rows[row] += "\\N";
      } else if (type == TypeId::kVarchar) {
        rows[row] += result.GetString(column, row);
      } else {
        rows[row] += result.GetValue(column, row).ToString();
      }
    }
  }
  return rows;
}

std::string Columns(const TableModel& table) {
  std::string text;
  for (const ColumnModel& column : table.columns) {
    text += fmt::format("{} {}{}{}{}; ", column.name, column.type, column.not_null ? " NOT NULL" : "",
                        column.default_sql.empty() ? "" : " DEFAULT " + column.default_sql,
                        column.comment.empty() ? "" : " COMMENT " + column.comment);
  }
  return text;
}

std::string Indexes(const TableModel& table) {
  std::string text;
  for (const auto& [name, definition] : table.indexes) text += name + " " + definition + "; ";
  return text;
}

// Those of constraints come and go with their tables.
void ReadIndexes(TestedDatabase& database, std::map<DatabaseModel::TableName, TableModel>& tables) {
  const QueryResult indexes = database.Execute(
      "SELECT schemaname, tablename, indexname, indexdef FROM pg_catalog.pg_indexes "
      "WHERE contains(indexname, '_x')");
  for (size_t row = 0; row < indexes.row_count(); row++) {
    std::string definition(indexes.GetString(3, row));
    const bool is_unique = definition.starts_with("CREATE UNIQUE ");
    definition.erase(0, definition.rfind('('));
    std::erase(definition, '"');
    TableModel& table =
        tables[{std::string(indexes.GetString(0, row)), std::string(indexes.GetString(1, row))}];
    table.indexes[std::string(indexes.GetString(2, row))] = (is_unique ? "UNIQUE " : "") + definition;
  }
}

// Enough of a long row to see what it is.
std::string Shortened(const std::string& text) {
  return text.size() <= 300 ? text : fmt::format("{}... ({} bytes)", text.substr(0, 300), text.size());
}

std::string RowDifference(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  const size_t common = std::min(expected.size(), found.size());
  const auto [at, other] = std::mismatch(expected.begin(), expected.begin() + common, found.begin());
  const auto row = static_cast<size_t>(at - expected.begin());
  if (row == common && expected.size() == found.size()) return "";
  std::string text = fmt::format("{} rows instead of {}", found.size(), expected.size());
  if (row < common) {
    text += fmt::format(", row {} is <{}> instead of <{}>", row, Shortened(*other), Shortened(*at));
  }
  return text;
}

}  // namespace

DatabaseModel ReadDatabase(TestedDatabase& database) {
  DatabaseModel model;
  std::map<DatabaseModel::TableName, TableModel> tables;
  const QueryResult columns = database.Execute(
      "SELECT schema_name, table_name, column_name, data_type, not_null, column_default, comment "
      "FROM scaup_columns() ORDER BY schema_name, table_name, position");
  for (size_t row = 0; row < columns.row_count(); row++) {
    const auto text = [&](size_t column) {
      return columns.IsNull(column, row) ? std::string() : std::string(columns.GetString(column, row));
    };
    tables[{text(0), text(1)}].columns.push_back(
        {text(2), text(3), columns.GetValue(4, row).GetBoolean(), text(5), text(6)});
  }
  ReadIndexes(database, tables);
  for (auto& [name, table] : tables) {
    table.rows = RowTexts(database.Execute(fmt::format("SELECT * FROM {}.{}", name.first, name.second)));
    model.tables[name] = std::make_shared<const TableModel>(std::move(table));
  }
  return model;
}

std::string TableDifference(const DatabaseModel& expected, const DatabaseModel& found) {
  for (const auto& [name, table] : found.tables) {
    if (expected.tables.count(name) == 0) {
      return fmt::format("table {}.{} should not be there", name.first, name.second);
    }
  }
  for (const auto& [name, table] : expected.tables) {
    const auto other = found.tables.find(name);
    const std::string place = fmt::format("table {}.{}", name.first, name.second);
    if (other == found.tables.end()) return place + " is missing";
    if (Columns(*table) != Columns(*other->second)) {
      return fmt::format("{} has columns {} instead of {}", place, Columns(*other->second), Columns(*table));
    }
    if (Indexes(*table) != Indexes(*other->second)) {
      return fmt::format("{} has indexes {} instead of {}", place, Indexes(*other->second), Indexes(*table));
    }
    const std::string rows = RowDifference(table->rows, other->second->rows);
    if (!rows.empty()) return place + " has " + rows;
  }
  return "";
}

std::string MissingSchema(const DatabaseModel& expected, TestedDatabase& database) {
  for (const std::string& schema : expected.schemas) {
    try {
      database.Execute("CREATE SCHEMA " + schema);
      database.Execute("DROP SCHEMA " + schema);
      return schema;
    } catch (const Error& error) {
      if (std::string(error.sqlstate()) != sqlstate::kDuplicateSchema) throw;
    }
  }
  return "";
}

}  // namespace scaup::test
