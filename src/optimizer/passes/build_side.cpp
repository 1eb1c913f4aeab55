// Pass: makes the smaller input of each join the right one, which is the build side of a hash join.
#include "optimizer/passes/build_side.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/statistics/cardinality_estimator.hpp"
#include "planner/node/join.hpp"
#include "type/physical_type.hpp"

namespace scaup {
namespace {

/// The approximate size of a hash table of the node's rows, in bytes.
double TableBytes(const LogicalOperator& node) {
  constexpr double kBytesPerEntry = 16;  // hash and pointer
  double width = kBytesPerEntry;
  for (const LogicalType& type : node.Types()) width += static_cast<double>(PhysicalSize(type));
  return node.estimated_rows * width;
}

bool HasJoin(const LogicalOperator& node) {
  CheckStack();
  return node.kind() == LogicalKind::kJoin ||
         std::any_of(node.children.begin(), node.children.end(),
                     [](const LogicalOperatorPtr& child) { return HasJoin(*child); });
}

}  // namespace

LogicalOperatorPtr BuildSide::Rewrite(LogicalOperatorPtr plan) {
  // Skipped without joins, because estimates cost more than a lookup of one row.
  if (!HasJoin(*plan)) return plan;
  CardinalityEstimator(context_).Estimate(*plan);
  SwapWhereSmaller(*plan);
  return plan;
}

void BuildSide::SwapWhereSmaller(LogicalOperator& node) {
  CheckStack();
  for (const LogicalOperatorPtr& child : node.children) SwapWhereSmaller(*child);
  if (node.kind() != LogicalKind::kJoin) return;
  auto& join = node.As<LogicalJoin>();
  const std::optional<LogicalJoinType> swapped = SwappedType(join.join_type);
  // A join that emits only right rows must be a hash join, which needs an equality. Joins without one test
  // inequalities, or all pairs.
  const bool has_key = std::any_of(join.conditions.begin(), join.conditions.end(), [](const auto& condition) {
    return condition.op == ComparisonOp::kEqual || condition.op == ComparisonOp::kNotDistinctFrom;
  });
  if (!swapped || (!EmitsLeft(*swapped) && !has_key) ||
      TableBytes(*join.children[1]) <= TableBytes(*join.children[0]))
    return;
  join.SwapChildren();
}

}  // namespace scaup
