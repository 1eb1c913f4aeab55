// Pass: folds constants and brings predicates into the forms that later passes expect.
#pragma once

#include "optimizer/analysis/optimizer_context.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Rewrites the expressions of every node; types, names and columns do not change. If folding an expression
/// fails, it is left as it is, because no row may ever reach it.
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
