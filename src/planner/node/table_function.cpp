// Scan of a table function, and call of a function of the program that returns rows.
#include "planner/node/table_function.hpp"

#include "common/stack_bound.hpp"
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

LogicalRowsCall::LogicalRowsCall(size_t table_index_in, std::string name_in,
                                 std::shared_ptr<const BoundRowsCall> call_in)
    : LogicalOperator(LogicalKind::kRowsCall),
      table_index(table_index_in),
      name(std::move(name_in)),
      call(std::move(call_in)) {
  columns = AllColumns(call->columns.types.size());
}

std::vector<ColumnBinding> LogicalRowsCall::Bindings() const {
  std::vector<ColumnBinding> bindings;
  bindings.reserve(columns.size());
  for (const size_t column : columns) bindings.push_back({table_index, column});
  return bindings;
}

std::vector<LogicalType> LogicalRowsCall::Types() const {
  std::vector<LogicalType> types;
  types.reserve(columns.size());
  for (const size_t column : columns) types.push_back(call->columns.types[column]);
  return types;
}

std::vector<std::string> LogicalRowsCall::Names() const {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(call->columns.names[column]);
  return names;
}

void LogicalRowsCall::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(values, visit);
  VisitAll(arguments, visit);
  for (SortKey& key : keys) visit(key.expression);
}

std::vector<std::string> LogicalRowsCall::Details() const {
  std::vector<std::string> lines = {"function: " + name};
  std::vector<std::string> given;
  for (const ExpressionPtr& value : values) {
    // NULL stands in the place of rows.
    const bool is_null =
        value->kind() == ExpressionKind::kConstant && value->As<ConstantExpression>().value.is_null();
    if (!is_null) given.push_back(value->ToString());
  }
  AddLine(lines, "values", given);
  AddLine(lines, "rows", Texts(arguments));
  std::vector<std::string> texts = KeyTexts(keys);
  const auto first_order = texts.begin() + static_cast<ptrdiff_t>(partition_count);
  AddLine(lines, "partition by", {texts.begin(), first_order});
  AddLine(lines, "order by", {first_order, texts.end()});
  AddLine(lines, "columns", Names());
  return lines;
}

LogicalOperatorPtr LogicalRowsCall::Clone() const {
  CheckStack();
  auto copy = std::make_unique<LogicalRowsCall>(table_index, name, call);
  if (!children.empty()) copy->children.push_back(ClonePlan(*children[0]));
  copy->values = CloneAll(values);
  copy->arguments = CloneAll(arguments);
  for (const SortKey& key : keys)
    copy->keys.push_back({key.expression->Clone(), key.descending, key.nulls_first});
  copy->partition_count = partition_count;
  copy->columns = columns;
  copy->required = required;
  return copy;
}

}  // namespace scaup
