// Pass: orders the joins of each region of inner joins by cost.
#include "optimizer/passes/join_order.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "optimizer/join_order/join_enumerator.hpp"
#include "optimizer/statistics/cardinality_estimator.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/join.hpp"
#include "planner/node/materialize.hpp"
#include "planner/node/recursion.hpp"

namespace scaup {
namespace {

bool IsRegionFilter(const LogicalOperator& node) {
  if (node.kind() != LogicalKind::kFilter || !IsInnerJoin(*node.children[0])) return false;
  const auto& predicates = node.As<LogicalFilter>().predicates;
  return std::all_of(predicates.begin(), predicates.end(), [](const auto& p) { return IsDeterministic(*p); });
}

size_t CountRelations(const LogicalOperator& node) {
  CheckStack();
  if (IsRegionFilter(node)) return CountRelations(*node.children[0]);
  if (!IsInnerJoin(node)) return 1;
  return CountRelations(*node.children[0]) + CountRelations(*node.children[1]);
}

void TakeApart(LogicalOperatorPtr node, std::vector<LogicalOperatorPtr>& relations,
               std::vector<ExpressionPtr>& predicates) {
  CheckStack();
  if (IsRegionFilter(*node)) {
    for (ExpressionPtr& predicate : node->As<LogicalFilter>().predicates)
      SplitAnd(std::move(predicate), predicates);
    return TakeApart(std::move(node->children[0]), relations, predicates);
  }
  if (!IsInnerJoin(*node)) {
    relations.push_back(std::move(node));
    return;
  }
  auto& join = node->As<LogicalJoin>();
  for (JoinCondition& condition : join.conditions) {
    predicates.push_back(std::make_unique<ComparisonExpression>(condition.op, std::move(condition.left),
                                                                std::move(condition.right)));
  }
  for (ExpressionPtr& predicate : join.residual) SplitAnd(std::move(predicate), predicates);
  for (LogicalOperatorPtr& child : node->children) TakeApart(std::move(child), relations, predicates);
}

LogicalOperatorPtr BuildPlan(JoinGraph& graph, const JoinTree& tree) {
  CheckStack();
  if (!tree.left) return graph.TakeRelation(static_cast<size_t>(std::countr_zero(tree.set)));
  LogicalOperatorPtr left = BuildPlan(graph, *tree.left), right = BuildPlan(graph, *tree.right);
  return graph.MakeJoin(std::move(left), tree.left->set, std::move(right), tree.right->set);
}

}  // namespace

LogicalOperatorPtr JoinOrder::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  const bool is_region = IsInnerJoin(*plan) || IsRegionFilter(*plan);
  if (is_region && CountRelations(*plan) <= kMostRelations) return RewriteRegion(std::move(plan));
  for (LogicalOperatorPtr& child : plan->children) {
    child = Rewrite(std::move(child));
    if (&child != &plan->children[0]) continue;
    // Plans that read the rows need their estimate.
    if (plan->kind() == LogicalKind::kMaterialize)
      CardinalityEstimator(context_).EstimateShare(plan->As<LogicalMaterialize>().share, *child);
    if (plan->kind() == LogicalKind::kRecursion)
      CardinalityEstimator(context_).EstimateShare(plan->As<LogicalRecursion>().share, *child);
  }
  return plan;
}

LogicalOperatorPtr JoinOrder::RewriteRegion(LogicalOperatorPtr plan) {
  std::vector<LogicalOperatorPtr> relations;
  std::vector<ExpressionPtr> predicates;
  TakeApart(std::move(plan), relations, predicates);
  CardinalityEstimator estimator(context_);
  std::vector<RelationEstimate> estimates;
  for (LogicalOperatorPtr& relation : relations) {
    relation = Rewrite(std::move(relation));
    estimates.push_back(estimator.Estimate(*relation));
  }
  JoinGraph graph(std::move(relations), std::move(estimates));
  for (ExpressionPtr& predicate : predicates) graph.AddPredicate(std::move(predicate));
  graph.Finish();
  const std::unique_ptr<JoinTree> tree = FindJoinOrder(graph);
  LogicalOperatorPtr ordered = BuildPlan(graph, *tree);
  return MakeFilter(std::move(ordered), graph.TakeConstants());
}

}  // namespace scaup
