// Pass: joins Sort and Limit, and moves limits below projections.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"

namespace scaup {

/// Makes a TopN of a Sort under a Limit by constants, if no more rows than fit a heap are kept.
class TopN {
 public:
  explicit TopN(RewriteContext&) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteLimit(LogicalOperatorPtr plan);
};

}  // namespace scaup
