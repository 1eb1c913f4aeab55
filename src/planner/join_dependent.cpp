// Joins of outer rows with plans that use their columns: chooses the domain of a dependent plan.
#include <algorithm>
#include <optional>

#include "planner/dependent_plan.hpp"

#include "common/stack_bound.hpp"
#include "expression/window_expression.hpp"
#include "function/scalar/misc/identity_key.hpp"
#include "planner/make_column.hpp"
#include "planner/nodes.hpp"
#include "planner/plan_tables.hpp"

namespace scaup {

namespace {

/// Returns whether a plan gives other rows when it runs again.
bool IsVolatile(LogicalOperator& plan) {
  CheckStack();
  bool is_volatile = false;
  plan.ForEachExpression(
      [&](ExpressionPtr& expression) { is_volatile = is_volatile || !IsDeterministic(*expression); });
  return is_volatile || std::any_of(plan.children.begin(), plan.children.end(),
                                    [](const LogicalOperatorPtr& child) { return IsVolatile(*child); });
}

/// Returns whether a plan may raise an error. Errors of aggregates, such as overflow, are not considered.
bool MayFail(LogicalOperator& plan) {
  CheckStack();
  bool may_fail = false;
  switch (plan.kind()) {
    case LogicalKind::kTableFunction:
    case LogicalKind::kRecursion: return true;
    case LogicalKind::kJoin: may_fail = plan.As<LogicalJoin>().join_type == LogicalJoinType::kSingle; break;
    case LogicalKind::kOnDemand: may_fail = true; break;
    default: break;
  }
  plan.ForEachExpression([&](ExpressionPtr& expression) { may_fail = may_fail || !CannotFail(*expression); });
  return may_fail || std::any_of(plan.children.begin(), plan.children.end(),
                                 [](const LogicalOperatorPtr& child) { return MayFail(*child); });
}

/// Returns an expression that is the same only for values that are the same.
ExpressionPtr IdentityKey(ExpressionPtr column) {
  std::optional<ScalarFunction> bits = BitsOfNumber(column->type());
  if (!bits) return AddCast(std::move(column), TypeId::kVarchar);
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(column));
  return std::make_unique<FunctionExpression>(std::move(*bits), nullptr, std::move(arguments));
}

/// The outer rows of a dependent plan, and the columns of its domain. Lives during planning.
struct OuterRows {
  OuterColumns columns;
  std::vector<ExpressionPtr> of_domain;  ///< expressions of the domain's columns over the rows
  std::vector<ExpressionPtr> of_rows;    ///< the same for the rows that are joined with the plan
};

/// Numbers the rows. Returns the column of the number.
ColumnBinding AddRowNumber(QueryPlanner& planner, LogicalOperatorPtr& input) {
  const size_t index = planner.NewTableIndex();
  std::vector<ExpressionPtr> functions;
  functions.push_back(
      std::make_unique<WindowExpression>(WindowFunctionKind::kRowNumber, "row_number", TypeId::kBigInt));
  input = std::make_unique<LogicalWindow>(index, std::move(input), std::vector<ExpressionPtr>(),
                                          std::vector<SortKey>(), std::move(functions));
  return {index, 0};
}

/// Chooses the domain's columns: those that the plan uses, and further ones that tell equal values apart.
OuterRows ChooseDomain(QueryPlanner& planner, const std::vector<ColumnBinding>& used,
                       std::optional<ColumnBinding> number, const LogicalOperator& rows,
                       const LogicalSharedScan& domain_rows) {
  OuterRows outer;
  const auto add = [&](ColumnBinding binding, bool is_key, ExpressionPtr of_domain, ExpressionPtr of_rows) {
    if (is_key) outer.columns.keys.push_back(outer.columns.bindings.size());
    outer.columns.bindings.push_back(binding);
    outer.columns.types.push_back(of_domain->type());
    of_domain->alias = kDomainName;
    outer.of_domain.push_back(std::move(of_domain));
    outer.of_rows.push_back(std::move(of_rows));
  };
  const std::vector<ColumnBinding> bindings = rows.Bindings();
  const std::vector<LogicalType> types = rows.Types();
  const std::vector<std::string> names = rows.Names();
  for (size_t i = 0; i < bindings.size(); i++) {
    const bool is_number = number == bindings[i];
    if (!is_number && std::find(used.begin(), used.end(), bindings[i]) == used.end()) continue;
    const ExpressionPtr of_domain = MakeColumn(types[i], domain_rows.bindings[i], names[i]);
    const ExpressionPtr of_rows = MakeColumn(types[i], bindings[i], kDomainName);
    const bool needs_key = !number && HasEqualButDifferentValues(types[i]);
    add(bindings[i], is_number || (!number && !needs_key), of_domain->Clone(), of_rows->Clone());
    if (needs_key)
      add({planner.NewTableIndex(), 0}, true, IdentityKey(of_domain->Clone()), IdentityKey(of_rows->Clone()));
  }
  return outer;
}

/// Rows of an input, materialized for two readers. Lives during planning.
struct TwoReaders {
  size_t share;
  std::unique_ptr<LogicalSharedScan> first;   ///< has the input's former bindings
  std::unique_ptr<LogicalSharedScan> second;  ///< has bindings of its own
};

/// Gives the input new bindings, as nodes above use those that the first reader takes over.
TwoReaders ShareRows(QueryPlanner& planner, LogicalOperator& input) {
  const std::vector<ColumnBinding> bindings = input.Bindings();
  const std::vector<LogicalType> types = input.Types();
  const std::vector<std::string> names = input.Names();
  std::map<size_t, size_t> numbers;
  for (const size_t table : TablesOf(input)) numbers[table] = planner.NewTableIndex();
  RenumberTables(input, numbers);
  const size_t share = planner.NewTableIndex();
  const auto scan = [&] {
    return std::make_unique<LogicalSharedScan>(share, "outer rows", planner.NewTableIndex(), types, names);
  };
  TwoReaders readers{share, scan(), scan()};
  readers.first->bindings = bindings;
  return readers;
}

/// Returns the rows of the second reader that pass `needed`, a predicate over the first one.
LogicalOperatorPtr NeedingRows(TwoReaders& readers, const Expression& needed) {
  ExpressionPtr predicate = needed.Clone();
  ForEachColumnRef(predicate, [&](ColumnRefExpression& column) {
    const auto& from = readers.first->bindings;
    const auto place = std::find(from.begin(), from.end(), column.binding);
    if (place == from.end()) return;  // a column of a query further out
    column.binding = readers.second->bindings[static_cast<size_t>(place - from.begin())];
  });
  std::vector<ExpressionPtr> predicates;
  predicates.push_back(std::move(predicate));
  return std::make_unique<LogicalFilter>(std::move(readers.second), std::move(predicates));
}

/// Joins `input` with a plan that does not use its columns, and runs only if a row needs it.
LogicalJoin& JoinIfNeeded(QueryPlanner& planner, LogicalJoinType type, LogicalOperatorPtr& input,
                          LogicalOperatorPtr plan, const Expression& needed) {
  TwoReaders readers = ShareRows(planner, *input);
  LogicalOperatorPtr needing = std::make_unique<LogicalLimit>(
      NeedingRows(readers, needed), std::make_unique<ConstantExpression>(Value::BigInt(1)), nullptr);
  LogicalOperatorPtr gated = std::make_unique<LogicalOnDemand>(LogicalJoinType::kInner, std::move(needing),
                                                               std::move(plan), nullptr);
  auto join = std::make_unique<LogicalJoin>(type, std::move(readers.first), std::move(gated));
  LogicalJoin& made = *join;
  input =
      std::make_unique<LogicalMaterialize>(readers.share, "outer rows", std::move(input), std::move(join));
  return made;
}

}  // namespace

std::vector<ColumnBinding> UsedColumns(const LogicalOperator& input, LogicalOperator& plan) {
  const std::vector<ColumnBinding> outside = OutsideColumns(plan);
  std::vector<ColumnBinding> used;
  for (const ColumnBinding& column : input.Bindings()) {
    if (std::find(outside.begin(), outside.end(), column) != outside.end()) used.push_back(column);
  }
  return used;
}

LogicalJoin& JoinDependent(QueryPlanner& planner, LogicalJoinType type, LogicalOperatorPtr& input,
                           LogicalOperatorPtr plan, ExpressionPtr* item, const Expression* needed) {
  const std::vector<ColumnBinding> used = UsedColumns(*input, *plan);
  const bool is_volatile = IsVolatile(*plan);
  const bool is_guarded =
      needed != nullptr && (is_volatile || type == LogicalJoinType::kSingle || MayFail(*plan));
  if (used.empty()) {
    if (is_guarded) return JoinIfNeeded(planner, type, input, std::move(plan), *needed);
    auto join = std::make_unique<LogicalJoin>(type, std::move(input), std::move(plan));
    LogicalJoin& made = *join;
    input = std::move(join);
    return made;
  }
  // A volatile plan runs once for each row, so each row is a value of the domain by its number.
  std::optional<ColumnBinding> number;
  if (is_volatile) number = AddRowNumber(planner, input);
  TwoReaders readers = ShareRows(planner, *input);
  const size_t domain_share = planner.NewTableIndex();
  OuterRows outer = ChooseDomain(planner, used, number, *readers.first, *readers.second);
  LogicalOperatorPtr domain =
      is_guarded ? NeedingRows(readers, *needed) : LogicalOperatorPtr(std::move(readers.second));
  domain = std::make_unique<LogicalProject>(planner.NewTableIndex(), std::move(domain),
                                            std::move(outer.of_domain));
  // Duplicates are removed, so that the plan computes each value of the outer columns once.
  if (!is_volatile)
    domain = std::make_unique<LogicalDistinct>(std::move(domain), std::vector<ExpressionPtr>());
  const std::vector<LogicalType> domain_types = outer.columns.types;
  const std::vector<size_t> keys = outer.columns.keys;
  DependentPlan dependent(planner, domain_share, std::move(outer.columns), {is_volatile, is_guarded});
  DependentPlan::Result right = dependent.Push(std::move(plan));
  if (item != nullptr && *item) {
    ForEachColumnRef(
        *item, [&](ColumnRefExpression& column) { column.binding = dependent.Current(column.binding); });
  }
  auto join = std::make_unique<LogicalJoin>(type, std::move(readers.first), std::move(right.plan));
  for (const size_t i : keys) {
    join->conditions.push_back({ComparisonOp::kNotDistinctFrom, std::move(outer.of_rows[i]),
                                MakeColumn(domain_types[i], right.domain[i], kDomainName)});
  }
  LogicalJoin& made = *join;
  LogicalOperatorPtr reader =
      std::make_unique<LogicalMaterialize>(domain_share, "outer values", std::move(domain), std::move(join));
  input =
      std::make_unique<LogicalMaterialize>(readers.share, "outer rows", std::move(input), std::move(reader));
  return made;
}

}  // namespace scaup
