// Plans ASOF JOIN, for the physical planner.
#pragma once

#include <vector>

#include "execution/plan/planned_expressions.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Makes the operator of an ASOF JOIN, whose inputs are planned already. Moves the conditions out of the
/// join.
PhysicalOperatorPtr MakeAsofJoin(LogicalJoin& join, const BindingResolver& left_columns,
                                 const BindingResolver& right_columns, PhysicalOperatorPtr left,
                                 PhysicalOperatorPtr right, std::vector<LogicalType> types);

}  // namespace scaup
