// Pass: combines Sort and Limit to TopN, and moves limits below projections.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Replaces a Sort under a Limit with constants by a TopN, if the retained rows are few enough for a heap.
class TopN {
 public:
  explicit TopN(RewriteContext&) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteLimit(LogicalOperatorPtr plan);
};

}  // namespace scaup
