// Cardinality estimator: how many rows each node of a plan will give.
#pragma once

#include <memory>
#include <unordered_map>

#include "optimizer/analysis/optimizer_context.hpp"
#include "optimizer/analysis/relation_estimate.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/shared_scan.hpp"

namespace scaup {

/// Works from the statistics of the table snapshots that the transaction sees. One thread; the context is
/// borrowed.
class CardinalityEstimator {
 public:
  explicit CardinalityEstimator(RewriteContext& context) : context_(context) {}

  /// Sets estimated_rows in the whole plan and returns what is known of its result.
  RelationEstimate Estimate(LogicalOperator& plan);
  /// Estimates what is kept under the number of a share, for the estimates of who reads it.
  void EstimateShare(size_t share, LogicalOperator& definition);

 private:
  RelationEstimate EstimateGet(const LogicalGet& get) const;
  RelationEstimate EstimateSharedScan(const LogicalSharedScan& scan) const;
  RelationEstimate EstimateJoin(const LogicalJoin& join, RelationEstimate left, RelationEstimate right) const;
  RelationEstimate EstimateNode(LogicalOperator& plan, std::vector<RelationEstimate> inputs) const;

  RewriteContext& context_;
};

/// The part of the pairs of two relations that `conditions` let through: 1 / max(distinct) of the keys.
/// Several equalities count as one composite key, which has no more values than its table has rows.
double JoinSelectivity(const std::vector<JoinCondition>& conditions, const RelationEstimate& left,
                       const RelationEstimate& right);

/// Rows of a grouping of `input` by `keys`.
double EstimateGroups(const std::vector<ExpressionPtr>& keys, const RelationEstimate& input);

}  // namespace scaup
