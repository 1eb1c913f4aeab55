// Binds calls by name: scalar functions and aggregates, and checks where aggregates are allowed.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/collection_changes.hpp"
#include "common/throw.hpp"
#include "function/aggregate/sorted_aggregate.hpp"

namespace scaup {

namespace {

constexpr const char* kCountStar = "count_star";

bool AllowsAggregates(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kHaving || clause == Clause::kOrderBy ||
         clause == Clause::kDistinctOn;
}

/// Returns the overload of `name` that has named arguments; null if there is none.
const ScalarFunction* FindNamedOverload(const FunctionRegistry& registry, std::string_view name) {
  for (const ScalarFunction& function : registry.ScalarOverloads(name)) {
    if (!function.argument_names.empty()) return &function;
  }
  return nullptr;
}

bool HasArgumentNames(const ast::FunctionCall& call) {
  return std::any_of(call.argument_names.begin(), call.argument_names.end(),
                     [](const std::string& name) { return !name.empty(); });
}

/// Returns the function's name without schema. The schema must be one that contains the built-in functions.
const std::string& FunctionName(const ast::FunctionCall& call) {
  if (call.name.size() > 1 && call.name[0] != "pg_catalog" && call.name[0] != Catalog::kDefaultSchema) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" has no functions", call.name[0]), call.position);
  }
  return call.name.back();
}

/// Refuses an ordered-set aggregate without WITHIN GROUP, where its arguments would have another meaning.
void RequireNoOrderedSet(const AggregateFunction& function, size_t position) {
  if (!function.is_ordered_set) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("WITHIN GROUP is required for ordered-set aggregate {}", function.name), position);
}

[[noreturn]] void ThrowNested(size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError, "aggregate function calls cannot be nested",
             position);
}

}  // namespace

ExpressionPtr ExpressionBinder::BindFunction(const ast::FunctionCall& call) {
  const std::string& name = FunctionName(call);
  if (call.within_group)
    return IsHypotheticalSet(name) ? BindHypotheticalSet(call, name) : BindOrderedSet(call, name);
  if (name == "object" && !call.star && !call.over && !call.distinct && !call.filter)
    return BindObject(session_, *this, call);
  if (IsDocumentNumber(name)) return BindDocumentNumber(call, name);
  if (HasArgumentNames(call)) return BindNamedArguments(call, name);
  if (call.over) return BindWindow(call, name);
  if (name == "merge_action" && call.arguments.empty() && !call.star) return BindMergeAction(call);
  if (name == kGroupingFunction) return BindGrouping(call);
  const auto& registry = session_.context().registry;
  const auto overloads = registry.AggregateOverloads(call.star ? std::string_view(kCountStar) : name);
  if (overloads.size() > 0 && std::all_of(overloads.begin(), overloads.end(),
                                          [](const auto& function) { return function.is_ordered_set; })) {
    RequireNoOrderedSet(overloads.front(), call.position);
  }
  const bool is_aggregate = !overloads.empty();
  if (FindSetFunction(session_, name) != nullptr) return BindSetFunction(call);
  if (is_aggregate && (!call.star || name == "count")) return BindAggregate(call, name);
  if (FindWindowFunction(name) != nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("window function {} requires an OVER clause", name), call.position);
  }
  if (call.star || call.distinct || call.filter || !call.order_by.empty()) {
    const char* what = call.star ? "(*)" : call.distinct ? "DISTINCT" : call.filter ? "FILTER" : "ORDER BY";
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} specified, but {} is not an aggregate function", what, name), call.position);
  }
  if (IsTextSearch(name) && call.arguments.size() == 2) return BindTextSearch(call, name);
  std::vector<ExpressionPtr> arguments;
  arguments.reserve(call.arguments.size());
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
  return MakeScalarCall(session_, name, std::move(arguments), call.position);
}

ExpressionPtr ExpressionBinder::BindNamedArguments(const ast::FunctionCall& call, const std::string& name) {
  const ScalarFunction* function = FindNamedOverload(session_.context().registry, name);
  std::vector<ExpressionPtr> arguments(function == nullptr ? 0 : function->argument_names.size());
  for (size_t i = 0; i < call.arguments.size(); i++) {
    const std::string& given = call.argument_names[i];
    size_t index = i;
    if (function != nullptr && !given.empty()) {
      const auto& names = function->argument_names;
      index = static_cast<size_t>(std::find(names.begin(), names.end(), given) - names.begin());
    }
    if (index >= arguments.size()) {
      const std::string has = function == nullptr
                                  ? "named arguments are for functions in FROM"
                                  : fmt::format("it has {}", fmt::join(function->argument_names, ", "));
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("function {} has no named argument \"{}\"; {}", name, given, has),
                 call.position);
    }
    if (arguments[index]) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("argument name \"{}\" used more than once", function->argument_names[index]),
                 call.position);
    }
    arguments[index] = Bind(*call.arguments[i]);
  }
  for (ExpressionPtr& argument : arguments) {
    if (!argument) argument = std::make_unique<ConstantExpression>(Value::Integer(0));
  }
  return MakeScalarCall(session_, name, std::move(arguments), call.position);
}

ExpressionPtr ExpressionBinder::BindMergeAction(const ast::FunctionCall& call) {
  if (level_.merge_action == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "merge_action() can only stand in the RETURNING list of a MERGE", call.position);
  }
  ExpressionPtr action = level_.merge_action->Clone();
  action->position = call.position;
  return action;
}

void ExpressionBinder::CheckGroupingAllowed(const ast::FunctionCall& call) const {
  if (in_aggregate_) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "aggregate function calls cannot contain grouping operations", call.position);
  }
  if (!AllowsAggregates(clause_)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               fmt::format("grouping operations are not allowed in {}", ClauseName(clause_)), call.position);
  }
}

ExpressionPtr ExpressionBinder::BindGrouping(const ast::FunctionCall& call) {
  constexpr size_t kMostArguments = 31;
  if (call.arguments.size() > kMostArguments) {
    ThrowError(ErrorKind::kBinder, sqlstate::kTooManyArguments,
               fmt::format("GROUPING must have fewer than {} arguments", kMostArguments + 1), call.position);
  }
  AggregateFunction function;
  function.name = kGroupingFunction;
  function.return_type = TypeId::kInteger;
  std::vector<ExpressionPtr> arguments;
  const bool was_in_aggregate = std::exchange(in_aggregate_, true);
  for (const auto& argument : call.arguments) arguments.push_back(BindSettled(*argument));
  in_aggregate_ = was_in_aggregate;
  auto grouping = std::make_unique<AggregateExpression>(std::move(function), nullptr, std::move(arguments),
                                                        false, nullptr);
  grouping->position = call.position;
  const size_t outer_level = InnermostLevel(*grouping);
  if (outer_level == 0) {
    CheckGroupingAllowed(call);
    found_aggregate_ = true;
    return grouping;
  }
  QueryLevel& level = LevelAt(level_, outer_level);
  if (in_aggregate_ || level.subquery_of == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               in_aggregate_ ? "aggregate function calls cannot contain grouping operations"
                             : "grouping operations are not allowed in FROM clause of their own query level",
               call.position);
  }
  level.subquery_of->CheckGroupingAllowed(call);
  level.asks_grouping = true;
  return grouping;
}

void ExpressionBinder::CheckAggregateAllowed(const ast::FunctionCall& call) const {
  if (in_aggregate_) ThrowNested(call.position);
  if (!AllowsAggregates(clause_)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               fmt::format("aggregate functions are not allowed in {}{}", ClauseName(clause_),
                           clause_ == Clause::kWhere ? "; use HAVING to filter groups" : ""),
               call.position);
  }
}

ExpressionPtr ExpressionBinder::BindOrderedSet(const ast::FunctionCall& call, const std::string& name) {
  const auto overloads = session_.context().registry.AggregateOverloads(name);
  const bool is_ordered_set =
      std::any_of(overloads.begin(), overloads.end(), [](const auto& f) { return f.is_ordered_set; });
  if (!is_ordered_set) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               overloads.empty()
                   ? fmt::format("aggregate function {} does not exist", name)
                   : fmt::format("{} is not an ordered-set aggregate, so it cannot have WITHIN GROUP", name),
               call.position);
  }
  if (call.over) {
    ThrowNotSupported(fmt::format("OVER is not supported for ordered-set aggregate {}", name), call.position);
  }
  if (call.order_by.size() != 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("{} takes one value behind WITHIN GROUP (ORDER BY ...)", name), call.position);
  }
  const bool was_in_aggregate = std::exchange(in_aggregate_, true);
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(Bind(*call.order_by[0].expression));
  for (const auto& direct : call.arguments) {
    arguments.push_back(Bind(*direct));
    ForEachColumnRef(*arguments.back(), [&](const ColumnRefExpression&) {
      ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
                 fmt::format("the argument of {} in front of WITHIN GROUP cannot depend on columns", name),
                 direct->position);
    });
  }
  arguments.push_back(std::make_unique<ConstantExpression>(Value::Boolean(call.order_by[0].descending)));
  ExpressionPtr filter = call.filter ? BindBoolean(*call.filter, "FILTER") : nullptr;
  in_aggregate_ = was_in_aggregate;
  return PlaceAggregate(MakeAggregateCall(session_, name, std::move(arguments), call.distinct,
                                          std::move(filter), call.position),
                        call);
}

ExpressionPtr ExpressionBinder::BindAggregate(const ast::FunctionCall& call, const std::string& name) {
  const bool was_in_aggregate = std::exchange(in_aggregate_, true);
  std::vector<ExpressionPtr> arguments, given;
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
  ExpressionPtr filter = call.filter ? BindBoolean(*call.filter, "FILTER") : nullptr;
  std::vector<SortKey> keys;
  for (const ast::OrderByItem& item : call.order_by) {
    ExpressionPtr key = BindSettled(*item.expression);
    // With DISTINCT, the sort keys must be identical to arguments, which are normalized in the same way.
    key = call.distinct ? NormalOf(session_, std::move(key)) : OrderOf(session_, std::move(key));
    keys.push_back({std::move(key), item.descending, item.nulls_first.value_or(item.descending)});
  }
  in_aggregate_ = was_in_aggregate;
  for (size_t i = 0; !keys.empty() && i < arguments.size(); i++) {
    given.push_back(arguments[i]->Clone());
    if (call.distinct) given.back() = NormalOf(session_, std::move(given.back()));
  }
  ExpressionPtr aggregate =
      MakeAggregateCall(session_, call.star ? kCountStar : std::string_view(name), std::move(arguments),
                        call.distinct, std::move(filter), call.position);
  RequireNoOrderedSet(aggregate->As<AggregateExpression>().function, call.position);
  SortAggregate(aggregate->As<AggregateExpression>(), given, std::move(keys));
  return PlaceAggregate(std::move(aggregate), call);
}

void ExpressionBinder::SortAggregate(AggregateExpression& aggregate, const std::vector<ExpressionPtr>& given,
                                     std::vector<SortKey> keys) {
  const size_t argument_count = aggregate.arguments.size();
  std::vector<AggregateOrder> order;
  for (SortKey& key : keys) {
    size_t column = 0;
    while (column < argument_count && !given[column]->Equals(*key.expression)) column++;
    if (column == argument_count) {
      if (aggregate.distinct) {
        ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                   "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list",
                   key.expression->position);
      }
      if (aggregate.function.ignores_order) continue;
      column = aggregate.arguments.size();
      aggregate.arguments.push_back(std::move(key.expression));
    }
    order.push_back({column, key.descending, key.nulls_first});
  }
  if (aggregate.function.ignores_order) return;
  // PostgreSQL finds duplicates by sorting, so its DISTINCT aggregates see sorted values; do the same.
  for (size_t i = 0; keys.empty() && aggregate.distinct && i < argument_count; i++) {
    if (!IsFoldable(*aggregate.arguments[i])) order.push_back({i, false, false});
  }
  if (order.empty()) return;
  std::vector<LogicalType> types;
  for (const ExpressionPtr& argument : aggregate.arguments) types.push_back(argument->type());
  aggregate.data =
      MakeSorted(aggregate.function, std::move(aggregate.data), std::move(types), std::move(order));
}

ExpressionPtr ExpressionBinder::PlaceAggregate(ExpressionPtr aggregate, const ast::FunctionCall& call) {
  // SQL assigns an aggregate to the innermost level whose columns it reads.
  const size_t outer_level = InnermostLevel(*aggregate);
  if (outer_level == 0) {
    CheckAggregateAllowed(call);
    found_aggregate_ = true;
    return aggregate;
  }
  QueryLevel& level = LevelAt(level_, outer_level);
  if (level.subquery_of == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "aggregate functions are not allowed in FROM clause of their own query level", call.position);
  }
  level.subquery_of->CheckAggregateAllowed(call);
  SCAUP_CHECK(level.select != nullptr);
  BoundSelect& select = *level.select;
  // The aggregate moves to that level, so its references cross fewer levels.
  ForEachFreeReference(*aggregate, [&](ColumnRefExpression& column, size_t depth) {
    if (column.outer_level - depth == outer_level && column.binding.table_index == select.aggregate_index)
      ThrowNested(call.position);
    column.outer_level -= outer_level;
  });
  size_t index = 0;
  while (index < select.aggregates.size() && !select.aggregates[index]->Equals(*aggregate)) index++;
  auto column = std::make_unique<ColumnRefExpression>(
      aggregate->type(), ColumnBinding{select.aggregate_index, index}, aggregate->ToString());
  column->outer_level = outer_level;
  column->position = call.position;
  NoteDocumentColumn(session_, column->binding, *aggregate);
  if (index == select.aggregates.size()) select.aggregates.push_back(std::move(aggregate));
  return column;
}

}  // namespace scaup
