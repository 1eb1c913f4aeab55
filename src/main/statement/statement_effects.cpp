// Tells whether a statement with a plan does more than read.
#include "main/statement/statement_effects.hpp"

#include <algorithm>

namespace scaup {

namespace {

/// Returns whether an expression calls one of the functions that change anything.
bool CallsChange(const Expression& expression) {
  if (expression.kind() == ExpressionKind::kFunction) {
    const std::string& name = expression.As<FunctionExpression>().function.name;
    if (name == "nextval" || name == "setval" || name == "set_config") return true;
  }
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || CallsChange(child); });
  return found;
}

}  // namespace

bool HasEffects(LogicalOperator& plan) {
  if (plan.writes()) return true;
  bool found = false;
  plan.ForEachExpression([&](ExpressionPtr& expression) { found = found || CallsChange(*expression); });
  return found || std::any_of(plan.children.begin(), plan.children.end(),
                              [](const LogicalOperatorPtr& child) { return HasEffects(*child); });
}

}  // namespace scaup
