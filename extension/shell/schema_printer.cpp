// Schema printer: assembles CREATE TABLE statements from the listing of columns.
#include "schema_printer.hpp"

#include <optional>

#include "error_printer.hpp"
#include "shell.hpp"
#include "sql_text.hpp"

namespace scaup::shell {

namespace {

// The columns of scaup_columns() that are used here, by position.
enum Field : size_t { kSchemaName, kTableName, kColumnName, kTypeName, kNotNull, kDefaultText };

std::string ColumnDefinition(const QueryResult& listing, size_t row) {
  std::string text = "  " + QuoteName(listing.GetString(kColumnName, row)) + " ";
  text += listing.GetString(kTypeName, row);
  if (!listing.IsNull(kNotNull, row) && listing.GetValue(kNotNull, row).GetBoolean()) text += " NOT NULL";
  if (!listing.IsNull(kDefaultText, row) && !listing.GetString(kDefaultText, row).empty()) {
    text += " DEFAULT " + std::string(listing.GetString(kDefaultText, row));
  }
  return text;
}

std::string TableNameOf(const QueryResult& listing, size_t row) {
  const std::string schema(listing.GetString(kSchemaName, row));
  const std::string name = QuoteName(listing.GetString(kTableName, row));
  return schema == "main" ? name : QuoteName(schema) + "." + name;
}

}  // namespace

bool PrintSchema(Shell& shell, const std::string& table) {
  std::string sql =
      "SELECT schema_name, table_name, column_name, data_type, not_null, column_default FROM scaup_columns()";
  if (!table.empty()) sql += " WHERE table_name = " + QuoteText(table);
  sql += " ORDER BY schema_name, table_name, position";
  const std::optional<QueryResult> listing = shell.TryQuery(sql);
  if (!listing) return false;
  if (listing->row_count() == 0 && !table.empty()) {
    PrintShellError("there is no table " + table);
    return false;
  }
  std::string text;
  std::string current;
  for (size_t row = 0; row < listing->row_count(); ++row) {
    const std::string name = TableNameOf(*listing, row);
    if (row == 0 || name != current) {
      if (row > 0) text += "\n);\n";
      text += "CREATE TABLE " + name + " (\n";
      current = name;
    } else {
      text += ",\n";
    }
    text += ColumnDefinition(*listing, row);
  }
  if (!text.empty()) text += "\n);\n";
  shell.output().Write(text);
  return true;
}

}  // namespace scaup::shell
