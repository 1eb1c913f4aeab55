// Predicates that follow from others and drop rows earlier.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Derives b op constant from a = b and a op constant. Reads the ANDed predicates and appends to them.
void AddTransitivePredicates(std::vector<ExpressionPtr>& predicates);

/// Derives r.x IN (1, 3) and s.y IN (2, 4) from (r.x = 1 AND s.y = 2) OR (r.x = 3 AND s.y = 4). The OR itself
/// remains.
void AddPredicatesOfDisjunctions(std::vector<ExpressionPtr>& predicates);

/// Copies those of `predicates` that compare one column with constants, for columns that `equalities` (left =
/// right) make equal to it. Predicates on the preserved side of a join hold for the matching rows of the
/// other side, too.
std::vector<ExpressionPtr> TransferPredicates(const std::vector<ExpressionPtr>& predicates,
                                              const std::vector<JoinCondition>& equalities, bool to_right);

}  // namespace scaup
