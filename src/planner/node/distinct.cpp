// DISTINCT and DISTINCT ON.
#include "planner/node/distinct.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalDistinct::LogicalDistinct(LogicalOperatorPtr child, std::vector<ExpressionPtr> on_in)
    : LogicalOperator(LogicalKind::kDistinct), on(std::move(on_in)) {
  children.push_back(std::move(child));
}

void LogicalDistinct::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  VisitAll(on, visit);
}

std::vector<std::string> LogicalDistinct::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "on", Texts(on));
  return lines;
}

LogicalOperatorPtr LogicalDistinct::Clone() const {
  return std::make_unique<LogicalDistinct>(ClonePlan(*children[0]), CloneAll(on));
}

}  // namespace scaup
