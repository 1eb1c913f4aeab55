// Pass: orders the joins of each region of inner joins by cost.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

/// Orders joins region by region. A region consists of inner joins and the filters between them. Outer, semi,
/// anti, mark and single joins bound it; their inputs are regions of their own. The order of columns changes,
/// bindings do not.
class JoinOrder {
 public:
  explicit JoinOrder(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteRegion(LogicalOperatorPtr plan);

  RewriteContext& context_;
};

}  // namespace scaup
