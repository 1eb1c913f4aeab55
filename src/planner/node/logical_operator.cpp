// The base of logical operators.
#include "planner/node/logical_operator.hpp"

#include "common/stack_bound.hpp"

namespace scaup {

LogicalOperatorPtr ClonePlan(const LogicalOperator& plan) {
  CheckStack();
  LogicalOperatorPtr copy = plan.Clone();
  copy->estimated_rows = plan.estimated_rows;
  return copy;
}

}  // namespace scaup
