// Whether a statement with a plan does more than read.
#include "main/statement/statement_effects.hpp"

#include <algorithm>

namespace scaup {

namespace {

bool WritesRows(LogicalKind kind) {
  switch (kind) {
    case LogicalKind::kInsert:
    case LogicalKind::kUpdate:
    case LogicalKind::kDelete:
    case LogicalKind::kMerge:
    case LogicalKind::kCreateTableAs:
    case LogicalKind::kCopyTo: return true;
    case LogicalKind::kGet:
    case LogicalKind::kTableFunction:
    case LogicalKind::kValues:
    case LogicalKind::kFilter:
    case LogicalKind::kProject:
    case LogicalKind::kExpand:
    case LogicalKind::kAggregate:
    case LogicalKind::kDistinct:
    case LogicalKind::kWindow:
    case LogicalKind::kUnnest:
    case LogicalKind::kJoin:
    case LogicalKind::kSort:
    case LogicalKind::kTopN:
    case LogicalKind::kLimit:
    case LogicalKind::kUnionAll:
    case LogicalKind::kMaterialize:
    case LogicalKind::kSharedScan:
    case LogicalKind::kRecursion:
    case LogicalKind::kExplain: return false;
  }
  return true;
}

/// nextval() and setval() are the only functions that change anything.
bool MovesSequence(const Expression& expression) {
  if (expression.kind() == ExpressionKind::kFunction) {
    const std::string& name = expression.As<FunctionExpression>().function.name;
    if (name == "nextval" || name == "setval") return true;
  }
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || MovesSequence(child); });
  return found;
}

}  // namespace

bool HasEffects(LogicalOperator& plan) {
  if (WritesRows(plan.kind())) return true;
  bool found = false;
  plan.ForEachExpression([&](ExpressionPtr& expression) { found = found || MovesSequence(*expression); });
  return found || std::any_of(plan.children.begin(), plan.children.end(),
                              [](const LogicalOperatorPtr& child) { return HasEffects(*child); });
}

}  // namespace scaup
