// Plans by the types of given values, and plans that no longer fit.
#include "main/session/plan_choice.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

void RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared, StatementPreparer& preparer) {
  if (prepared.plan && preparer.Fits(prepared)) return;
  preparer.CreateCollectionFor(statement);
  // Declared types hold for the new plan, too.
  prepared = preparer.PrepareTyped(statement, prepared.declared_types);
}

PreparedPlan& PlanFor(const ast::Statement& statement, PreparedPlan& prepared, std::vector<LogicalType> types,
                      StatementPreparer& preparer) {
  // Programs pass few combinations of types. The bound limits the memory of those that pass many.
  constexpr size_t kMostPlans = 16;
  if (!prepared.plan || !prepared.follows_given_types || statement.parameter_count == 0) return prepared;
  std::vector<LogicalType> declared = prepared.declared_types;
  declared.resize(statement.parameter_count);
  for (size_t i = 0; i < types.size() && i < declared.size(); i++) {
    if (declared[i].id() != TypeId::kNull) types[i] = declared[i];
  }
  if (declared == types) return prepared;
  auto& plans = prepared.by_types;
  const auto known = std::find_if(plans.begin(), plans.end(),
                                  [&](const PreparedPlan& plan) { return plan.declared_types == types; });
  if (known != plans.end() && preparer.Fits(*known)) return *known;
  PreparedPlan bound = preparer.PrepareTyped(statement, types);
  if (known != plans.end()) return *known = std::move(bound);
  if (plans.size() >= kMostPlans) plans.erase(plans.begin());
  plans.push_back(std::move(bound));
  return plans.back();
}

}  // namespace scaup
