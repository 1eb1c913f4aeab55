// Binds calls by name: finds out what is called, and binds calls of scalar functions.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "binder/expression/bind_expression.hpp"
#include "binder/scope/aggregate_source.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/function_use.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/collection_changes.hpp"
#include "common/throw.hpp"
#include "function/defined_functions.hpp"
#include "parser/parser.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

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

/// Returns the function's name without schema, or that of the function that it is an alias of. The schema
/// must be one that contains the built-in functions; PostgreSQL has those with _pg_ in information_schema.
const std::string& FunctionName(const ast::FunctionCall& call) {
  const auto has = [&](const std::string& schema) {
    return schema == "pg_catalog" || schema == Catalog::kDefaultSchema ||
           (schema == "information_schema" && call.name.back().starts_with("_pg_"));
  };
  if (call.name.size() > 1 && !has(call.name[0])) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" has no functions", call.name[0]), call.position);
  }
  const std::string* const function = FindFunctionAlias(call.name.back());
  return function != nullptr ? *function : call.name.back();
}

/// Binds f(name => value, ...), a scalar function with named arguments.
ExpressionPtr BindNamedArguments(ExpressionBinder& binder, const ast::FunctionCall& call,
                                 const std::string& name) {
  const ScalarFunction* function = FindNamedOverload(binder.session().context().registry, name);
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
    arguments[index] = binder.Bind(*call.arguments[i]);
  }
  for (ExpressionPtr& argument : arguments) {
    if (!argument) argument = std::make_unique<ConstantExpression>(Value::Integer(0));
  }
  return MakeScalarCall(binder.session(), name, std::move(arguments), call.position);
}

/// Returns the defined function that a plain call calls; null if it is none. As the number of arguments
/// chooses it, it takes no *COLUMNS(...); an aggregate of the same name does.
const DefinedFunction* FindDefinition(const FunctionRegistry& registry, const ast::FunctionCall& call,
                                      const std::string& name) {
  const bool is_plain = !call.star && !call.distinct && !call.filter && !call.over && call.order_by.empty() &&
                        !HasArgumentNames(call);
  if (!is_plain) return nullptr;
  if (!HasUnpacked(call.arguments)) return FindDefinedFunction(name, call.arguments.size());
  const auto functions = AllDefinedFunctions();
  const bool has_others =
      !registry.ScalarOverloads(name).empty() || !registry.AggregateOverloads(name).empty();
  if (!has_others &&
      std::any_of(functions.begin(), functions.end(), [&](const auto& each) { return each.name == name; })) {
    ThrowNotSupported(fmt::format("{} takes no *COLUMNS(...); give its arguments one by one", name),
                      call.position);
  }
  return nullptr;
}

/// Keeps functions of the program out of definitions that are there without the program.
void NoteProgramCall(ExpressionBinder& binder, const std::string& name, size_t position) {
  binder.session().uses_temporary_function = true;
  const Clause clause = binder.place().clause();
  if (clause == Clause::kDefault || clause == Clause::kCheck || clause == Clause::kGenerated ||
      clause == Clause::kIndexExpression || clause == Clause::kIndexPredicate) {
    ThrowNotSupported(
        fmt::format("function {} is of the program, not of the database, so that a table cannot "
                    "depend on it",
                    name),
        position);
  }
}

ExpressionPtr BindMergeAction(ExpressionBinder& binder, const ast::FunctionCall& call) {
  if (binder.level().merge_action == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "merge_action() can only stand in the RETURNING list of a MERGE", call.position);
  }
  ExpressionPtr action = binder.level().merge_action->Clone();
  action->position = call.position;
  return action;
}

ExpressionPtr BindBuiltin(ExpressionBinder& binder, const ast::FunctionCall& call) {
  const std::string& name = FunctionName(call);
  if (call.within_group && HasArgumentNames(call))
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("the arguments of {} have no names; leave the names out", name), call.position);
  if (call.within_group)
    return IsHypotheticalSet(name) ? BindHypotheticalSet(binder, call, name)
                                   : BindOrderedSet(binder, call, name);
  if (name == "object" && !call.star && !call.over && !call.distinct && !call.filter)
    return BindObject(binder.session(), binder, call);
  if (ExpressionPtr special = BindSpecialCall(binder, call, name)) return special;
  if (TakesLambda(name)) return BindLambdaCall(binder, call, name);
  if (IsDocumentNumber(name)) return BindDocumentNumber(binder, call, name);
  if (const DefinedFunction* const defined = FindDefinition(binder.session().context().registry, call, name))
    return binder.BindDefinition(*Parser().ParseExpression(defined->expression, call.position), call);
  if (HasArgumentNames(call)) return BindNamedArguments(binder, call, name);
  const AggregateSource source{binder.session().context().registry, [&](const AggregateFunction& chosen) {
                                 if (chosen.data) NoteProgramCall(binder, name, call.position);
                               }};
  if (call.over) return BindWindow(binder, call, name, source);
  if (name == "merge_action" && call.arguments.empty() && !call.star) return BindMergeAction(binder, call);
  if (name == kGroupingFunction) return BindGrouping(binder, call);
  const auto& registry = binder.session().context().registry;
  const auto overloads = registry.AggregateOverloads(call.star ? "count_star" : std::string_view(name));
  if (overloads.size() > 0 && std::all_of(overloads.begin(), overloads.end(),
                                          [](const auto& function) { return function.is_ordered_set; })) {
    RequireNoOrderedSet(overloads.front(), call.position);
  }
  const bool is_aggregate = !overloads.empty();
  if (FindSetFunction(binder.session(), name) != nullptr) return BindSetFunction(binder, call);
  if (is_aggregate && (!call.star || name == "count")) return BindAggregate(binder, call, name, source);
  if (FindWindowFunction(name) != nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("window function {} requires an OVER clause", name), call.position);
  }
  if (call.star || call.distinct || call.filter || !call.order_by.empty()) {
    const char* what = call.star ? "(*)" : call.distinct ? "DISTINCT" : call.filter ? "FILTER" : "ORDER BY";
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} specified, but {} is not an aggregate function", what, name), call.position);
  }
  if (IsTextSearch(name) && call.arguments.size() == 2) return BindTextSearch(binder, call, name);
  std::vector<ExpressionPtr> arguments = BindAll(binder, call.arguments);
  // As in PostgreSQL, a type's name is a function that casts: date(x).
  if (arguments.size() == 1 && registry.ScalarOverloads(name).empty()) {
    if (const auto type = TypeFromName(name))
      return Coerce(binder.session(), ReadForCast(binder.session(), std::move(arguments[0]), *type), *type);
  }
  ExpressionPtr made = MakeScalarCall(binder.session(), name, std::move(arguments), call.position);
  // Under a collation, nullif, greatest and least become CASE.
  if (made->kind() == ExpressionKind::kFunction && made->As<FunctionExpression>().function.data)
    NoteProgramCall(binder, name, call.position);
  return made;
}

/// Binds a call of an aggregate of the catalog, one of these overloads.
ExpressionPtr BindStoredAggregate(ExpressionBinder& binder, const ast::FunctionCall& call,
                                  const std::vector<FunctionEntryRef>& overloads) {
  BindSession& session = binder.session();
  HostedFunctions* const hosted = session.context().hosted;
  SCAUP_CHECK(hosted != nullptr);
  const std::string& name = call.name.back();
  if (call.star || call.within_group || HasArgumentNames(call)) {
    const char* const what = call.star ? "(*)" : call.within_group ? "WITHIN GROUP" : "names of arguments";
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} specified, but {} takes its arguments without", what, name), call.position);
  }
  std::vector<AggregateFunction> functions;
  for (const FunctionEntryRef& overload : overloads) functions.push_back(hosted->AggregateOf(overload));
  const FunctionRegistry registry = FunctionRegistry::Builtin().With({}, functions);
  const AggregateSource source{registry, [&](const AggregateFunction& chosen) {
                                 for (size_t i = 0; i < overloads.size(); i++) {
                                   if (functions[i].data == chosen.data)
                                     NoteStoredCall(session, overloads[i], call.position);
                                 }
                               }};
  return call.over ? BindWindow(binder, call, name, source) : BindAggregate(binder, call, name, source);
}

}  // namespace

ExpressionPtr BindFunction(ExpressionBinder& binder, const ast::FunctionCall& call) {
  if (IsColumnsCall(call)) return BindColumns(binder, call);
  // Built-in functions come first, as those of pg_catalog do in PostgreSQL. Arguments that fit none of them
  // may fit a function of the user that has their name.
  if (IsHiddenByBuiltin(binder.session(), call)) {
    const ExpressionPlace before = binder.place();
    try {
      return BindBuiltin(binder, call);
    } catch (const Error& error) {
      if (error.sqlstate() != std::string_view(sqlstate::kUndefinedFunction)) throw;
      binder.place() = before;
    }
  }
  const std::vector<FunctionEntryRef> aggregates = AggregatesOf(binder.session(), call);
  if (!aggregates.empty()) return BindStoredAggregate(binder, call, aggregates);
  if (auto use = FindFunctionUse(binder, call)) return BindFunctionValue(binder, std::move(*use));
  return BindBuiltin(binder, call);
}

}  // namespace scaup
