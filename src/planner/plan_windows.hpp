// Window functions of a query.
#pragma once

#include "binder/bound/bound_query.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

class QueryPlanner;

/// Plans the window functions of a query, over its rows after HAVING.
LogicalOperatorPtr PlanWindows(QueryPlanner& planner, BoundSelect& select, LogicalOperatorPtr input);

}  // namespace scaup
