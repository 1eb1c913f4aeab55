// The query planner: FROM, WHERE, grouping, projection, set operations.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Plans the queries of one statement, and gives out table indexes from `next_table_index` on. Consumes the
/// expressions of what it plans. Made for one statement; used by one thread.
class QueryPlanner {
 public:
  explicit QueryPlanner(size_t next_table_index) : next_table_index_(next_table_index) {}
  size_t NewTableIndex() { return next_table_index_++; }

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
  /// Plans set-returning functions: each row of the input is repeated for the elements of its sets.
  LogicalOperatorPtr PlanSets(BoundSets& sets, LogicalOperatorPtr input);
  /// Plans the window functions of a query, over its rows after HAVING.
  LogicalOperatorPtr PlanWindows(BoundSelect& select, LogicalOperatorPtr input);

 private:
  LogicalOperatorPtr PlanSelect(BoundSelect& select);
  /// Makes the offset of a frame an expression over `input`.
  void PlanFrameOffset(ExpressionPtr& offset, LogicalOperatorPtr& input);
  /// Repeats the input for each grouping set. The groups become references to the columns of the result.
  LogicalOperatorPtr PlanExpand(BoundSelect& select, LogicalOperatorPtr input);
  /// Adds a column that numbers the rows among those that are equal.
  LogicalOperatorPtr NumberDuplicates(LogicalOperatorPtr input);
  LogicalOperatorPtr PlanSetOperation(BoundSetOperation& query);
  LogicalOperatorPtr PlanValues(BoundValues& values);
  LogicalOperatorPtr PlanRowsWithSubqueries(BoundValues& values);
  /// Numbered rows, materialized for two readers that both use the former bindings. Lives during planning.
  struct NumberedRows {
    LogicalOperatorPtr definition;
    size_t share = 0;
    LogicalOperatorPtr paired, kept;    ///< the two readers
    ColumnBinding number;               ///< binding of the number in both
    std::map<size_t, size_t> in_pairs;  ///< final table indexes of `paired`, by the former ones
  };
  NumberedRows NumberRows(LogicalOperatorPtr plan);
  LogicalOperatorPtr PlanJoin(BoundJoin& join);
  /// Plans an inner join. The right child may use columns of the left one (LATERAL).
  LogicalOperatorPtr PlanPairs(LogicalOperatorPtr left, LogicalOperatorPtr right,
                               std::vector<ExpressionPtr> conditions);
  /// Plans an outer join with subqueries in its condition that use columns of both sides.
  LogicalOperatorPtr PlanOuterJoinOfPairs(LogicalJoinType type, LogicalOperatorPtr left,
                                          LogicalOperatorPtr right, std::vector<ExpressionPtr> conditions);
  /// Returns whether a WITH query is planned at its only use.
  static bool IsInlined(const BoundCte& cte);
  /// Plans the definition of a WITH query. Its columns are bound as {table_index, i}.
  LogicalOperatorPtr PlanCte(BoundCte& cte, size_t table_index);
  LogicalOperatorPtr PlanCteTable(BoundCteTable& table);
  LogicalOperatorPtr CastColumns(LogicalOperatorPtr input, const std::vector<LogicalType>& types);
  LogicalOperatorPtr PlanLimit(BoundQuery& query, LogicalOperatorPtr input);
  LogicalOperatorPtr PlanTies(BoundQuery& query, LogicalOperatorPtr input);
  LogicalOperatorPtr PlanOrder(BoundQuery& query, size_t table_index, const std::vector<LogicalType>& types,
                               const std::vector<std::string>& names, LogicalOperatorPtr input);
  /// Returns one row without columns.
  LogicalOperatorPtr OneRow();

  size_t next_table_index_;
};

/// Adds a condition to `join`: as left op right if each side of a comparison belongs to one child, otherwise
/// as residual.
void AddJoinCondition(LogicalJoin& join, ExpressionPtr condition);

}  // namespace scaup
