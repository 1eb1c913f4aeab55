// Whether a statement with a plan does more than read.
#pragma once

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// True of a plan that leaves something behind: changed rows, a table, a file, a sequence that was moved.
/// Such a statement is to run to its end, whether or not anybody reads all of its rows.
bool HasEffects(LogicalOperator& plan);

}  // namespace scaup
