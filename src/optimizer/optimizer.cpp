// The optimizer: the ordered list of passes, with the reason for each one's place.
#include "optimizer/optimizer.hpp"

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/analysis/plan_verifier.hpp"
#include "optimizer/passes/build_side.hpp"
#include "optimizer/passes/common_subexpressions.hpp"
#include "optimizer/passes/expression_simplification.hpp"
#include "optimizer/passes/filter_pushdown.hpp"
#include "optimizer/passes/index_join.hpp"
#include "optimizer/passes/index_order.hpp"
#include "optimizer/passes/join_order.hpp"
#include "optimizer/passes/projection_pushdown.hpp"
#include "optimizer/passes/statistics_propagation.hpp"
#include "optimizer/passes/text_index.hpp"
#include "optimizer/passes/top_n.hpp"
#include "optimizer/statistics/cardinality_estimator.hpp"

namespace scaup {
namespace {

template <typename Pass>
LogicalOperatorPtr Run(RewriteContext& context, LogicalOperatorPtr plan) {
  return Pass(context).Rewrite(std::move(plan));
}

/// The last pass: sets only the row estimates that EXPLAIN prints; nothing else reads them.
LogicalOperatorPtr EstimateCardinalities(RewriteContext& context, LogicalOperatorPtr plan) {
  if (plan->kind() == LogicalKind::kExplain) CardinalityEstimator(context).Estimate(*plan);
  return plan;
}

constexpr OptimizerPass kPasses[] = {
    {"expression_simplification", "first: all others look for the forms that it makes",
     &Run<ExpressionSimplification>, false},
    {"filter_pushdown",
     "before joins are ordered: makes conditions of predicates, and filters rows where estimates begin",
     &Run<FilterPushdown>, false},
    {"statistics_propagation",
     "after filters lie at the scans, whose ranges they narrow; before join_order, which need not look at "
     "empty inputs",
     &Run<StatisticsPropagation>, true},
    {"join_order", "after all predicates are in their joins", &Run<JoinOrder>, true},
    {"top_n", "before projection_pushdown, which narrows below it", &Run<TopN>, false},
    {"projection_pushdown",
     "after the last pass that moves predicates or joins, which decide where a column is last read",
     &Run<ProjectionPushdown>, false},
    {"build_side", "after projection_pushdown: the size of a hash table depends on the columns that are left",
     &Run<BuildSide>, true},
    {"common_subexpressions", "after narrowing and pruning, which change or drop the repeated parts",
     &Run<CommonSubexpressions>, false},
    {"index_join", "after the last pass that changes what lies between a join and its scans",
     &Run<IndexJoinChoice>, true},
    {"text_index", "after the last pass that moves predicates", &Run<TextIndexSearch>, true},
    {"index_order", "after the last pass that changes what lies between a TopN and its scan",
     &Run<IndexOrder>, true},
    {"cardinality_estimates", "last: describes, for EXPLAIN, the plan that will run", &EstimateCardinalities,
     true},
};

}  // namespace

std::span<const OptimizerPass> OptimizerPasses() { return kPasses; }

LogicalOperatorPtr Optimizer::Optimize(LogicalOperatorPtr plan) { return RunPasses(std::move(plan), true); }

LogicalOperatorPtr Optimizer::OptimizeForAnySnapshot(LogicalOperatorPtr plan) {
  return RunPasses(std::move(plan), false);
}

LogicalOperatorPtr Optimizer::RunPasses(LogicalOperatorPtr plan, bool may_read_statistics) {
  RewriteContext context{context_, FirstFreeTableIndex(*plan)};
  plan = PinVisibleColumns(context, std::move(plan));
#if !defined(NDEBUG) || defined(SCAUP_ASSERTIONS)
  VerifyPlan(*plan);
  const std::vector<LogicalType> types = plan->Types();
  const std::vector<std::string> names = plan->Names();
#endif
  for (const OptimizerPass& pass : kPasses) {
    if (pass.reads_statistics && !may_read_statistics) continue;
    const auto& disabled = context_.settings.disabled_optimizers;
    if (!disabled.empty() && disabled.contains(pass.name)) continue;
    RunningCall::CheckInterrupt();
    plan = pass.rewrite(context, std::move(plan));
#if !defined(NDEBUG) || defined(SCAUP_ASSERTIONS)
    VerifyPlan(*plan);
    SCAUP_ASSERT(plan->Types() == types && plan->Names() == names);
#endif
  }
  return plan;
}

}  // namespace scaup
