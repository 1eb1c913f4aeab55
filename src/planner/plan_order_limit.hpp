// ORDER BY and LIMIT: the last clauses of every kind of query.
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

class QueryPlanner;

/// Sorts the input by the ORDER BY of a query, whose items are columns {table_index, i} of the input with
/// these types and names. Returns the input if the query has no ORDER BY.
LogicalOperatorPtr PlanOrder(const BoundQuery& query, size_t table_index,
                             const std::vector<LogicalType>& types, const std::vector<std::string>& names,
                             LogicalOperatorPtr input);
/// Plans LIMIT and OFFSET over the sorted input; returns the input if the query has neither.
LogicalOperatorPtr PlanLimit(QueryPlanner& planner, BoundQuery& query, LogicalOperatorPtr input);
/// Limits the input to the rows that LIMIT returns and OFFSET skips, where both are constants. OFFSET skips
/// its rows later, in PlanLimit.
LogicalOperatorPtr PlanLimitWithSkipped(const BoundQuery& query, LogicalOperatorPtr input);

}  // namespace scaup
