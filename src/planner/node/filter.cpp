// Rows that pass predicates.
#include "planner/node/filter.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalFilter::LogicalFilter(LogicalOperatorPtr child, std::vector<ExpressionPtr> predicates_in)
    : LogicalOperator(LogicalKind::kFilter), predicates(std::move(predicates_in)) {
  children.push_back(std::move(child));
}

void LogicalFilter::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(predicates, visit);
}

std::vector<std::string> LogicalFilter::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "condition", Texts(predicates), " AND ");
  return lines;
}

LogicalOperatorPtr LogicalFilter::Clone() const {
  return std::make_unique<LogicalFilter>(ClonePlan(*children[0]), CloneAll(predicates));
}

}  // namespace scaup
