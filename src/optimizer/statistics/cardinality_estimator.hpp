// The cardinality estimator: the expected number of rows of each node of a plan.
#pragma once

#include <memory>
#include <unordered_map>

#include "optimizer/analysis/optimizer_context.hpp"
#include "optimizer/analysis/relation_estimate.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/shared_scan.hpp"

namespace scaup {

/// Estimates from the statistics of the table snapshots that the transaction sees. One thread at a time; the
/// context is borrowed.
class CardinalityEstimator {
 public:
  explicit CardinalityEstimator(RewriteContext& context) : context_(context) {}

  /// Sets estimated_rows in the whole plan and returns the estimates of its result.
  RelationEstimate Estimate(LogicalOperator& plan);
  /// Estimates the materialized rows of a share, for the estimates of its readers.
  void EstimateShare(size_t share, LogicalOperator& definition);

 private:
  RelationEstimate EstimateGet(const LogicalGet& get) const;
  RelationEstimate EstimateSharedScan(const LogicalSharedScan& scan) const;
  RelationEstimate EstimateJoin(const LogicalJoin& join, RelationEstimate left, RelationEstimate right) const;
  RelationEstimate EstimateNode(LogicalOperator& plan, std::vector<RelationEstimate> inputs) const;

  RewriteContext& context_;
};

/// The fraction of the pairs of rows of two relations that satisfy `conditions`: 1 / max(distinct) of the
/// keys. Several equalities count as one composite key, which has at most as many values as its table has
/// rows.
double JoinSelectivity(const std::vector<JoinCondition>& conditions, const RelationEstimate& left,
                       const RelationEstimate& right);

/// The number of groups of `input` by `keys`.
double EstimateGroups(const std::vector<ExpressionPtr>& keys, const RelationEstimate& input);

}  // namespace scaup
