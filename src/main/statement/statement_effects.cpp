// Tells whether a statement with a plan does more than read, and whose triggers it fires.
#include "main/statement/statement_effects.hpp"

#include <algorithm>
#include <utility>

#include "common/stack_bound.hpp"
#include "planner/statement/explain.hpp"
#include "planner/statement/insert.hpp"
#include "planner/statement/merge.hpp"

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

namespace {

using BeforeTargets = std::vector<std::unique_ptr<RowChanges::Target>>;

void AddTargetBefore(const LogicalWrite& write, uint8_t event, const std::vector<size_t>& columns,
                     BeforeTargets& targets) {
  const auto& triggers = write.table->constraints.triggers;
  if (std::none_of(triggers.begin(), triggers.end(), [&](const TriggerDefinition& trigger) {
        return trigger.timing == TriggerTiming::kBefore && !trigger.is_for_each_row &&
               trigger.FiresFor(event, *write.table, columns);
      }))
    return;
  targets.push_back(
      std::make_unique<RowChanges::Target>(RowChanges::Target{write.table, event, columns, nullptr}));
}

void AddTargetsOfMerge(const LogicalMerge& merge, BeforeTargets& targets) {
  using Kind = MergeAction::Kind;
  for (const auto& [kind, event] : {std::pair(Kind::kInsert, kOnInsert), std::pair(Kind::kUpdate, kOnUpdate),
                                    std::pair(Kind::kDelete, kOnDelete)}) {
    std::vector<size_t> columns;
    bool is_there = false;
    for (const MergeAction& action : merge.actions) {
      if (action.kind != kind) continue;
      is_there = true;
      columns.insert(columns.end(), action.assigned.begin(), action.assigned.end());
    }
    if (is_there) AddTargetBefore(merge, event, columns, targets);
  }
}

void AddTargetsBefore(const LogicalOperator& plan, BeforeTargets& targets) {
  CheckStack();
  for (const LogicalOperatorPtr& child : plan.children) AddTargetsBefore(*child, targets);
  if (plan.kind() == LogicalKind::kInsert) {
    const auto& insert = plan.As<LogicalInsert>();
    AddTargetBefore(insert, kOnInsert, {}, targets);
    if (insert.on_conflict && insert.on_conflict->does_update)
      AddTargetBefore(insert, kOnUpdate, insert.assigned, targets);
  } else if (plan.kind() == LogicalKind::kUpdate) {
    AddTargetBefore(plan.As<LogicalWrite>(), kOnUpdate, plan.As<LogicalWrite>().assigned, targets);
  } else if (plan.kind() == LogicalKind::kDelete) {
    AddTargetBefore(plan.As<LogicalWrite>(), kOnDelete, {}, targets);
  } else if (plan.kind() == LogicalKind::kMerge) {
    AddTargetsOfMerge(plan.As<LogicalMerge>(), targets);
  }
}

}  // namespace

std::vector<std::unique_ptr<RowChanges::Target>> TargetsBefore(const LogicalOperator& plan) {
  BeforeTargets targets;
  const bool runs = plan.kind() != LogicalKind::kExplain || plan.As<LogicalExplain>().analyze;
  if (runs) AddTargetsBefore(plan, targets);
  return targets;
}

}  // namespace scaup
