// Pass: folds constants and brings predicates into the forms that later passes expect.
#include "optimizer/passes/expression_simplification.hpp"

#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "expression/expression_executor.hpp"
#include "function/scalar/collation/collation.hpp"
#include "optimizer/analysis/plan_columns.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/join.hpp"
#include "scaup/error.hpp"

namespace scaup {
namespace {

bool AllChildrenConstant(const Expression& expression) {
  bool all = true;
  expression.ForEachChild([&](const Expression& child) { all = all && IsConstant(child); });
  return all;
}

/// Evaluates an expression of constants. Checking the direct children suffices, because they were folded
/// before.
ExpressionPtr Fold(const FunctionContext& context, ExpressionPtr expression) {
  if (!AllChildrenConstant(*expression) || !IsFoldable(*expression)) return expression;
  try {
    Value value = EvaluateConstant(context, *expression);
    if (value.is_null()) value = Value(expression->type());
    if (!(value.type() == expression->type())) return expression;
    return MakeConstant(std::move(value));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted || error.kind() == ErrorKind::kOutOfMemory) throw;
    return expression;  // it must fail only if a row reaches it
  }
}

/// Returns the text behind which COLLATE stands, which has had its effect when comparisons were bound; null
/// for other expressions.
ExpressionPtr* TextOfCollate(Expression& expression) {
  auto& call = expression.As<FunctionExpression>();
  const bool is_collate = call.function.name == kCollateFunction &&
                          dynamic_cast<const CollationData*>(call.data.get()) != nullptr;
  return is_collate ? &call.arguments[0] : nullptr;
}

ExpressionPtr ApplyRules(const FunctionContext& context, ExpressionPtr expression) {
  switch (expression->kind()) {
    case ExpressionKind::kConstant:
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return expression;
    case ExpressionKind::kConjunction: return SimplifyConjunction(std::move(expression));
    case ExpressionKind::kNot: return SimplifyNot(Fold(context, std::move(expression)));
    case ExpressionKind::kCase: return SimplifyCase(std::move(expression));
    case ExpressionKind::kComparison: return SimplifyComparison(Fold(context, std::move(expression)));
    case ExpressionKind::kInList: return SimplifyInList(Fold(context, std::move(expression)));
    case ExpressionKind::kFunction:
      if (TextOfCollate(*expression) != nullptr) return std::move(*TextOfCollate(*expression));
      return SimplifyLike(Fold(context, std::move(expression)));
    case ExpressionKind::kCast:
    case ExpressionKind::kIsNull: return Fold(context, std::move(expression));
  }
  return expression;
}

}  // namespace

ExpressionPtr SimplifyExpression(const FunctionContext& context, ExpressionPtr expression) {
  CheckStack();
  RunningCall::CheckInterrupt();
  std::string alias = std::move(expression->alias);
  const std::optional<size_t> position = expression->position;
  expression->ForEachChild(
      [&](ExpressionPtr& child) { child = SimplifyExpression(context, std::move(child)); });
  expression = ApplyRules(context, std::move(expression));
  expression->alias = std::move(alias);
  if (!expression->position) expression->position = position;
  return expression;
}

LogicalOperatorPtr ExpressionSimplification::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  plan->ForEachExpression([&](ExpressionPtr& expression) {
    expression = SimplifyExpression(context_.optimizer.functions, std::move(expression));
  });
  switch (plan->kind()) {
    case LogicalKind::kFilter: return RewriteFilter(std::move(plan));
    case LogicalKind::kJoin: RewriteJoin(plan->As<LogicalJoin>()); return plan;
    default: return plan;
  }
}

LogicalOperatorPtr ExpressionSimplification::RewriteFilter(LogicalOperatorPtr plan) {
  std::vector<ExpressionPtr> parts;
  for (ExpressionPtr& predicate : plan->As<LogicalFilter>().predicates) SplitAnd(std::move(predicate), parts);
  std::erase_if(parts, [](const ExpressionPtr& part) { return IsAlwaysTrue(*part); });
  AddLikeRanges(parts);
  return MakeFilter(std::move(plan->children[0]), std::move(parts));
}

void ExpressionSimplification::RewriteJoin(LogicalJoin& join) {
  for (JoinCondition& condition : join.conditions) {
    ExpressionPtr* left = ExactCastOperand(*condition.left);
    ExpressionPtr* right = ExactCastOperand(*condition.right);
    if (left == nullptr || right == nullptr || !((*left)->type() == (*right)->type())) continue;
    condition.left = ExpressionPtr(std::move(*left));
    condition.right = ExpressionPtr(std::move(*right));
  }
  std::vector<ExpressionPtr> parts;
  for (ExpressionPtr& predicate : join.residual) SplitAnd(std::move(predicate), parts);
  std::erase_if(parts, [](const ExpressionPtr& part) { return IsAlwaysTrue(*part); });
  join.residual = std::move(parts);
}

}  // namespace scaup
