// Names the columns of a table in FROM.
#include "binder/query/table_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

void RenameColumns(std::vector<std::string>& names, const std::vector<std::string>& aliases,
                   const std::string& table, size_t position) {
  if (aliases.size() > names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("table \"{}\" has {} columns available but {} columns specified", table,
                           names.size(), aliases.size()),
               position);
  }
  std::copy(aliases.begin(), aliases.end(), names.begin());
}

Scope NamedScope(const ast::TableRef& table, const std::string& default_alias, const std::string& schema,
                 std::vector<ScopeColumn> columns) {
  ScopeTable entry;
  entry.alias = table.alias.empty() ? default_alias : table.alias;
  entry.schema = table.alias.empty() ? schema : "";
  std::vector<std::string> names;
  for (const ScopeColumn& column : columns) names.push_back(column.name);
  RenameColumns(names, table.column_aliases, entry.alias, table.position);
  for (size_t i = 0; i < names.size(); i++) {
    if (columns[i].value->kind() == ExpressionKind::kColumnRef)
      columns[i].value->As<ColumnRefExpression>().name = names[i];
    columns[i].name = names[i];
  }
  entry.columns = std::move(columns);
  return Scope::OfTable(std::move(entry));
}

Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                const std::vector<std::string>& all_names, const std::vector<LogicalType>& types,
                const std::string& schema, const std::vector<size_t>& columns) {
  std::vector<ScopeColumn> named;
  for (const size_t column : columns) {
    named.push_back(
        {all_names[column], std::make_unique<ColumnRefExpression>(
                                types[column], ColumnBinding{table_index, column}, all_names[column])});
  }
  return NamedScope(table, default_alias, schema, std::move(named));
}

Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                const std::vector<std::string>& names, const std::vector<LogicalType>& types,
                const std::string& schema) {
  std::vector<size_t> all(names.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return MakeScope(table, default_alias, table_index, names, types, schema, all);
}

}  // namespace scaup
