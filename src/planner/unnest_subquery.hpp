// Subquery unnesting: turns subqueries in expressions into joins, so that none is executed row by row.
#pragma once

#include <vector>

#include "binder/bound/subquery_expression.hpp"
#include "planner/node/join.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

/// Unnests the subqueries of expressions over an input plan, to which it adds joins. Made for a few
/// expressions; used by one thread; borrows the QueryPlanner.
///
/// Uncorrelated subqueries are planned as a whole. A correlated one whose outer columns occur in WHERE
/// conjuncts only is joined on these conjuncts. Any other is joined with the values of the outer columns
/// (DependentPlan).
class SubqueryUnnester {
 public:
  explicit SubqueryUnnester(QueryPlanner& planner) : planner_(planner) {}

  /// Filters the input by conjuncts. [NOT] EXISTS, IN and op ANY among them become semi and anti joins.
  LogicalOperatorPtr Filter(LogicalOperatorPtr input, std::vector<ExpressionPtr> conjuncts);
  /// Replaces every subquery in the expression by a column of a join over `input`.
  void Replace(ExpressionPtr& expression, LogicalOperatorPtr& input) { Replace(expression, input, nullptr); }

 private:
  /// A correlated subquery split into its own plan and the conjuncts that join it.
  struct Inner {
    LogicalOperatorPtr plan;               ///< the part without outer columns
    std::vector<ExpressionPtr> conjuncts;  ///< join it to the input, over the columns of both
    ExpressionPtr item;                    ///< its first column, over the plan; null if it has none
  };

  /// Returns whether the conjunct was a subquery predicate and has become a semi or anti join.
  bool TryJoin(ExpressionPtr& conjunct, LogicalOperatorPtr& input);
  /// In these, `needed` is a predicate over the input: only rows that pass it evaluate the expression. Others
  /// must not raise errors of its subqueries. Null if all rows evaluate it.
  void Replace(ExpressionPtr& expression, LogicalOperatorPtr& input, const Expression* needed);
  void ReplaceInParts(Expression& expression, LogicalOperatorPtr& input, const Expression* needed);
  void ReplaceSubquery(ExpressionPtr& expression, LogicalOperatorPtr& input, const Expression* needed);
  ExpressionPtr ReplaceScalar(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                              const Expression* needed);
  ExpressionPtr ReplaceExists(SubqueryExpression& subquery, LogicalOperatorPtr& input,
                              const Expression* needed);
  ExpressionPtr ReplaceRow(SubqueryExpression& subquery, LogicalOperatorPtr& input, const Expression* needed);
  ExpressionPtr ReplaceAny(SubqueryExpression& subquery, LogicalOperatorPtr& input, const Expression* needed);
  /// Adds the columns of the only row of a plan to the input; NULLs if it has none.
  void JoinRow(LogicalOperatorPtr plan, LogicalOperatorPtr& input, const Expression* needed);
  /// Computes a volatile condition once, below all that depends on it.
  void ComputeOnce(ExpressionPtr& condition, LogicalOperatorPtr& input, const Expression* needed);
  /// Replaces a scalar subquery that aggregates without GROUP BY. It is grouped by the columns that outer
  /// ones are compared with, then joined.
  ExpressionPtr ReplaceAggregate(SubqueryExpression& subquery, BoundSelect& select,
                                 LogicalOperatorPtr& input);
  void JoinCorrelated(SubqueryExpression& subquery, LogicalJoinType type, LogicalOperatorPtr& input);

  /// Adds the comparison of IN, ANY or ALL with the subquery's column to a join.
  void AddComparison(SubqueryExpression& subquery, ExpressionPtr item, LogicalJoin& join);
  void ReplaceChildren(SubqueryExpression& subquery, LogicalOperatorPtr& input, const Expression* needed);
  /// Returns whether a correlated query is a SELECT whose correlated conjuncts can become join conditions.
  bool CanTakeApart(SubqueryExpression& subquery, const LogicalOperator& input, const Expression* needed);
  /// Removes the correlated conjuncts from WHERE and returns them.
  std::vector<ExpressionPtr> TakeConjuncts(SubqueryExpression& subquery, BoundSelect& select);
  /// Adds the inner side of every conjunct to the groups, and returns the conjuncts over these groups.
  std::vector<ExpressionPtr> GroupByKeys(BoundSelect& select, std::vector<ExpressionPtr> conjuncts,
                                         const LogicalOperator& input);
  Inner PlanInner(SubqueryExpression& subquery, const LogicalOperator& input);
  /// Computes the item below the join, so that it is NULL for rows without a match.
  void ProjectItem(Inner& inner, const LogicalOperator& input);

  QueryPlanner& planner_;
};

}  // namespace scaup
