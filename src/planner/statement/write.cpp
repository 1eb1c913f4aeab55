// The common part of the operators that write rows of a table.
#include "planner/statement/write.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalWrite::LogicalWrite(LogicalKind kind, size_t table_index_in, TableEntryRef table_in,
                           LogicalOperatorPtr child)
    : LogicalOperator(kind), table_index(table_index_in), table(std::move(table_in)) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalWrite::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, returning.size());
}

std::vector<LogicalType> LogicalWrite::Types() const {
  CheckStack();
  return TypesOf(returning);
}

std::vector<std::string> LogicalWrite::Names() const {
  CheckStack();
  return NamesOf(returning);
}

void LogicalWrite::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (RowCheck& check : checks) visit(check.condition);
  VisitAll(returning, visit);
}

LogicalOperatorPtr LogicalWrite::CloneInto(std::unique_ptr<LogicalWrite> copy) const {
  for (const RowCheck& check : checks)
    copy->checks.push_back({check.name, check.condition->Clone(), check.state, check.refusal});
  copy->assigned = assigned;
  copy->is_in_order = is_in_order;
  for (const ExpressionPtr& expression : returning) copy->returning.push_back(expression->Clone());
  return copy;
}

}  // namespace scaup
