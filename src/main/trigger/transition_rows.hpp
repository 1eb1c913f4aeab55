// The rows that a statement has changed, as relations for the functions of triggers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "binder/scope/trigger_names.hpp"
#include "execution/write/row_changes.hpp"
#include "expression/expression.hpp"
#include "planner/planner.hpp"

namespace scaup {

/// Returns the transition tables that a trigger names. They borrow the rows of the target.
std::vector<TriggerNames::Transition> TransitionsOf(const RowChanges::Target& target,
                                                    const TriggerDefinition& trigger);

/// Returns a plan that does for all rows of a target what `plan` does for one: its parameters, the columns of
/// OLD and NEW, become columns of a scan. `condition` is one over the same parameters that leaves out rows;
/// null for none. Returns nullopt unless this means the same as running `plan` for each row: it reads no
/// table, and what it writes goes to a table without triggers. Borrows the rows of the target.
std::optional<LogicalPlan> PlanOverRows(const LogicalPlan& plan, const RowChanges::Target& target,
                                        const Expression* condition);
/// Returns the only expression of a plan that computes one, over its parameters; null for other plans.
const Expression* OnlyExpression(const LogicalPlan& plan);

}  // namespace scaup
