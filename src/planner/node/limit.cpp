// LIMIT and OFFSET.
#include "planner/node/limit.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalLimit::LogicalLimit(LogicalOperatorPtr child, ExpressionPtr limit_in, ExpressionPtr offset_in,
                           LogicalOperatorPtr counts)
    : LogicalOperator(LogicalKind::kLimit), limit(std::move(limit_in)), offset(std::move(offset_in)) {
  children.push_back(std::move(child));
  if (counts) children.push_back(std::move(counts));
}

void LogicalLimit::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  if (limit) visit(limit);
  if (offset) visit(offset);
}

std::vector<std::string> LogicalLimit::Details() const {
  std::vector<std::string> lines;
  if (limit) lines.push_back("limit: " + limit->ToString());
  if (offset) lines.push_back("offset: " + offset->ToString());
  return lines;
}

LogicalOperatorPtr LogicalLimit::Clone() const {
  return std::make_unique<LogicalLimit>(ClonePlan(*children[0]), CloneIfAny(limit), CloneIfAny(offset),
                                        children.size() > 1 ? ClonePlan(*children[1]) : nullptr);
}

}  // namespace scaup
