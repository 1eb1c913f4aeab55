// Checks the consistency of a plan, after every optimizer pass.
#pragma once

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Throws Error(kInternal) if the plan is inconsistent. Every column reference must name a column of its
/// node's children with the same type, no two columns may share a binding, comparisons must have operands of
/// equal type, and the inputs of a union must agree.
void VerifyPlan(LogicalOperator& plan);

}  // namespace scaup
