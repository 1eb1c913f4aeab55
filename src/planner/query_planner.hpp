// Plans queries: FROM, WHERE, grouping, projection, set operations.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Plans the queries of one statement; hands out table indexes from `next_table_index` on. Takes the
/// expressions out of what it plans.
class QueryPlanner {
 public:
  explicit QueryPlanner(size_t next_table_index) : next_table_index_(next_table_index) {}
  size_t NewTableIndex() { return next_table_index_++; }

  /// The whole query: its columns come out as {query.table_index, i}.
  LogicalOperatorPtr PlanQuery(BoundQuery& query);
  LogicalOperatorPtr PlanTable(BoundTableRef& table);
  /// Plans what `plan_reader` plans, below the WITH queries that it reads.
  LogicalOperatorPtr PlanWith(const std::vector<std::shared_ptr<BoundCte>>& ctes,
                              const std::function<LogicalOperatorPtr()>& plan_reader);
  /// FROM and WHERE alone.
  LogicalOperatorPtr PlanInput(BoundSelect& select);
  /// GROUP BY and HAVING over the input; returns it as it is when the query has neither.
  LogicalOperatorPtr PlanGrouping(BoundSelect& select, LogicalOperatorPtr input);
  /// The input's rows beside the elements of their sets.
  LogicalOperatorPtr PlanSets(BoundSets& sets, LogicalOperatorPtr input);
  /// The window functions of a query over its rows after HAVING.
  LogicalOperatorPtr PlanWindows(BoundSelect& select, LogicalOperatorPtr input);

 private:
  LogicalOperatorPtr PlanSelect(BoundSelect& select);
  /// Makes the offset of a frame an expression over `input`, which gives it to every row.
  void PlanFrameOffset(ExpressionPtr& offset, LogicalOperatorPtr& input);
  /// The input once for each grouping set; groups become references to what comes out of it.
  LogicalOperatorPtr PlanExpand(BoundSelect& select, LogicalOperatorPtr input);
  /// Adds to the columns of the input the number of each row among those that are equal to it.
  LogicalOperatorPtr NumberDuplicates(LogicalOperatorPtr input);
  LogicalOperatorPtr PlanSetOperation(BoundSetOperation& query);
  LogicalOperatorPtr PlanValues(BoundValues& values);
  LogicalOperatorPtr PlanRowsWithSubqueries(BoundValues& values);
  /// Rows with numbers, kept for two readers that both know them by their old names.
  struct NumberedRows {
    LogicalOperatorPtr definition;
    size_t share = 0;
    LogicalOperatorPtr paired, kept;    ///< the two readers
    ColumnBinding number;               ///< where both have the number
    std::map<size_t, size_t> in_pairs;  ///< what the tables of `paired` shall be called in the end
  };
  NumberedRows NumberRows(LogicalOperatorPtr plan);
  LogicalOperatorPtr PlanJoin(BoundJoin& join);
  /// An inner join; the right side may use columns of the left one.
  LogicalOperatorPtr PlanPairs(LogicalOperatorPtr left, LogicalOperatorPtr right,
                               std::vector<ExpressionPtr> conditions);
  /// An outer join in whose conditions subqueries use columns of both sides.
  LogicalOperatorPtr PlanOuterJoinOfPairs(LogicalJoinType type, LogicalOperatorPtr left,
                                          LogicalOperatorPtr right, std::vector<ExpressionPtr> conditions);
  /// True for a WITH query that is planned where it is used.
  static bool IsInlined(const BoundCte& cte);
  /// Plans the definition of a WITH query; its columns come out as {table_index, i}.
  LogicalOperatorPtr PlanCte(BoundCte& cte, size_t table_index);
  LogicalOperatorPtr PlanCteTable(BoundCteTable& table);
  LogicalOperatorPtr CastColumns(LogicalOperatorPtr input, const std::vector<LogicalType>& types);
  LogicalOperatorPtr PlanLimit(BoundQuery& query, LogicalOperatorPtr input);
  LogicalOperatorPtr PlanTies(BoundQuery& query, LogicalOperatorPtr input);
  LogicalOperatorPtr PlanOrder(BoundQuery& query, size_t table_index, const std::vector<LogicalType>& types,
                               const std::vector<std::string>& names, LogicalOperatorPtr input);
  /// One row without columns.
  LogicalOperatorPtr OneRow();

  size_t next_table_index_;
};

/// Gives `join` a condition: as left op right where each side of a comparison belongs to one child, else as
/// residual.
void AddJoinCondition(LogicalJoin& join, ExpressionPtr condition);

}  // namespace scaup
