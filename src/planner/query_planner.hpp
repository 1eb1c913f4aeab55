// The query planner: WITH, FROM, WHERE, grouping, projection. Other clauses have functions of their own:
// joins in plan_join.hpp, windows in plan_windows.hpp, set operations in plan_set_operation.hpp, and the end
// of a query in plan_order_limit.hpp.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Plans the queries of one statement, and gives out table indexes from `next_table_index` on. Consumes the
/// expressions of what it plans. Made for one statement; used by one thread.
class QueryPlanner {
 public:
  explicit QueryPlanner(size_t next_table_index) : next_table_index_(next_table_index) {}
  size_t NewTableIndex() { return next_table_index_++; }
  /// Returns one row without columns, the input of expressions that no table feeds.
  LogicalOperatorPtr OneRow();

  /// Plans a whole query. Its columns are bound as {query.table_index, i}.
  LogicalOperatorPtr PlanQuery(BoundQuery& query);
  LogicalOperatorPtr PlanTable(BoundTableRef& table);
  /// Plans the reader by calling `plan_reader`, and puts the WITH queries that it reads above it.
  LogicalOperatorPtr PlanWith(const std::vector<std::shared_ptr<BoundCte>>& ctes,
                              const std::function<LogicalOperatorPtr()>& plan_reader);
  /// Plans FROM and WHERE only.
  LogicalOperatorPtr PlanInput(BoundSelect& select);
  /// Plans GROUP BY and HAVING over the input; returns the input if the query has neither.
  LogicalOperatorPtr PlanGrouping(BoundSelect& select, LogicalOperatorPtr input);

 private:
  LogicalOperatorPtr PlanSelect(BoundSelect& select);
  LogicalOperatorPtr PlanValues(BoundValues& values);
  /// Plans the definition of a WITH query. Its columns are bound as {table_index, i}.
  LogicalOperatorPtr PlanCte(BoundCte& cte, size_t table_index);
  LogicalOperatorPtr PlanCteTable(BoundCteTable& table);

  size_t next_table_index_;
};

}  // namespace scaup
