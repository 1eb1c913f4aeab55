// Constant rows.
#include "planner/node/values.hpp"

#include <fmt/format.h>

#include "planner/node/node_parts.hpp"

namespace scaup {

std::vector<ColumnBinding> LogicalValues::Bindings() const {
  return NumberedBindings(table_index, types.size());
}

void LogicalValues::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (auto& row : rows) VisitAll(row, visit);
}

std::vector<std::string> LogicalValues::Details() const { return {fmt::format("rows: {}", rows.size())}; }

LogicalOperatorPtr LogicalValues::Clone() const {
  auto copy = std::make_unique<LogicalValues>(table_index, types, names);
  copy->rows.reserve(rows.size());
  for (const auto& row : rows) copy->rows.push_back(CloneAll(row));
  return copy;
}

}  // namespace scaup
