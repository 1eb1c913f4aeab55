// Tells whether plans call functions of the program.
#pragma once

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Returns whether a plan calls a function of the program: scalar, aggregate or table function. It may then
/// read tables that the plan does not name.
bool CallsProgram(LogicalOperator& plan);

}  // namespace scaup
