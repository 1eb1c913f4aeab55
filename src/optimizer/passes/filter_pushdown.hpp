// Pass: moves predicates down to where they drop rows earliest, and into joins and scans.
#pragma once

#include "optimizer/plan_columns.hpp"

namespace scaup {

/// Takes all filters out of the plan and puts their predicates as low as they go. As in PostgreSQL,
/// predicates may be evaluated in any order and below joins; what must not be evaluated for some rows is
/// guarded by CASE, which moves as a whole. Volatile predicates stay where they are.
class FilterPushdown {
 public:
  explicit FilterPushdown(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan) { return Push(std::move(plan), {}); }

 private:
  using Predicates = std::vector<ExpressionPtr>;
  /// `plan` filtered by `predicates`, which use its output columns and are ANDed.
  LogicalOperatorPtr Push(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushFilter(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushProject(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushAggregate(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushDistinct(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushWindow(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushExpand(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushUnnest(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushUnion(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushGet(LogicalOperatorPtr plan, Predicates predicates);
  /// Filters above the node, pushes nothing into it, but goes on below it.
  LogicalOperatorPtr Stop(LogicalOperatorPtr plan, Predicates predicates);

  LogicalOperatorPtr PushJoin(LogicalOperatorPtr plan, Predicates predicates);
  /// Gathers all predicates of a region of inner joins, derives what follows from them and distributes all.
  LogicalOperatorPtr PushInnerRegion(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr DistributeInner(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushOuter(LogicalOperatorPtr plan, Predicates predicates);

  RewriteContext& context_;
};

}  // namespace scaup
