// Turns subqueries in expressions into joins, so that none is executed row by row.
#pragma once

#include <vector>

#include "binder/bound/subquery_expression.hpp"
#include "planner/node/join.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

/// Unnests the subqueries of expressions over an input plan, to which it adds joins.
///
/// Uncorrelated ones are planned whole. Of correlated ones it takes the WHERE conjuncts that use outer
/// columns and makes them join conditions, where the outer columns occur nowhere else; all others are joined
/// with the values of the outer columns (DependentPlan).
class SubqueryUnnester {
 public:
  explicit SubqueryUnnester(QueryPlanner& planner) : planner_(planner) {}

  /// Filters the input by conjuncts: [NOT] EXISTS, IN and op ANY among them become semi and anti joins.
  LogicalOperatorPtr Filter(LogicalOperatorPtr input, std::vector<ExpressionPtr> conjuncts);
  /// Replaces every subquery in the expression by a column that a join over `input` makes.
  void Replace(ExpressionPtr& expression, LogicalOperatorPtr& input);

 private:
  /// A correlated subquery taken apart.
  struct Inner {
    LogicalOperatorPtr plan;               ///< what is its own
    std::vector<ExpressionPtr> conjuncts;  ///< what joins it to the input, over the columns of both
    ExpressionPtr item;                    ///< its first column, over the plan; null if it has none
  };

  /// True when the conjunct was a subquery predicate that became a semi or anti join.
  bool TryJoin(ExpressionPtr& conjunct, LogicalOperatorPtr& input);
  ExpressionPtr ReplaceScalar(SubqueryExpression& subquery, LogicalOperatorPtr& input);
  ExpressionPtr ReplaceExists(SubqueryExpression& subquery, LogicalOperatorPtr& input);
  ExpressionPtr ReplaceRow(SubqueryExpression& subquery, LogicalOperatorPtr& input);
  ExpressionPtr ReplaceAny(SubqueryExpression& subquery, LogicalOperatorPtr& input);
  /// A scalar subquery that aggregates without GROUP BY: grouped by what it is compared with, then joined.
  ExpressionPtr ReplaceAggregate(SubqueryExpression& subquery, BoundSelect& select,
                                 LogicalOperatorPtr& input);
  void JoinCorrelated(SubqueryExpression& subquery, LogicalJoinType type, LogicalOperatorPtr& input);

  /// Compares the child of IN, ANY or ALL with the subquery's column, for a join over both.
  void AddComparison(SubqueryExpression& subquery, ExpressionPtr item, LogicalJoin& join);
  void ReplaceChildren(SubqueryExpression& subquery, LogicalOperatorPtr& input);
  /// Whether a correlated query is a SELECT whose correlated conjuncts can be made conditions of a join.
  bool CanTakeApart(SubqueryExpression& subquery, const LogicalOperator& input);
  /// Takes the correlated conjuncts out of WHERE.
  std::vector<ExpressionPtr> TakeConjuncts(SubqueryExpression& subquery, BoundSelect& select);
  /// Adds the inner side of every conjunct to the groups and returns the conjuncts over these.
  std::vector<ExpressionPtr> GroupByKeys(BoundSelect& select, std::vector<ExpressionPtr> conjuncts,
                                         const LogicalOperator& input);
  Inner PlanInner(SubqueryExpression& subquery, const LogicalOperator& input);
  /// Computes the item below the join, so that it is NULL where nothing matches.
  void ProjectItem(Inner& inner, const LogicalOperator& input);

  QueryPlanner& planner_;
};

}  // namespace scaup
