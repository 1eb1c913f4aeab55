// Rows once for each grouping set.
#include "planner/node/expand.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalExpand::LogicalExpand(size_t table_index_in, LogicalOperatorPtr child,
                             std::vector<ExpressionPtr> columns_in, std::vector<std::vector<size_t>> sets_in)
    : LogicalOperator(LogicalKind::kExpand),
      table_index(table_index_in),
      columns(std::move(columns_in)),
      sets(std::move(sets_in)) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalExpand::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, NumberedBindings(table_index, columns.size() + 1));
  return bindings;
}

std::vector<LogicalType> LogicalExpand::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  Append(types, TypesOf(columns));
  types.emplace_back(TypeId::kInteger);
  return types;
}

std::vector<std::string> LogicalExpand::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  Append(names, NamesOf(columns));
  names.emplace_back("grouping set");
  return names;
}

void LogicalExpand::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(columns, visit);
}

std::vector<std::string> LogicalExpand::Details() const {
  std::vector<std::string> parts;
  for (const auto& set : sets) {
    std::string text;
    for (const size_t column : set) text += (text.empty() ? "" : ", ") + columns[column]->ToString();
    parts.push_back("(" + text + ")");
  }
  std::vector<std::string> lines;
  AddLine(lines, "sets", parts);
  return lines;
}

LogicalOperatorPtr LogicalExpand::Clone() const {
  return std::make_unique<LogicalExpand>(table_index, ClonePlan(*children[0]), CloneAll(columns), sets);
}

}  // namespace scaup
