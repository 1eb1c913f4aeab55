// Binds aggregates and GROUPING: their arguments, and the query level that computes them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/null_order.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"
#include "function/aggregate/sorted_aggregate.hpp"

namespace scaup {

void RequireNoOrderedSet(const AggregateFunction& function, size_t position) {
  if (!function.is_ordered_set) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("WITHIN GROUP is required for ordered-set aggregate {}", function.name), position);
}

ExpressionPtr BindGrouping(ExpressionBinder& binder, const ast::FunctionCall& call) {
  constexpr size_t kMostArguments = 31;
  if (call.arguments.size() > kMostArguments) {
    ThrowError(ErrorKind::kBinder, sqlstate::kTooManyArguments,
               fmt::format("GROUPING must have fewer than {} arguments", kMostArguments + 1), call.position);
  }
  AggregateFunction function;
  function.name = kGroupingFunction;
  function.return_type = TypeId::kInteger;
  std::vector<ExpressionPtr> arguments;
  {
    const auto stay = binder.place().Enter(Enclosing::kAggregate);
    arguments = BindAll(binder, call.arguments, true);
  }
  auto grouping = std::make_unique<AggregateExpression>(std::move(function), nullptr, std::move(arguments),
                                                        false, nullptr);
  grouping->position = call.position;
  const size_t outer_level = InnermostLevel(*grouping);
  if (outer_level == 0) {
    binder.place().CheckGrouping(call.position);
    binder.place().NoteAggregate();
    return grouping;
  }
  QueryLevel& level = LevelAt(binder.level(), outer_level);
  const bool is_nested = binder.place().IsInside(Enclosing::kAggregate);
  if (is_nested || level.subquery_of == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               is_nested ? "aggregate function calls cannot contain grouping operations"
                         : "grouping operations are not allowed in FROM clause of their own query level",
               call.position);
  }
  level.subquery_of->CheckGrouping(call.position);
  level.asks_grouping = true;
  return grouping;
}

ExpressionPtr BindOrderedSet(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name) {
  const auto overloads = binder.session().context().registry.AggregateOverloads(name);
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
  std::vector<ExpressionPtr> arguments;
  ExpressionPtr filter;
  {
    const auto stay = binder.place().Enter(Enclosing::kAggregate);
    arguments.push_back(binder.Bind(*call.order_by[0].expression));
    RequireBytes(binder.session(), *arguments[0], KeyUse::kOrder, "WITHIN GROUP");
    for (const auto& direct : call.arguments) {
      arguments.push_back(binder.Bind(*direct));
      ForEachColumnRef(*arguments.back(), [&](const ColumnRefExpression&) {
        ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
                   fmt::format("the argument of {} in front of WITHIN GROUP cannot depend on columns", name),
                   direct->position);
      });
    }
    arguments.push_back(std::make_unique<ConstantExpression>(Value::Boolean(call.order_by[0].descending)));
    if (call.filter) filter = binder.BindBoolean(*call.filter, "FILTER");
  }
  return PlaceAggregate(binder,
                        MakeAggregateCall(binder.session(), name, std::move(arguments), call.distinct,
                                          std::move(filter), call.position),
                        call);
}

std::vector<SortKey> BindAggregateOrder(ExpressionBinder& binder, const ast::FunctionCall& call) {
  std::vector<SortKey> keys;
  for (const ast::OrderByItem& item : call.order_by) {
    ExpressionPtr key = binder.BindSettled(*item.expression);
    if (call.distinct) {
      RequireBytes(binder.session(), *key, KeyUse::kOrder, "ORDER BY in an aggregate with DISTINCT");
      key = WithoutCollate(std::move(key));
    }
    // With DISTINCT, the sort keys must be identical to arguments, which are normalized in the same way.
    key = call.distinct ? NormalOf(binder.session(), std::move(key))
                        : OrderOf(binder.session(), std::move(key));
    keys.push_back({std::move(key), item.descending, NullsComeFirst(binder.session(), item)});
  }
  return keys;
}

std::vector<ExpressionPtr> SortedArguments(BindSession& session, const ast::FunctionCall& call,
                                           const std::vector<ExpressionPtr>& arguments) {
  std::vector<ExpressionPtr> given;
  for (const ExpressionPtr& argument : arguments) {
    given.push_back(WithoutCollate(argument->Clone()));
    if (call.distinct) given.back() = NormalOf(session, std::move(given.back()));
  }
  return given;
}

ExpressionPtr BindAggregate(ExpressionBinder& binder, const ast::FunctionCall& call, const std::string& name,
                            const AggregateSource& source) {
  std::vector<ExpressionPtr> arguments, given;
  ExpressionPtr filter;
  std::vector<SortKey> keys;
  {
    const auto stay = binder.place().Enter(Enclosing::kAggregate);
    arguments = BindAll(binder, call.arguments);
    if (call.filter) filter = binder.BindBoolean(*call.filter, "FILTER");
    keys = BindAggregateOrder(binder, call);
  }
  if (!keys.empty()) given = SortedArguments(binder.session(), call, arguments);
  // An order of the argument itself decides between equally frequent values, as with WITHIN GROUP.
  const bool is_ordered_mode = name == "mode" && keys.size() == 1 && arguments.size() == 1 &&
                               !call.distinct && given[0]->Equals(*keys[0].expression);
  if (is_ordered_mode) {
    arguments.push_back(std::make_unique<ConstantExpression>(Value::Boolean(keys[0].descending)));
    return PlaceAggregate(binder,
                          MakeAggregateCall(binder.session(), name, std::move(arguments), false,
                                            std::move(filter), call.position),
                          call);
  }
  ExpressionPtr aggregate =
      MakeAggregateCall(binder.session(), call.star ? "count_star" : std::string_view(name),
                        std::move(arguments), call.distinct, std::move(filter), call.position, &source);
  RequireNoOrderedSet(aggregate->As<AggregateExpression>().function, call.position);
  SortAggregate(aggregate->As<AggregateExpression>(), given, std::move(keys));
  return PlaceAggregate(binder, std::move(aggregate), call);
}

void SortAggregate(AggregateExpression& aggregate, const std::vector<ExpressionPtr>& given,
                   std::vector<SortKey> keys) {
  const size_t argument_count = aggregate.arguments.size();
  const bool ignores_order =
      aggregate.function.ignores_order && (keys.empty() || !aggregate.function.is_rounded);
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
      if (ignores_order) continue;
      column = aggregate.arguments.size();
      aggregate.arguments.push_back(std::move(key.expression));
    }
    order.push_back({column, key.descending, key.nulls_first});
  }
  if (ignores_order) return;
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

ExpressionPtr PlaceAggregate(ExpressionBinder& binder, ExpressionPtr aggregate,
                             const ast::FunctionCall& call) {
  // SQL assigns an aggregate to the innermost level whose columns it reads.
  const size_t outer_level = InnermostLevel(*aggregate);
  // The arguments of a function are values to its body, wherever they come from.
  if (outer_level == 0 || LeavesBody(binder.level(), outer_level)) {
    binder.place().CheckAggregate(call.position);
    binder.place().NoteAggregate();
    return aggregate;
  }
  QueryLevel& level = LevelAt(binder.level(), outer_level);
  if (level.subquery_of == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "aggregate functions are not allowed in FROM clause of their own query level", call.position);
  }
  level.subquery_of->CheckAggregate(call.position);
  SCAUP_CHECK(level.select != nullptr);
  BoundSelect& select = *level.select;
  // The aggregate moves to that level, so its references cross fewer levels.
  ForEachFreeReference(*aggregate, [&](ColumnRefExpression& column, size_t depth) {
    if (column.outer_level - depth == outer_level && column.binding.table_index == select.aggregate_index)
      ThrowNestedAggregate(call.position);
    column.outer_level -= outer_level;
  });
  size_t index = 0;
  while (index < select.aggregates.size() && !select.aggregates[index]->Equals(*aggregate)) index++;
  auto column = std::make_unique<ColumnRefExpression>(
      aggregate->type(), ColumnBinding{select.aggregate_index, index}, aggregate->ToString());
  column->outer_level = outer_level;
  column->position = call.position;
  NoteDocumentColumn(binder.session(), column->binding, *aggregate);
  if (index == select.aggregates.size()) select.aggregates.push_back(std::move(aggregate));
  return column;
}

}  // namespace scaup
