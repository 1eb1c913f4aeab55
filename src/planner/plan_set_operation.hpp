// Set operations: UNION, INTERSECT and EXCEPT.
#pragma once

#include <vector>

#include "binder/bound/bound_query.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

class QueryPlanner;

/// Plans a set operation with its operands, ORDER BY and LIMIT.
LogicalOperatorPtr PlanSetOperation(QueryPlanner& planner, BoundSetOperation& query);
/// Casts the columns of an operand to the types of the whole; returns the input if it has them.
LogicalOperatorPtr CastColumns(QueryPlanner& planner, LogicalOperatorPtr input,
                               const std::vector<LogicalType>& types);

}  // namespace scaup
