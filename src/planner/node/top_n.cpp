// ORDER BY with LIMIT.
#include "planner/node/top_n.hpp"

#include <fmt/format.h>

#include "expression/window_expression.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalTopN::LogicalTopN(LogicalOperatorPtr child, std::vector<SortKey> keys_in, uint64_t limit_in,
                         uint64_t offset_in)
    : LogicalOperator(LogicalKind::kTopN), keys(std::move(keys_in)), limit(limit_in), offset(offset_in) {
  children.push_back(std::move(child));
}

void LogicalTopN::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (SortKey& key : keys) visit(key.expression);
}

std::vector<std::string> LogicalTopN::Details() const {
  std::vector<std::string> lines;
  AddLine(lines, "keys", KeyTexts(keys));
  lines.push_back(fmt::format("limit: {}", limit));
  if (offset != 0) lines.push_back(fmt::format("offset: {}", offset));
  return lines;
}

LogicalOperatorPtr LogicalTopN::Clone() const {
  auto copy = std::make_unique<LogicalTopN>(ClonePlan(*children[0]), CloneKeys(keys), limit, offset);
  copy->by_index = by_index;
  return copy;
}

}  // namespace scaup
