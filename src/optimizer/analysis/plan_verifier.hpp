// Checks that a plan holds together: the net below every optimizer pass.
#pragma once

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Throws Error(kInternal) unless every column reference names a column of its node's children with the same
/// type, no two columns share a binding, comparisons compare equal types and inputs of a union agree.
void VerifyPlan(LogicalOperator& plan);

}  // namespace scaup
