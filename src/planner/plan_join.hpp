// Joins of FROM: plans them with their conditions, which may contain subqueries.
#pragma once

#include "binder/bound/bound_query.hpp"
#include "planner/node/join.hpp"

namespace scaup {

class QueryPlanner;

/// Plans a join and both of its sides.
LogicalOperatorPtr PlanJoin(QueryPlanner& planner, BoundJoin& join);
/// Adds a condition to `join`: as left op right if each side of a comparison belongs to one child, otherwise
/// as residual.
void AddJoinCondition(LogicalJoin& join, ExpressionPtr condition);

}  // namespace scaup
