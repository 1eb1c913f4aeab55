// Pass: computes repeated expressions of a node once, in a projection below it.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Processes one projection, aggregate or filter at a time. An expression that only a branch of CASE
/// evaluates is extracted only if it cannot fail, or is evaluated for all rows elsewhere.
class CommonSubexpressions {
 public:
  explicit CommonSubexpressions(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  /// The repeated subtrees of the node's expressions, largest first.
  std::vector<ExpressionPtr> FindRepeated(LogicalOperator& node) const;
  /// Inserts a projection below `node` that passes the columns `passed` on and computes `repeated`.
  void ProjectBelow(LogicalOperator& node, const BindingSet& passed, std::vector<ExpressionPtr> repeated,
                    BindingMap& moved);
  LogicalOperatorPtr RewriteFilter(LogicalOperatorPtr plan);

  RewriteContext& context_;
  BindingMap renamed_;
};

}  // namespace scaup
