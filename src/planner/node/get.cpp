// Scan of a table: its columns, and the filters that the scan applies itself.
#include "planner/node/get.hpp"

#include <fmt/format.h>

#include "catalog/catalog.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalGet::LogicalGet(size_t table_index_in, TableEntryRef table_in)
    : LogicalOperator(LogicalKind::kGet), table_index(table_index_in), table(std::move(table_in)) {
  columns = AllColumns(table->columns.size());
}

std::vector<ColumnBinding> LogicalGet::Bindings() const {
  std::vector<ColumnBinding> bindings;
  bindings.reserve(columns.size());
  for (const size_t column : columns) bindings.push_back({table_index, column});
  return bindings;
}

std::vector<LogicalType> LogicalGet::Types() const {
  std::vector<LogicalType> types;
  types.reserve(columns.size());
  for (const size_t column : columns) {
    types.push_back(column == kRowNumberColumn ? LogicalType(TypeId::kBigInt) : table->columns[column].type);
  }
  return types;
}

std::vector<std::string> LogicalGet::Names() const {
  std::vector<std::string> names;
  for (const size_t column : columns)
    names.push_back(column == kRowNumberColumn ? "row number" : table->columns[column].name);
  return names;
}

std::vector<std::string> LogicalGet::Details() const {
  std::vector<std::string> lines;
  const bool is_default = table->schema == Catalog::kDefaultSchema;
  lines.push_back(
      fmt::format("table: {}{}{}", is_default ? "" : table->schema, is_default ? "" : ".", table->name));
  AddLine(lines, "columns", Names());
  std::vector<std::string> parts;
  for (const ScanFilter& filter : predicate.filters) {
    parts.push_back(FilterText(table->columns[filter.column].name, filter));
  }
  AddLine(lines, "filter", parts, " AND ");
  return lines;
}

LogicalOperatorPtr LogicalGet::Clone() const {
  auto copy = std::make_unique<LogicalGet>(table_index, table);
  copy->columns = columns;
  copy->predicate = predicate;
  copy->indexed = indexed;
  return copy;
}

}  // namespace scaup
