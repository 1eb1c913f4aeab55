// Plans POSITIONAL JOIN and ASOF JOIN, which give each row at most one partner.
#pragma once

#include "binder/bound/bound_query.hpp"
#include "planner/node/join.hpp"

namespace scaup {

class QueryPlanner;

LogicalOperatorPtr PlanPositionalJoin(QueryPlanner& planner, BoundJoin& bound);
/// Throws 42601 or 0A000 if the conditions are not one inequality of both sides, equalities of both sides and
/// predicates of one side.
LogicalOperatorPtr PlanAsofJoin(QueryPlanner& planner, BoundJoin& bound);

}  // namespace scaup
