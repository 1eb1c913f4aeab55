// ORDER BY.
#include "planner/node/sort.hpp"

#include "expression/window_expression.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalSort::LogicalSort(LogicalOperatorPtr child, std::vector<SortKey> keys_in)
    : LogicalOperator(LogicalKind::kSort), keys(std::move(keys_in)) {
  children.push_back(std::move(child));
}

void LogicalSort::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (SortKey& key : keys) visit(key.expression);
}

std::vector<std::string> LogicalSort::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "keys", KeyTexts(keys));
  return lines;
}

LogicalOperatorPtr LogicalSort::Clone() const {
  return std::make_unique<LogicalSort>(ClonePlan(*children[0]), CloneKeys(keys));
}

}  // namespace scaup
