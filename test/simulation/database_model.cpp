// Reads a database as a model, and compares two.
#include "simulation/database_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/sqlstate.hpp"
#include "simulation/document_questions.hpp"

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

std::string Listed(const std::map<std::string, std::string>& indexes) {
  std::string text;
  for (const auto& [name, definition] : indexes) text += name + " " + definition + "; ";
  return text;
}

using IndexesByTable = std::map<DatabaseModel::TableName, std::map<std::string, std::string>>;

// Those of constraints come and go with their tables.
IndexesByTable ReadIndexes(TestedDatabase& database) {
  IndexesByTable by_table;
  const QueryResult indexes = database.Execute(
      "SELECT schemaname, tablename, indexname, indexdef FROM pg_catalog.pg_indexes "
      "WHERE contains(indexname, '_x')");
  for (size_t row = 0; row < indexes.row_count(); row++) {
    std::string definition(indexes.GetString(3, row));
    const bool is_unique = definition.starts_with("CREATE UNIQUE ");
    definition.erase(0, definition.rfind('('));
    std::erase(definition, '"');
    by_table[{std::string(indexes.GetString(0, row)), std::string(indexes.GetString(1, row))}]
            [std::string(indexes.GetString(2, row))] = (is_unique ? "UNIQUE " : "") + definition;
  }
  return by_table;
}

// Collections are those that the workload names so.
bool IsCollection(const DatabaseModel::TableName& name) { return name.second.starts_with('d'); }

CollectionModel ReadCollection(TestedDatabase& database, const DatabaseModel::TableName& name) {
  CollectionModel collection;
  const std::string from = fmt::format("FROM {}.{} ", name.first, name.second);
  for (std::string& text :
       RowTexts(database.Execute(fmt::format("SELECT {}::VARCHAR {}", name.second, from))))
    collection.documents.push_back({std::move(text), nullptr});
  for (const DocumentQuestion& question : DocumentQuestions()) {
    collection.answers.push_back(
        RowTexts(database.Execute(fmt::format("SELECT {} {}{}", question.select, from, question.rest))));
  }
  return collection;
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

std::vector<std::string> Texts(const CollectionModel& collection) {
  std::vector<std::string> texts;
  texts.reserve(collection.documents.size());
  for (const DocumentModel& document : collection.documents) texts.push_back(document.text);
  return texts;
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
  IndexesByTable indexes = ReadIndexes(database);
  const QueryResult names = database.Execute(
      "SELECT table_schema, table_name FROM information_schema.tables WHERE table_name LIKE 'd%'");
  for (size_t row = 0; row < names.row_count(); row++) {
    const DatabaseModel::TableName name{names.GetString(0, row), names.GetString(1, row)};
    CollectionModel collection = ReadCollection(database, name);
    collection.indexes = std::move(indexes[name]);
    model.collections[name] = std::make_shared<const CollectionModel>(std::move(collection));
  }
  for (auto& [name, table] : tables) {
    if (IsCollection(name)) continue;
    table.indexes = std::move(indexes[name]);
    table.rows = RowTexts(database.Execute(fmt::format("SELECT * FROM {}.{}", name.first, name.second)));
    model.tables[name] = std::make_shared<const TableModel>(std::move(table));
  }
  return model;
}

static std::string DocumentDifference(const CollectionModel& expected, const CollectionModel& found) {
  if (expected.indexes != found.indexes)
    return fmt::format("indexes {} instead of {}", Listed(found.indexes), Listed(expected.indexes));
  const std::string documents = RowDifference(Texts(expected), Texts(found));
  if (!documents.empty()) return documents;
  for (size_t i = 0; i < found.answers.size(); i++) {
    const DocumentQuestion& question = DocumentQuestions()[i];
    std::vector<std::string> rows;
    for (const DocumentModel& document : expected.documents) question.row(*document.value, rows);
    const std::string difference = RowDifference(rows, found.answers[i]);
    if (!difference.empty())
      return fmt::format("<SELECT {} {}> {}", question.select, question.rest, difference);
  }
  return "";
}

static std::string CollectionDifference(const DatabaseModel& expected, const DatabaseModel& found) {
  for (const auto& [name, collection] : found.collections) {
    if (expected.collections.count(name) == 0)
      return fmt::format("collection {}.{} should not be there", name.first, name.second);
  }
  for (const auto& [name, collection] : expected.collections) {
    const auto other = found.collections.find(name);
    const std::string place = fmt::format("collection {}.{}", name.first, name.second);
    if (other == found.collections.end()) return place + " is missing";
    const std::string difference = DocumentDifference(*collection, *other->second);
    if (!difference.empty()) return place + " has " + difference;
  }
  return "";
}

static std::string TableDifference(const DatabaseModel& expected, const DatabaseModel& found) {
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
    if (table->indexes != other->second->indexes) {
      return fmt::format("{} has indexes {} instead of {}", place, Listed(other->second->indexes),
                         Listed(table->indexes));
    }
    const std::string rows = RowDifference(table->rows, other->second->rows);
    if (!rows.empty()) return place + " has " + rows;
  }
  return "";
}

std::string Difference(const DatabaseModel& expected, const DatabaseModel& found) {
  const std::string tables = TableDifference(expected, found);
  return tables.empty() ? CollectionDifference(expected, found) : tables;
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
