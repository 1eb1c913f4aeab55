// Tells whether a statement with a plan does more than read.
#pragma once

#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Returns whether a plan leaves something behind: changed rows, a table, a file, or an advanced sequence.
/// Such a statement must run to its end, whether or not all of its rows are fetched.
bool HasEffects(LogicalOperator& plan);

}  // namespace scaup
