// Scan of a table function.
#include "planner/node/table_function.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalTableFunction::LogicalTableFunction(size_t table_index_in, TableFunction function_in,
                                           std::shared_ptr<const BoundTableFunction> bound_in)
    : LogicalOperator(LogicalKind::kTableFunction),
      table_index(table_index_in),
      function(std::move(function_in)),
      bound(std::move(bound_in)) {
  columns = AllColumns(bound->column_types.size());
}

std::vector<ColumnBinding> LogicalTableFunction::Bindings() const {
  std::vector<ColumnBinding> bindings;
  bindings.reserve(columns.size());
  for (const size_t column : columns) bindings.push_back({table_index, column});
  return bindings;
}

std::vector<LogicalType> LogicalTableFunction::Types() const {
  std::vector<LogicalType> types;
  types.reserve(columns.size());
  for (const size_t column : columns) types.push_back(bound->column_types[column]);
  return types;
}

std::vector<std::string> LogicalTableFunction::Names() const {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(bound->column_names[column]);
  return names;
}

std::vector<std::string> LogicalTableFunction::Details() const {
  std::vector<std::string> lines = {"function: " + function.name};
  AddLine(lines, "columns", Names());
  std::vector<std::string> parts;
  for (const ScanFilter& filter : filters)
    parts.push_back(FilterText(bound->column_names[filter.column], filter));
  AddLine(lines, "wanted", parts, " AND ");
  return lines;
}

LogicalOperatorPtr LogicalTableFunction::Clone() const {
  auto copy = std::make_unique<LogicalTableFunction>(table_index, function, bound);
  copy->columns = columns;
  copy->filters = filters;
  return copy;
}

}  // namespace scaup
