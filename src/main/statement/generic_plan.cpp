// Decides which statements get a generic plan, and makes it.
#include "main/statement/generic_plan.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "execution/foreign/program_calls.hpp"
#include "execution/plan/physical_planner.hpp"
#include "expression/expression_executor.hpp"
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

bool CallsStable(const Expression& expression) {
  return expression.kind() == ExpressionKind::kFunction &&
         expression.As<FunctionExpression>().function.volatility == Volatility::kStable;
}

/// Takes the calls of stable functions, such as now(), out of a plan, and puts parameters in their places:
/// optimization would replace them by the results of the first execution.
class StableCalls {
 public:
  /// `next_index` is that of the first new parameter.
  explicit StableCalls(size_t next_index) : next_index_(next_index) {}

  /// Returns false if a call's value depends on rows or parameters, or if it may fail, perhaps for rows that
  /// are not there.
  bool Extract(LogicalOperator& plan) {
    CheckStack();
    bool all = true;
    plan.ForEachExpression([&](ExpressionPtr& expression) { all = all && Extract(expression); });
    return all && std::all_of(plan.children.begin(), plan.children.end(),
                              [&](const LogicalOperatorPtr& child) { return Extract(*child); });
  }

  std::vector<ExpressionPtr> Take() { return std::move(calls_); }

 private:
  bool Extract(ExpressionPtr& expression) {
    CheckStack();
    if (!CallsStable(*expression)) {
      bool all = true;
      expression->ForEachChild([&](ExpressionPtr& child) { all = all && Extract(child); });
      return all;
    }
    if (!IsFoldable(*expression) || !CannotFail(*expression)) return false;
    auto parameter = std::make_unique<ParameterExpression>(expression->type(), next_index_ + calls_.size());
    parameter->alias = expression->alias;
    parameter->position = expression->position;
    calls_.push_back(std::move(expression));
    expression = std::move(parameter);
    return true;
  }

  const size_t next_index_;
  std::vector<ExpressionPtr> calls_;
};

/// Returns the scan at the end of a chain of simple nodes; null if there is none.
const LogicalGet* FindGet(const LogicalOperator& plan) {
  const LogicalOperator* node = &plan;
  while (!node->children.empty()) node = node->children[0].get();
  return node->kind() == LogicalKind::kGet ? &node->As<LogicalGet>() : nullptr;
}

bool MayBeGeneric(const LogicalOperator& plan) {
  CheckStack();
  return IsSimple(plan.kind()) &&
         std::all_of(plan.children.begin(), plan.children.end(),
                     [](const LogicalOperatorPtr& child) { return MayBeGeneric(*child); });
}

bool HasUniqueIndex(const LogicalGet& get) {
  const TableIndexList indexes = get.table->storage->indexes().List();
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const TableIndexRef& index) { return IsAlwaysUnique(*index); });
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
    return IsAlwaysUnique(*index) && std::all_of(index->columns().begin(), index->columns().end(), is_fixed);
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

std::vector<Value> GenericPlan::ParameterValues(std::span<const Value> values,
                                                const FunctionContext& context) const {
  std::vector<Value> result(std::max(values.size(), first_computed + computed.size()));
  for (const ParameterExpression& parameter : parameters)
    result.at(parameter.index) = ParameterValue(parameter, values, *context.time_zone);
  // Given values that no parameter wants may be overwritten.
  for (size_t i = 0; i < computed.size(); i++)
    result[first_computed + i] = EvaluateConstant(context, *computed[i]);
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
  if (!generic->parameters.empty()) generic->first_computed = generic->parameters.back().index + 1;
  LogicalOperatorPtr copy = ClonePlan(*plan.root);
  StableCalls stable(generic->first_computed);
  if (!stable.Extract(*copy)) return nullptr;
  generic->computed = stable.Take();
  LogicalOperatorPtr optimized = Optimizer(context).OptimizeForAnySnapshot(std::move(copy));
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
  generic->returns_rows = plan.returns_rows;
  if (plan.returns_rows) {
    for (size_t i = 0; i < plan.names.size(); i++) generic->columns.push_back({plan.names[i], plan.types[i]});
  }
  generic->root = PhysicalPlanner(context.functions).Plan(std::move(optimized));
  return generic;
}

}  // namespace scaup
