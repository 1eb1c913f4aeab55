// Pass: moves predicates down to where they drop rows earliest, and into joins and scans.
#pragma once

#include <map>
#include <vector>

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/node/shared_scan.hpp"
#include "planner/node/table_function.hpp"

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

  LogicalOperatorPtr PushMaterialize(LogicalOperatorPtr plan, Predicates predicates);
  /// Tells a table function which rows are dropped above it.
  static void NoteFilters(LogicalTableFunction& scan, const Predicates& predicates);
  /// Notes what a scan of shared rows drops of them.
  void NoteScan(const LogicalSharedScan& scan, const Predicates& predicates);
  /// Predicates that hold for every row that a scan of the share gives, over the columns of the rows.
  Predicates TakeNotedScans(size_t share, const std::vector<ColumnBinding>& columns);

  /// An uncorrelated scalar subquery that predicates look at becomes one more input of the inner joins below
  /// them, of one row, so that joins are ordered with it.
  LogicalOperatorPtr MakeOneRow(LogicalOperatorPtr plan);
  LogicalOperatorPtr PushJoin(LogicalOperatorPtr plan, Predicates predicates);
  /// Gathers all predicates of a region of inner joins, derives what follows from them and distributes all.
  LogicalOperatorPtr PushInnerRegion(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr DistributeInner(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushOuter(LogicalOperatorPtr plan, Predicates predicates);

  struct NotedScan {
    std::vector<size_t> columns;
    std::vector<ColumnBinding> bindings;
    Predicates predicates;
  };
  RewriteContext& context_;
  std::map<size_t, std::vector<NotedScan>> scans_;  // By the number of the share.
};

}  // namespace scaup
