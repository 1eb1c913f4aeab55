// Pass: computes expressions that a node repeats once, in a projection below it.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Looks at one projection, aggregate or filter at a time. What only a branch of CASE evaluates is taken out
/// only if it cannot fail, or is evaluated for all rows elsewhere too.
class CommonSubexpressions {
 public:
  explicit CommonSubexpressions(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  /// The repeated subtrees of the node's expressions, largest first.
  std::vector<ExpressionPtr> FindRepeated(LogicalOperator& node) const;
  /// Puts a projection below `node` that passes `passed` columns on and computes `repeated`.
  void ProjectBelow(LogicalOperator& node, const BindingSet& passed, std::vector<ExpressionPtr> repeated,
                    BindingMap& moved);
  LogicalOperatorPtr RewriteFilter(LogicalOperatorPtr plan);

  RewriteContext& context_;
  BindingMap renamed_;
};

}  // namespace scaup
