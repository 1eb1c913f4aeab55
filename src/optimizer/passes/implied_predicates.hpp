// Predicates that follow from others and let rows go earlier.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// From a = b and a op constant: b op constant. Looks at the ANDed predicates and appends to them.
void AddTransitivePredicates(std::vector<ExpressionPtr>& predicates);

/// From (r.x = 1 AND s.y = 2) OR (r.x = 3 AND s.y = 4): r.x IN (1, 3) and s.y IN (2, 4). The OR itself stays.
void AddPredicatesOfDisjunctions(std::vector<ExpressionPtr>& predicates);

/// Copies of those of `predicates` that restrict one column by constants, for columns that `equalities` (left
/// = right) make equal to it: what holds of the preserved side of a join also holds of the matching rows of
/// the other one.
std::vector<ExpressionPtr> TransferPredicates(const std::vector<ExpressionPtr>& predicates,
                                              const std::vector<JoinCondition>& equalities, bool to_right);

}  // namespace scaup
