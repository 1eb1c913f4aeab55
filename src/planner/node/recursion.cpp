// WITH RECURSIVE.
#include "planner/node/recursion.hpp"

#include "common/stack_bound.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalRecursion::LogicalRecursion(size_t table_index_in, size_t share_in, std::string label_in,
                                   bool is_distinct_in, LogicalOperatorPtr first, LogicalOperatorPtr next,
                                   std::vector<std::string> names_in)
    : LogicalOperator(LogicalKind::kRecursion),
      table_index(table_index_in),
      share(share_in),
      label(std::move(label_in)),
      is_distinct(is_distinct_in),
      names(std::move(names_in)) {
  children.push_back(std::move(first));
  children.push_back(std::move(next));
}

std::vector<ColumnBinding> LogicalRecursion::Bindings() const {
  CheckStack();
  return NumberedBindings(table_index, names.size());
}

std::vector<std::string> LogicalRecursion::Details() const {
  return {"name: " + label, is_distinct ? "union: distinct" : "union: all"};
}

LogicalOperatorPtr LogicalRecursion::Clone() const {
  return std::make_unique<LogicalRecursion>(table_index, share, label, is_distinct, ClonePlan(*children[0]),
                                            ClonePlan(*children[1]), names);
}

}  // namespace scaup
