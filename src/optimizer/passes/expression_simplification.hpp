// Pass: folds constants and brings predicates into the forms that later passes look for.
#pragma once

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Rewrites the expressions of every node; types, names and columns stay. An expression that fails while it
/// is folded is left in place, since no row may ever reach it.
class ExpressionSimplification {
 public:
  explicit ExpressionSimplification(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteFilter(LogicalOperatorPtr plan);
  void RewriteJoin(LogicalJoin& join);

  RewriteContext& context_;
};

}  // namespace scaup
