// Pass: makes the smaller input of each join the right one, which is the build side of a hash join.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Swaps the inputs of inner joins, and of outer joins, which change between left and right. Semi, anti, mark
/// and single joins are defined by their left side and are not swapped.
class BuildSide {
 public:
  explicit BuildSide(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  void SwapWhereSmaller(LogicalOperator& node);

  RewriteContext& context_;
};

}  // namespace scaup
