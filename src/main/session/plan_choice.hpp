// Chooses the plan of a statement that runs again: the one it has, a new one, or one for other types.
#pragma once

#include <vector>

#include "main/statement/statement_preparer.hpp"

namespace scaup {

/// Prepares a statement again if its plan no longer fits the transaction.
void RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared, StatementPreparer& preparer);

/// Returns the plan for parameters of these types, where none was declared. It is `prepared` itself, unless
/// the types of the values decide what the statement means; then it is one of `by_types`, of which few are
/// kept. Called after RefreshPlan.
PreparedPlan& PlanFor(const ast::Statement& statement, PreparedPlan& prepared, std::vector<LogicalType> types,
                      StatementPreparer& preparer);

}  // namespace scaup
