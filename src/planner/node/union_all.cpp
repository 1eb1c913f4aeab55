// UNION ALL.
#include "planner/node/union_all.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalUnionAll::LogicalUnionAll(size_t table_index_in, std::vector<LogicalOperatorPtr> inputs,
                                 std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kUnionAll), table_index(table_index_in), names(std::move(names_in)) {
  children = std::move(inputs);
}

std::vector<ColumnBinding> LogicalUnionAll::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, names.size());
}

LogicalOperatorPtr LogicalUnionAll::Clone() const {
  std::vector<LogicalOperatorPtr> inputs;
  for (const auto& child : children) inputs.push_back(ClonePlan(*child));
  return std::make_unique<LogicalUnionAll>(table_index, std::move(inputs), names);
}

}  // namespace scaup
