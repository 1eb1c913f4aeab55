// Pass: lets a TopN read a table in the order of an index until it has enough rows.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/node/get.hpp"
#include "planner/node/top_n.hpp"

namespace scaup {

/// Applies to a TopN of a table, through projections and filters, whose sort keys are the columns of an
/// index, after columns that filters fix. It is chosen if few index entries must be read. The TopN moves
/// below the projections.
class IndexOrder {
 public:
  explicit IndexOrder(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  LogicalOperatorPtr RewriteTopN(LogicalOperatorPtr plan);
  std::optional<TopNByIndex> Choose(const LogicalTopN& top_n, const LogicalOperator& input,
                                    const std::vector<ExpressionPtr>& keys) const;
  double EstimateEntries(const LogicalOperator& input, const LogicalGet& get,
                         const std::vector<bool>& is_covered, double wanted) const;

  RewriteContext& context_;
};

}  // namespace scaup
