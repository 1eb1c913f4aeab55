// The SQL text that makes a table or schema again.
#include "catalog/create_statement.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

}  // namespace

std::string QuotedIdentifier(std::string_view name) { return Quoted(name, '"'); }
std::string QuotedText(std::string_view text) { return Quoted(text, '\''); }

std::string CreateStatementOf(const TableEntry& table) {
  std::string sql =
      fmt::format("CREATE TABLE {}.{} (", QuotedIdentifier(table.schema), QuotedIdentifier(table.name));
  for (size_t i = 0; i < table.columns.size(); i++) {
    const ColumnDefinition& column = table.columns[i];
    sql +=
        fmt::format("{}\n  {} {}", i == 0 ? "" : ",", QuotedIdentifier(column.name), column.type.ToString());
    if (column.not_null) sql += " NOT NULL";
    // Last, since its text goes on to the comma.
    if (!column.default_text.empty()) sql += " DEFAULT " + column.default_text;
  }
  return sql + "\n);\n";
}

std::string CreateStatementOf(const SchemaEntry& schema) {
  return fmt::format("CREATE SCHEMA IF NOT EXISTS {};\n", QuotedIdentifier(schema.name));
}

}  // namespace scaup
