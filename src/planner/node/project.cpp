// Expressions of rows.
#include "planner/node/project.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalProject::LogicalProject(size_t table_index_in, LogicalOperatorPtr child,
                               std::vector<ExpressionPtr> expressions_in)
    : LogicalOperator(LogicalKind::kProject),
      table_index(table_index_in),
      expressions(std::move(expressions_in)) {
  children.push_back(std::move(child));
}

std::vector<ColumnBinding> LogicalProject::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, expressions.size());
}

std::vector<LogicalType> LogicalProject::Types() const {
  CheckStack();
  return TypesOf(expressions);
}

std::vector<std::string> LogicalProject::Names() const {
  CheckStack();
  return NamesOf(expressions);
}

void LogicalProject::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(expressions, visit);
}

std::vector<std::string> LogicalProject::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "expressions", Texts(expressions));
  return lines;
}

LogicalOperatorPtr LogicalProject::Clone() const {
  return std::make_unique<LogicalProject>(table_index, ClonePlan(*children[0]), CloneAll(expressions));
}

}  // namespace scaup
