// Pass: drops columns that nobody above reads.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/nodes.hpp"

namespace scaup {

/// Prunes scans, projections, aggregates and unions, and puts narrow projections below joins and sorts, which
/// copy what comes in. Columns that change their place get new bindings; references above follow.
class ProjectionPushdown {
 public:
  explicit ProjectionPushdown(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  /// Prunes a subtree of which `required` columns are read, by the names they had before this pass. Names
  /// that changed are in renamed_ afterwards.
  LogicalOperatorPtr Prune(LogicalOperatorPtr plan, const BindingSet& required);
  void PruneChild(LogicalOperator& plan, size_t child, BindingSet required);
  /// Prunes a child until nothing but required columns comes out. References of `plan` are not renamed yet.
  void NarrowChild(LogicalOperator& plan, size_t child, const BindingSet& required);
  void PruneSort(LogicalOperator& sort, BindingSet required);
  void PruneColumns(size_t table_index, std::vector<size_t>& columns, const std::vector<LogicalType>& types,
                    const BindingSet& required);
  void PruneProject(LogicalProject& project, const BindingSet& required);
  void PruneAggregate(LogicalAggregate& aggregate, const BindingSet& required);
  /// Without a function that is read, the node goes.
  LogicalOperatorPtr PruneWindow(LogicalOperatorPtr plan, BindingSet required);
  void PruneJoin(LogicalJoin& join, BindingSet required);
  void PruneSharedScan(LogicalSharedScan& scan, const BindingSet& required);
  /// Keeps of shared rows the columns that some scan reads.
  void PruneShare(LogicalMaterialize& node, const BindingSet& required);
  /// Prunes a plan until just these of its columns come out, in this order.
  void PruneToColumns(LogicalOperatorPtr& plan, const std::vector<ColumnBinding>& columns);
  void PruneUnion(LogicalUnionAll& node, const BindingSet& required);
  /// Keeps those of `expressions`, bound as {table_index, i}, that are required, and at least `least` of
  /// them.
  void KeepRequired(size_t table_index, std::vector<ExpressionPtr>& expressions, const BindingSet& required,
                    size_t least);
  ColumnBinding Current(ColumnBinding original) const;

  RewriteContext& context_;
  BindingMap renamed_;  // From the name before this pass to the one now.
};

}  // namespace scaup
