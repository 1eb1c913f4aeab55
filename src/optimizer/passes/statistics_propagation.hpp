// Pass: carries proven value ranges from the scans up, and uses them to drop checks, widths and filters.
#pragma once

#include <span>

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/passes/decimal_narrowing.hpp"
#include "planner/node/aggregate.hpp"
#include "planner/node/expand.hpp"
#include "planner/node/project.hpp"
#include "planner/node/window.hpp"

namespace scaup {

/// Ranges come from the statistics of the snapshot that the statement reads, and hold for that snapshot
/// alone. That is sound because a plan is never kept: a cached statement is optimized again for every
/// execution. Effects: kernels without overflow checks where the result is proven to fit; DECIMAL arithmetic
/// in 64 bits where 18 digits suffice, with the types of the result unchanged; filters that are always true
/// dropped, inputs of filters that are never true replaced by no rows.
class StatisticsPropagation {
 public:
  explicit StatisticsPropagation(RewriteContext& context) : context_(context), narrowing_(facts_) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan) {
    root_ = plan.get();
    return Propagate(std::move(plan), true);
  }

 private:
  /// `keeps_types`: the types of the node's columns show outside, so they must stay.
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
  /// Notes what a plan reads that is not going to be run.
  void LogReads(const LogicalOperator& plan);
  /// A node of the same columns and no rows.
  LogicalOperatorPtr MakeEmpty(const LogicalOperator& plan);
  /// Drops what is always true; false when some predicate is never true.
  bool SimplifyPredicates(std::vector<ExpressionPtr>& predicates, std::span<const LogicalOperatorPtr> inputs);

  RewriteContext& context_;
  const LogicalOperator* root_ = nullptr;  // Nobody reads what is proven of its columns.
  ColumnFacts facts_;                      // Of every column where it was last seen on its way up.
  DecimalNarrowing narrowing_;
  /// Rows that are kept for several readers, once their definition was seen.
  struct Share {
    bool is_empty = false;
    std::vector<ValueFacts> columns;
  };
  std::map<size_t, Share> shares_;
  BindingMap renamed_;  // Columns of what was replaced by no rows.
};

}  // namespace scaup
