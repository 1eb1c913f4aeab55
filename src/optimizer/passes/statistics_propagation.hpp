// Pass: propagates proven value ranges from the scans, to remove checks, widths and filters.
#pragma once

#include <span>

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/passes/decimal_narrowing.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/expand.hpp"
#include "planner/node/project.hpp"
#include "planner/node/window.hpp"

namespace scaup {

/// Ranges come from the statistics of the snapshot that the statement reads, and hold only for it. That is
/// sound because optimized plans are not cached: a cached statement is optimized again for every execution.
/// The effects are kernels without overflow checks where the result is proven to fit, and 64-bit DECIMAL
/// arithmetic where 18 digits suffice, without changing the types of the result. Filters that are always true
/// are dropped, and inputs of filters that are never true are replaced by no rows.
class StatisticsPropagation {
 public:
  explicit StatisticsPropagation(RewriteContext& context) : context_(context), narrowing_(facts_) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan) {
    root_ = plan.get();
    return Propagate(std::move(plan), true);
  }

 private:
  /// `keeps_types`: the types of the node's columns are visible outside, so they must not change.
  LogicalOperatorPtr Propagate(LogicalOperatorPtr plan, bool keeps_types);
  LogicalOperatorPtr PropagateGet(LogicalOperatorPtr plan);
  LogicalOperatorPtr PropagateFilter(LogicalOperatorPtr plan);
  LogicalOperatorPtr PropagateJoin(LogicalOperatorPtr plan);
  LogicalOperatorPtr PropagateUnion(LogicalOperatorPtr plan);
  LogicalOperatorPtr PropagateShare(LogicalOperatorPtr plan, bool keeps_types);
  LogicalOperatorPtr PropagateSharedScan(LogicalOperatorPtr plan);
  void PropagateExpand(LogicalExpand& expand);
  void PropagateProject(LogicalProject& project, bool keeps_types);
  void PropagateWindow(LogicalWindow& window);
  void PropagateAggregate(LogicalAggregate& aggregate, bool keeps_types);
  /// Logs the reads of a plan that will not be executed.
  void LogReads(const LogicalOperator& plan);
  /// Makes a node of the same columns without rows.
  LogicalOperatorPtr MakeEmpty(const LogicalOperator& plan);
  /// Drops predicates that are always true; returns false if one is never true.
  bool SimplifyPredicates(std::vector<ExpressionPtr>& predicates, std::span<const LogicalOperatorPtr> inputs);

  RewriteContext& context_;
  const LogicalOperator* root_ = nullptr;  // facts on its columns are not needed
  ColumnFacts facts_;                      // of every column, as last seen on the way up
  DecimalNarrowing narrowing_;
  /// Rows that are materialized for several readers, once their definition was processed.
  struct Share {
    bool is_empty = false;
    std::vector<ValueFacts> columns;
  };
  std::map<size_t, Share> shares_;
  BindingMap renamed_;  // columns of nodes that were replaced by no rows
};

}  // namespace scaup
