// Dependent plans: plans that use columns of an outer query, made independent of it, after Neumann and
// Kemper, "Unnesting Arbitrary Queries" (BTW 2015).
#pragma once

#include <map>
#include <set>
#include <vector>

#include "planner/node/join.hpp"
#include "planner/query_planner.hpp"

namespace scaup {

/// Name of the domain's columns in plans.
inline constexpr const char* kDomainName = "outer value";

/// Outer columns that a plan uses, in the order of the domain's columns.
struct OuterColumns {
  std::vector<ColumnBinding> bindings;
  std::vector<LogicalType> types;
  std::vector<size_t> keys;  ///< places of the columns that tell the values of the domain apart
};

/// Expressions that are evaluated once for each value of the domain though they use no outer column.
struct EvaluatedPerValue {
  bool volatile_ones = false;  ///< each value of the domain must get its own result
  bool failing_ones = false;   ///< errors are raised only if the domain has a value
};

/// Rewrites a plan that refers to outer columns, so that it computes its rows for all of their values at
/// once. Made for one plan; used by one thread; borrows the QueryPlanner.
///
/// The domain is the set of the outer columns' values, or the numbered outer rows, materialized as shared
/// rows. It is joined with the lowest parts of the plan that do not depend on it, and every node above passes
/// it on: groups and partitions are made within each value, LIMIT counts within each, and joins of two
/// dependent inputs compare it. Filters that equate the domain with inner columns become join conditions when
/// the optimizer pushes them down, so that most products with the domain disappear.
class DependentPlan {
 public:
  /// `share` is the number of the domain's shared rows.
  DependentPlan(QueryPlanner& planner, size_t share, OuterColumns outer, EvaluatedPerValue per_value)
      : planner_(planner),
        share_(share),
        outer_(std::move(outer.bindings)),
        types_(std::move(outer.types)),
        keys_(std::move(outer.keys)),
        per_value_(per_value) {
    for (size_t i = 0; i < outer_.size(); i++) outer_place_[outer_[i]] = i;
  }

  /// The domain's columns as the bindings of some node.
  using Domain = std::vector<ColumnBinding>;
  struct Result {
    LogicalOperatorPtr plan;  ///< has its former columns and those of the domain
    Domain domain;
  };
  Result Push(LogicalOperatorPtr plan);
  /// Returns the present binding of a column of the plan.
  ColumnBinding Current(ColumnBinding column) const;

 private:
  bool IsDependent(const Expression& expression) const;
  /// Returns whether the node or a node below it uses an outer column, shared rows that contain the domain,
  /// or an expression that is evaluated for each value.
  bool IsDependent(LogicalOperator& plan, EvaluatedPerValue per_value) const;
  Result ScanDomain();
  Result Cross(LogicalOperatorPtr plan);
  void Rewrite(ExpressionPtr& expression, const Domain& domain) const;
  void RewriteNode(LogicalOperator& node, const Domain& domain) const;
  ExpressionPtr Column(const Domain& domain, size_t i) const;
  std::vector<ExpressionPtr> Columns(const Domain& domain) const;
  /// Projects exactly these columns and then the domain's, under a new table index.
  LogicalOperatorPtr LineUp(Result input, const std::vector<ColumnBinding>& columns);

  Result PushProject(LogicalOperatorPtr plan);
  Result PushAggregate(LogicalOperatorPtr plan);
  Result PushJoin(LogicalOperatorPtr plan);
  Result FinishFullJoin(LogicalOperatorPtr plan, const Domain& left, const Domain& right);
  Result PushOnDemand(LogicalOperatorPtr plan);
  Result PushLimit(LogicalOperatorPtr plan);
  Result PushUnion(LogicalOperatorPtr plan);
  Result PushValues(LogicalOperatorPtr plan);
  Result PushMaterialize(LogicalOperatorPtr plan);
  Result PushSharedScan(LogicalOperatorPtr plan);
  Result PushRecursion(LogicalOperatorPtr plan);
  void Compare(LogicalJoin& join, const Domain& left, const Domain& right) const;

  QueryPlanner& planner_;
  size_t share_;
  std::vector<ColumnBinding> outer_;
  std::vector<LogicalType> types_;
  std::vector<size_t> keys_;
  EvaluatedPerValue per_value_;
  std::map<ColumnBinding, size_t> outer_place_;
  std::map<size_t, size_t> dependent_shares_;       // by share: the first column of the domain
  std::map<ColumnBinding, ColumnBinding> renamed_;  // columns that had to move to another node
};

/// Joins `input` with a plan that uses its columns, and returns the join. Afterwards `input` is materialized
/// as shared rows, below a join with a condition for each column of the domain. `item`, if not null, is an
/// expression over the plan, whose columns are renamed with it. `needed`, if not null, is a predicate: only
/// rows of `input` that pass it need the plan, so others neither raise its errors nor find a match.
LogicalJoin& JoinDependent(QueryPlanner& planner, LogicalJoinType type, LogicalOperatorPtr& input,
                           LogicalOperatorPtr plan, ExpressionPtr* item, const Expression* needed = nullptr);
/// Returns the columns of `input` that the plan uses.
std::vector<ColumnBinding> UsedColumns(const LogicalOperator& input, LogicalOperator& plan);

/// Returns whether an aggregate is 0, not NULL, over no rows.
bool IsCount(const Expression& aggregate);

}  // namespace scaup
