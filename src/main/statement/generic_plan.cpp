// Decides which statements get a generic plan, and makes it.
#include "main/statement/generic_plan.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "execution/foreign/program_calls.hpp"
#include "execution/plan/physical_planner.hpp"
#include "optimizer/optimizer.hpp"
#include "planner/node/get.hpp"
#include "storage/table/maintained_indexes.hpp"

namespace scaup {

namespace {

/// Returns whether a node may be in a generic plan. Joins, aggregates and sorts are excluded, as their plans
/// depend on statistics.
bool IsSimple(LogicalKind kind) {
  return kind == LogicalKind::kGet || kind == LogicalKind::kFilter || kind == LogicalKind::kProject ||
         kind == LogicalKind::kValues || kind == LogicalKind::kInsert || kind == LogicalKind::kUpdate ||
         kind == LogicalKind::kDelete;
}

/// Returns whether an expression calls a stable function, such as now(). Optimization would replace the call
/// by the result of the first execution.
bool HasStableFunction(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kFunction &&
      expression.As<FunctionExpression>().function.volatility == Volatility::kStable)
    return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || HasStableFunction(child); });
  return found;
}

/// Returns the scan at the end of a chain of simple nodes; null if there is none.
const LogicalGet* FindGet(const LogicalOperator& plan) {
  const LogicalOperator* node = &plan;
  while (!node->children.empty()) node = node->children[0].get();
  return node->kind() == LogicalKind::kGet ? &node->As<LogicalGet>() : nullptr;
}

bool MayBeGeneric(LogicalOperator& plan) {
  CheckStack();
  if (!IsSimple(plan.kind())) return false;
  bool has_stable_function = false;
  plan.ForEachExpression([&](ExpressionPtr& expression) {
    has_stable_function = has_stable_function || HasStableFunction(*expression);
  });
  if (has_stable_function) return false;
  return std::all_of(plan.children.begin(), plan.children.end(),
                     [](const LogicalOperatorPtr& child) { return MayBeGeneric(*child); });
}

bool HasUniqueIndex(const LogicalGet& get) {
  const TableIndexList indexes = get.table->storage->indexes().List();
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const TableIndexRef& index) { return index->is_unique(); });
}

/// Returns whether equality filters fix all columns of a unique index, so that at most one row passes.
bool FindsOneRow(const LogicalGet& get) {
  const auto is_fixed = [&](size_t column) {
    const auto fixes = [&](const ScanFilter& filter) {
      return filter.column == column && filter.op == ScanFilter::Op::kEqual;
    };
    return std::any_of(get.predicate.filters.begin(), get.predicate.filters.end(), fixes) ||
           std::any_of(get.predicate.parameter_filters.begin(), get.predicate.parameter_filters.end(),
                       [&](const ParameterFilter& by_parameter) { return fixes(by_parameter.filter); });
  };
  const TableIndexList indexes = get.table->storage->indexes().List();
  return std::any_of(indexes.begin(), indexes.end(), [&](const TableIndexRef& index) {
    return index->is_unique() && std::all_of(index->columns().begin(), index->columns().end(), is_fixed);
  });
}

void CollectParameters(const Expression& expression, std::vector<ParameterExpression>& parameters) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kParameter) {
    const auto& parameter = expression.As<ParameterExpression>();
    const bool is_known =
        std::any_of(parameters.begin(), parameters.end(), [&](const ParameterExpression& known) {
          return known.index == parameter.index && known.type() == parameter.type();
        });
    if (is_known) return;
    parameters.emplace_back(parameter.type(), parameter.index);
    parameters.back().position = parameter.position;
    return;
  }
  expression.ForEachChild([&](const Expression& child) { CollectParameters(child, parameters); });
}

void CollectParameters(LogicalOperator& plan, std::vector<ParameterExpression>& parameters) {
  CheckStack();
  plan.ForEachExpression([&](ExpressionPtr& expression) { CollectParameters(*expression, parameters); });
  for (const LogicalOperatorPtr& child : plan.children) CollectParameters(*child, parameters);
}

/// Returns whether each parameter is wanted in one type only. Sorts the parameters by index.
bool HaveOneTypeEach(std::vector<ParameterExpression>& parameters) {
  const auto by_index = [](const ParameterExpression& a, const ParameterExpression& b) {
    return a.index < b.index;
  };
  std::sort(parameters.begin(), parameters.end(), by_index);
  return std::adjacent_find(parameters.begin(), parameters.end(),
                            [](const ParameterExpression& a, const ParameterExpression& b) {
                              return a.index == b.index;
                            }) == parameters.end();
}

}  // namespace

std::vector<Value> GenericPlan::ParameterValues(std::span<const Value> values, const TimeZone& zone) const {
  std::vector<Value> result(values.size());
  for (const ParameterExpression& parameter : parameters)
    result.at(parameter.index) = ParameterValue(parameter, values, zone);
  return result;
}

std::shared_ptr<const GenericPlan> MakeGenericPlan(const LogicalPlan& plan, const OptimizerContext& context) {
  if (!MayBeGeneric(*plan.root)) return nullptr;
  const LogicalGet* scan = FindGet(*plan.root);
  // Tested before the optimizer runs, which is far more expensive.
  if (scan != nullptr && !HasUniqueIndex(*scan)) return nullptr;
  auto generic = std::make_shared<GenericPlan>();
  CollectParameters(*plan.root, generic->parameters);
  if (!HaveOneTypeEach(generic->parameters)) return nullptr;
  LogicalOperatorPtr optimized = Optimizer(context).OptimizeForAnySnapshot(ClonePlan(*plan.root));
  // Filters reach the scan only by optimization, so it is examined afterwards. A plan without a scan inserts
  // given rows.
  scan = FindGet(*optimized);
  if (scan != nullptr) {
    if (!FindsOneRow(*scan)) return nullptr;
    generic->table_ids.push_back(scan->table->storage->id());
  }
  const LogicalKind kind = plan.root->kind();
  const bool writes =
      kind == LogicalKind::kInsert || kind == LogicalKind::kUpdate || kind == LogicalKind::kDelete;
  generic->touches_tables = writes || scan != nullptr;
  // A function of the program may read other tables.
  generic->only_reads = !writes && !CallsProgram(*optimized);
  if (plan.returns_rows) {
    for (size_t i = 0; i < plan.names.size(); i++) generic->columns.push_back({plan.names[i], plan.types[i]});
  }
  generic->root = PhysicalPlanner(context.functions).Plan(std::move(optimized));
  return generic;
}

}  // namespace scaup
