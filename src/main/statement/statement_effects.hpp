// Tells whether a statement with a plan does more than read, and whose triggers it fires.
#pragma once

#include <memory>
#include <vector>

#include "execution/write/row_changes.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Returns whether a plan leaves something behind: changed rows, a table, a file, or an advanced sequence.
/// Such a statement must run to its end, whether or not all of its rows are fetched.
bool HasEffects(LogicalOperator& plan);
/// Returns the changes that a plan is going to make to tables whose triggers fire BEFORE it, once for the
/// statement. They have no rows.
std::vector<std::unique_ptr<RowChanges::Target>> TargetsBefore(const LogicalOperator& plan);

}  // namespace scaup
