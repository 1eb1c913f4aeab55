// Pass: pushes predicates down to where they drop rows earliest, and into joins and scans.
#pragma once

#include <map>
#include <vector>

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/passes/indexed_predicates.hpp"
#include "planner/node/shared_scan.hpp"
#include "planner/node/table_function.hpp"

namespace scaup {

/// Removes all filters from the plan and pushes their predicates down as far as possible. As in PostgreSQL,
/// predicates may be evaluated in any order and below joins; CASE, which moves as a whole, protects
/// expressions that must not be evaluated for some rows. Volatile predicates are not moved.
class FilterPushdown {
 public:
  explicit FilterPushdown(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan) {
    UseCollationKeys(context_.optimizer.functions, *plan);
    return Push(std::move(plan), {});
  }

 private:
  using Predicates = std::vector<ExpressionPtr>;
  /// Returns `plan` filtered by `predicates`, which refer to its output columns and are ANDed.
  LogicalOperatorPtr Push(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushFilter(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushProject(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushAggregate(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushDistinct(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushWindow(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushOnDemand(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushExpand(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushUnnest(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushUnion(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushGet(LogicalOperatorPtr plan, Predicates predicates);
  /// Puts a filter above the node instead of pushing into it, and continues below it.
  LogicalOperatorPtr Stop(LogicalOperatorPtr plan, Predicates predicates);

  LogicalOperatorPtr PushMaterialize(LogicalOperatorPtr plan, Predicates predicates);
  /// Tells a table function which rows will be dropped above it.
  static void NoteFilters(LogicalTableFunction& scan, Predicates& predicates);
  /// Records the predicates by which a scan of shared rows filters them.
  void NoteScan(const LogicalSharedScan& scan, const Predicates& predicates);
  /// Returns predicates, over the columns of the shared rows, that every row needed by any scan of the share
  /// satisfies.
  Predicates TakeNotedScans(size_t share, const std::vector<ColumnBinding>& columns);

  /// Makes an uncorrelated scalar subquery that predicates use another input, of one row, of the inner joins
  /// below; so joins are ordered with it.
  LogicalOperatorPtr MakeOneRow(LogicalOperatorPtr plan);
  LogicalOperatorPtr PushJoin(LogicalOperatorPtr plan, Predicates predicates);
  /// Collects all predicates of a region of inner joins, derives implied ones and distributes all.
  LogicalOperatorPtr PushInnerRegion(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr DistributeInner(LogicalOperatorPtr plan, Predicates predicates);
  LogicalOperatorPtr PushOuter(LogicalOperatorPtr plan, Predicates predicates);

  struct NotedScan {
    std::vector<size_t> columns;
    std::vector<ColumnBinding> bindings;
    Predicates predicates;
  };
  RewriteContext& context_;
  std::map<size_t, std::vector<NotedScan>> scans_;  // by share number
};

}  // namespace scaup
