// Calls by name: scalar functions and aggregates, with the rules of where aggregates may stand.
#include <fmt/format.h>

#include "binder/coercion.hpp"
#include "binder/expression_binder.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {

namespace {

constexpr const char* kCountStar = "count_star";

bool AllowsAggregates(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kHaving || clause == Clause::kOrderBy ||
         clause == Clause::kDistinctOn;
}

/// The function's own name; a schema in front must be one that holds the built-in functions.
const std::string& FunctionName(const ast::FunctionCall& call) {
  if (call.name.size() > 1 && call.name[0] != "pg_catalog" && call.name[0] != Catalog::kDefaultSchema) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" has no functions", call.name[0]), call.position);
  }
  return call.name.back();
}

/// Aggregates over nothing but outer columns belong to the outer query in SQL; binding them here would be
/// wrong.
void RefuseOuterAggregate(const Expression& aggregate, size_t position) {
  bool has_own = false, has_outer = false;
  ForEachColumnRef(aggregate, [&](const ColumnRefExpression& column) {
    (column.outer_level > 0 ? has_outer : has_own) = true;
  });
  if (has_outer && !has_own) {
    ThrowNotSupported("an aggregate of the outer query's columns inside a subquery is not supported",
                      position);
  }
}

}  // namespace

ExpressionPtr ExpressionBinder::BindFunction(const ast::FunctionCall& call) {
  const std::string& name = FunctionName(call);
  if (call.within_group) ThrowNotSupported("WITHIN GROUP is not supported", call.position);
  for (const auto& argument_name : call.argument_names) {
    if (!argument_name.empty()) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kUndefinedFunction,
          fmt::format("function {} has no named argument \"{}\"; named arguments are for functions in FROM",
                      name, argument_name),
          call.position);
    }
  }
  if (call.over) return BindWindow(call, name);
  if (name == "merge_action" && call.arguments.empty() && !call.star) return BindMergeAction(call);
  const auto& registry = session_.context().registry;
  const bool is_aggregate = !registry.AggregateOverloads(call.star ? kCountStar : name).empty();
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
  if (name == kUnnestFunction) {
    if (in_aggregate_ || in_window_ || in_window_definition_) {
      ThrowNotSupported("calls of aggregate and window functions cannot contain unnest; put it into FROM",
                        call.position);
    }
    if (clause_ != Clause::kSelect && clause_ != Clause::kOrderBy) {
      ThrowNotSupported(fmt::format("set-returning functions are not allowed in {}", ClauseName(clause_)),
                        call.position);
    }
  }
  std::vector<ExpressionPtr> arguments;
  arguments.reserve(call.arguments.size());
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
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

ExpressionPtr ExpressionBinder::BindAggregate(const ast::FunctionCall& call, const std::string& name) {
  if (in_aggregate_) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError, "aggregate function calls cannot be nested",
               call.position);
  }
  if (!AllowsAggregates(clause_)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               fmt::format("aggregate functions are not allowed in {}{}", ClauseName(clause_),
                           clause_ == Clause::kWhere ? "; use HAVING to filter groups" : ""),
               call.position);
  }
  if (!call.order_by.empty() && (name == "array_agg" || name == "list"))
    return BindOrderedArrayAgg(call, name);
  if (!call.order_by.empty()) {
    ThrowNotSupported(fmt::format("ORDER BY inside {} is not supported", name), call.position);
  }
  in_aggregate_ = true;
  std::vector<ExpressionPtr> arguments;
  for (const auto& argument : call.arguments) arguments.push_back(Bind(*argument));
  ExpressionPtr filter = call.filter ? BindBoolean(*call.filter, "FILTER") : nullptr;
  in_aggregate_ = false;
  found_aggregate_ = true;
  ExpressionPtr aggregate =
      MakeAggregateCall(session_, call.star ? kCountStar : std::string_view(name), std::move(arguments),
                        call.distinct, std::move(filter), call.position);
  RefuseOuterAggregate(*aggregate, call.position);
  return aggregate;
}

}  // namespace scaup
