// Pass: prunes columns that are not read above.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/nodes.hpp"

namespace scaup {

/// Prunes scans, projections, aggregates and unions, and inserts narrow projections below joins and sorts,
/// which copy their input. Columns that change position get new bindings; references above are renamed.
class ProjectionPushdown {
 public:
  explicit ProjectionPushdown(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  /// Prunes a subtree whose columns `required` are read, under their names before this pass. Afterwards
  /// renamed_ has the names that changed.
  LogicalOperatorPtr Prune(LogicalOperatorPtr plan, const BindingSet& required);
  void PruneChild(LogicalOperator& plan, size_t child, BindingSet required);
  /// Prunes a child until it returns only required columns. References of `plan` are not renamed yet.
  void NarrowChild(LogicalOperator& plan, size_t child, const BindingSet& required);
  void PruneSort(LogicalOperator& sort, BindingSet required);
  void PruneColumns(size_t table_index, std::vector<size_t>& columns, const std::vector<LogicalType>& types,
                    const BindingSet& required);
  void PruneProject(LogicalProject& project, const BindingSet& required);
  void PruneAggregate(LogicalAggregate& aggregate, const BindingSet& required);
  /// Removes the node if none of its functions is read.
  LogicalOperatorPtr PruneWindow(LogicalOperatorPtr plan, BindingSet required);
  void PruneJoin(LogicalJoin& join, BindingSet required);
  void PruneSharedScan(LogicalSharedScan& scan, const BindingSet& required);
  /// Prunes the columns of shared rows that no scan reads.
  void PruneShare(LogicalMaterialize& node, const BindingSet& required);
  /// Prunes a plan until it returns exactly these columns, in this order.
  void PruneToColumns(LogicalOperatorPtr& plan, const std::vector<ColumnBinding>& columns);
  void PruneUnion(LogicalUnionAll& node, const BindingSet& required);
  /// Retains those of `expressions`, bound as {table_index, i}, that are required, and at least `least` of
  /// them.
  void KeepRequired(size_t table_index, std::vector<ExpressionPtr>& expressions, const BindingSet& required,
                    size_t least);
  ColumnBinding Current(ColumnBinding original) const;

  RewriteContext& context_;
  BindingMap renamed_;  // from the name before this pass to the current one
};

}  // namespace scaup
