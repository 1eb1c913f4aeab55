// Pass: orders the joins of each region of inner joins by cost.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

/// A region is made of inner joins and the filters between them. Outer, semi, anti, mark and single joins are
/// its borders; what lies below those is ordered on its own. The order of columns changes, bindings do not.
class JoinOrder {
 public:
  explicit JoinOrder(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteRegion(LogicalOperatorPtr plan);

  RewriteContext& context_;
};

}  // namespace scaup
