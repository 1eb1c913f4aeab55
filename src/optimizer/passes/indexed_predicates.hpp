// Makes predicates of a scan, and whatever compares texts by collations, use the hidden columns that indexes
// on expressions and partial indexes are over.
#pragma once

#include <vector>

#include "function/function_context.hpp"
#include "planner/node/get.hpp"

namespace scaup {

/// Replaces keys of collations, wherever a plan computes them of the columns of a scan, by the hidden columns
/// that hold them for the table's indexes. A key is NULL where its text is, so this is right above outer
/// joins, too. The expressions of the plan are simplified, and its scans still have all columns.
void UseCollationKeys(const FunctionContext& context, LogicalOperator& plan);

/// Replaces what an index on an expression is over by the hidden column that holds it. Where the predicates
/// imply the condition of a partial index, adds their comparisons of its key with constants as comparisons of
/// its hidden column: those lead through the index, and the others still tell the rows apart if another index
/// is chosen. The predicates are ANDed, over the columns of the scan, and simplified.
void UseHiddenColumns(const FunctionContext& context, const LogicalGet& get,
                      std::vector<ExpressionPtr>& predicates);

}  // namespace scaup
