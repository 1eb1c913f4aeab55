// Pass: lets joins look up keys in an index where that reads less than a scan.
#pragma once

#include "optimizer/analysis/plan_columns.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// Applies to inner, outer, semi and anti joins of few rows with a table that has an index on the join's
/// keys.
class IndexJoinChoice {
 public:
  explicit IndexJoinChoice(RewriteContext& context) : context_(context) {}
  LogicalOperatorPtr Rewrite(LogicalOperatorPtr plan);

 private:
  void RewriteJoins(LogicalOperator& node);
  void ChooseFor(LogicalJoin& join);
  std::optional<JoinByIndex> Choose(const LogicalJoin& join, bool looks_up_left) const;
  double EstimateMatches(const LogicalGet& get, const TableIndex& index, size_t key_count) const;

  RewriteContext& context_;
};

}  // namespace scaup
