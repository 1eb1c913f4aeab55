// Subqueries in CASE, AND, OR, COALESCE and FILTER, whose parts are evaluated only for the rows that need
// them.
#include <algorithm>

#include "common/stack_bound.hpp"
#include "planner/make_column.hpp"
#include "planner/node/expand.hpp"
#include "planner/unnest_subquery.hpp"

namespace scaup {

namespace {

/// The values of a part with which no later part is evaluated.
enum class Decision : uint8_t { kNever, kTrue, kFalse, kNotTrue, kNotNull };

/// A part of an expression whose parts are evaluated in turn.
struct EvaluatedPart {
  ExpressionPtr* expression;
  Decision decides;
  ExpressionPtr* result = nullptr;  ///< evaluated where the part is true: the THEN of a WHEN
};

/// Returns the parts in the order of their evaluation; none if all children are evaluated for all rows.
std::vector<EvaluatedPart> PartsOf(Expression& expression) {
  std::vector<EvaluatedPart> parts;
  switch (expression.kind()) {
    case ExpressionKind::kCase: {
      auto& choice = expression.As<CaseExpression>();
      for (auto& branch : choice.branches)
        parts.push_back({&branch.condition, Decision::kTrue, &branch.result});
      parts.push_back({&choice.otherwise, Decision::kNever});
      break;
    }
    case ExpressionKind::kConjunction: {
      auto& conjunction = expression.As<ConjunctionExpression>();
      for (auto& child : conjunction.children)
        parts.push_back({&child, conjunction.is_and ? Decision::kFalse : Decision::kTrue});
      break;
    }
    case ExpressionKind::kFunction: {
      auto& call = expression.As<FunctionExpression>();
      if (call.function.name != "coalesce" && call.function.name != "ifnull") break;
      for (auto& argument : call.arguments) parts.push_back({&argument, Decision::kNotNull});
      break;
    }
    case ExpressionKind::kAggregate: {
      auto& aggregate = expression.As<AggregateExpression>();
      if (!aggregate.filter) break;
      parts.push_back({&aggregate.filter, Decision::kNotTrue});
      for (auto& argument : aggregate.arguments) parts.push_back({&argument, Decision::kNever});
      break;
    }
    default: break;
  }
  return parts;
}

ExpressionPtr BooleanConstant(bool value) {
  return std::make_unique<ConstantExpression>(Value::Boolean(value));
}

/// Returns the predicate that a part decides, so that no later part is needed.
ExpressionPtr Decides(Decision decision, ExpressionPtr part) {
  switch (decision) {
    case Decision::kNever: return BooleanConstant(false);
    case Decision::kTrue: return part;
    case Decision::kFalse:
      return std::make_unique<ComparisonExpression>(ComparisonOp::kNotDistinctFrom, std::move(part),
                                                    BooleanConstant(false));
    case Decision::kNotTrue:
      return std::make_unique<ComparisonExpression>(ComparisonOp::kDistinctFrom, std::move(part),
                                                    BooleanConstant(true));
    case Decision::kNotNull: return std::make_unique<IsNullExpression>(std::move(part), true);
  }
  return BooleanConstant(false);
}

/// Returns WHEN needed THEN condition ELSE false, since the condition may raise an error for other rows.
ExpressionPtr IfNeeded(const Expression* needed, ExpressionPtr condition) {
  if (needed == nullptr) return condition;
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({needed->Clone(), std::move(condition)});
  return std::make_unique<CaseExpression>(TypeId::kBoolean, std::move(branches), BooleanConstant(false));
}

/// Returns the predicate of the rows that none of `decided` decides; null for all rows.
ExpressionPtr NeededAfter(const std::vector<ExpressionPtr>& decided, const Expression* needed) {
  if (decided.empty()) return needed == nullptr ? nullptr : needed->Clone();
  std::vector<CaseExpression::Branch> branches;
  for (const ExpressionPtr& condition : decided)
    branches.push_back({condition->Clone(), BooleanConstant(false)});
  return IfNeeded(
      needed, std::make_unique<CaseExpression>(TypeId::kBoolean, std::move(branches), BooleanConstant(true)));
}

}  // namespace

void SubqueryUnnester::Replace(ExpressionPtr& expression, LogicalOperatorPtr& input,
                               const Expression* needed) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kSubquery) return ReplaceSubquery(expression, input, needed);
  ReplaceInParts(*expression, input, needed);
}

void SubqueryUnnester::ComputeOnce(ExpressionPtr& condition, LogicalOperatorPtr& input,
                                   const Expression* needed) {
  if (IsDeterministic(*condition)) return;
  const size_t index = planner_.NewTableIndex();
  const LogicalType type = condition->type();
  const std::string name = condition->ToString();
  if (needed != nullptr) {
    std::vector<CaseExpression::Branch> branches;
    branches.push_back({needed->Clone(), std::move(condition)});
    condition = std::make_unique<CaseExpression>(type, std::move(branches),
                                                 std::make_unique<ConstantExpression>(Value(type)));
  }
  std::vector<ExpressionPtr> columns;
  columns.push_back(std::exchange(condition, MakeColumn(type, {index, 0}, name)));
  columns.back()->alias = name;
  // One set of all columns adds them to those of the input.
  input = std::make_unique<LogicalExpand>(index, std::move(input), std::move(columns),
                                          std::vector<std::vector<size_t>>{{0}});
}

void SubqueryUnnester::ReplaceInParts(Expression& expression, LogicalOperatorPtr& input,
                                      const Expression* needed) {
  const std::vector<EvaluatedPart> parts = PartsOf(expression);
  if (parts.empty()) {
    expression.ForEachChild([&](ExpressionPtr& child) { Replace(child, input, needed); });
    return;
  }
  // The conditions of parts after the last subquery do not matter.
  size_t count = parts.size();
  const auto has_subquery = [](const EvaluatedPart& part) {
    return HasSubquery(**part.expression) || (part.result != nullptr && HasSubquery(**part.result));
  };
  while (count > 0 && !has_subquery(parts[count - 1])) count--;
  std::vector<ExpressionPtr> decided;
  for (size_t i = 0; i < count; i++) {
    const EvaluatedPart& part = parts[i];
    ExpressionPtr needed_here = NeededAfter(decided, needed);
    Replace(*part.expression, input, needed_here.get());
    const bool has_result = part.result != nullptr && HasSubquery(**part.result);
    if (part.decides == Decision::kNever || (i + 1 == count && !has_result)) continue;
    ComputeOnce(*part.expression, input, needed_here.get());
    if (has_result) {
      const ExpressionPtr needed_by_result = IfNeeded(needed_here.get(), (*part.expression)->Clone());
      Replace(*part.result, input, needed_by_result.get());
    }
    decided.push_back(Decides(part.decides, (*part.expression)->Clone()));
  }
}

}  // namespace scaup
