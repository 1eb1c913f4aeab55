// Looks for functions of the program in the expressions of a plan.
#include "execution/foreign/program_calls.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "execution/foreign/foreign_aggregate.hpp"
#include "execution/foreign/foreign_function.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

namespace {

bool CallsProgram(const Expression& expression) {
  CheckStack();
  if (IsForeignCall(expression)) return true;
  if (expression.kind() == ExpressionKind::kAggregate &&
      IsForeignAggregate(expression.As<AggregateExpression>().function))
    return true;
  if (expression.kind() == ExpressionKind::kWindow &&
      IsForeignAggregate(expression.As<WindowExpression>().aggregate))
    return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || CallsProgram(child); });
  return found;
}

}  // namespace

bool CallsProgram(LogicalOperator& plan) {
  CheckStack();
  if (plan.kind() == LogicalKind::kRowsCall) return true;
  bool found = false;
  plan.ForEachExpression(
      [&](ExpressionPtr& expression) { found = found || CallsProgram(std::as_const(*expression)); });
  return found || std::ranges::any_of(plan.children,
                                      [](const LogicalOperatorPtr& child) { return CallsProgram(*child); });
}

}  // namespace scaup
