// Predicates that reject NULL: they cannot hold where an outer join has padded columns with NULL.
#include "optimizer/analysis/null_rejection.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"

namespace scaup {
namespace {

/// Whether the expression is NULL whenever all of `columns` are NULL.
bool IsNullWithNulls(const Expression& expression, const BindingSet& columns) {
  CheckStack();
  const auto any_child = [&] {
    bool found = false;
    expression.ForEachChild(
        [&](const Expression& child) { found = found || IsNullWithNulls(child, columns); });
    return found;
  };
  switch (expression.kind()) {
    case ExpressionKind::kColumnRef: return columns.contains(expression.As<ColumnRefExpression>().binding);
    case ExpressionKind::kConstant: return expression.As<ConstantExpression>().value.is_null();
    case ExpressionKind::kFunction:
      return expression.As<FunctionExpression>().function.nulls == NullHandling::kPropagate && any_child();
    case ExpressionKind::kComparison: {
      const ComparisonOp op = expression.As<ComparisonExpression>().op;
      return op != ComparisonOp::kDistinctFrom && op != ComparisonOp::kNotDistinctFrom && any_child();
    }
    case ExpressionKind::kCast:
    case ExpressionKind::kNot:
    case ExpressionKind::kInList: return any_child();
    case ExpressionKind::kConjunction: {
      const auto& children = expression.As<ConjunctionExpression>().children;
      return std::all_of(children.begin(), children.end(),
                         [&](const auto& c) { return IsNullWithNulls(*c, columns); });
    }
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kCase:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return false;
  }
  return false;
}

}  // namespace

bool RejectsNulls(const Expression& predicate, const BindingSet& columns) {
  CheckStack();
  if (predicate.kind() == ExpressionKind::kConjunction) {
    const auto& conjunction = predicate.As<ConjunctionExpression>();
    const auto rejects = [&](const ExpressionPtr& child) { return RejectsNulls(*child, columns); };
    if (conjunction.is_and)
      return std::any_of(conjunction.children.begin(), conjunction.children.end(), rejects);
    return std::all_of(conjunction.children.begin(), conjunction.children.end(), rejects);
  }
  if (predicate.kind() == ExpressionKind::kIsNull) {
    const auto& test = predicate.As<IsNullExpression>();
    return test.negated && IsNullWithNulls(*test.child, columns);
  }
  return IsNullWithNulls(predicate, columns);
}

}  // namespace scaup
