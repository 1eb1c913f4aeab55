// Resolves calls of functions that users define: which overload the arguments fit, and with which defaults.
#include "binder/scope/function_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/hosted_functions.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "function/defined_functions.hpp"
#include "function/window/window_function.hpp"
#include "parser/parser.hpp"
#include "system/table_function_registry.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

/// The arguments of a call in the places of a function's inputs.
struct Fit {
  FunctionEntryRef function;
  std::vector<std::optional<size_t>> places;  ///< by input: the argument of the call; none: the default
  int cost = 0;
  int unlike_text = 0;  ///< the number of untyped arguments in places of other types than VARCHAR
};

/// Returns the functions that have the name of a call. `database` becomes theirs, if it is not the context's.
std::vector<FunctionEntryRef> OverloadsOf(const BindSession& session, const ast::FunctionCall& call,
                                          const DatabaseView** database = nullptr) {
  const BinderContext& context = session.context();
  const size_t parts = call.name.size();
  if (parts > 3) return {};
  if (parts > 1) {
    const BindSession::NamePlace place = session.PlaceOf(parts == 3 ? call.name[0] : "", call.name[parts - 2],
                                                         call.name.back(), call.position);
    if (database != nullptr) *database = place.database;
    if (place.database == nullptr)
      return FunctionsNamed(context.catalog, context.transaction, place.schema, call.name.back());
    return FunctionsNamed(*place.database->catalog, *place.database->transaction, place.schema,
                          call.name.back());
  }
  // A view means the function that it was made with, whatever temporary macros there are now.
  return FunctionsNamed(context.catalog, context.transaction, session.SchemaOfName(""), call.name.back());
}

/// Returns where the arguments go; nothing if their number or names do not fit.
std::optional<Fit> PlacesFor(const FunctionEntryRef& function, const std::vector<std::string>& names) {
  const std::vector<FunctionArgument> inputs = function->inputs();
  Fit fit{function, std::vector<std::optional<size_t>>(inputs.size())};
  for (size_t i = 0; i < names.size(); i++) {
    size_t place = i;
    if (!names[i].empty()) {
      const auto named = std::find_if(inputs.begin(), inputs.end(),
                                      [&](const FunctionArgument& input) { return input.name == names[i]; });
      place = static_cast<size_t>(named - inputs.begin());
    }
    if (place >= inputs.size() || fit.places[place]) return std::nullopt;
    fit.places[place] = i;
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!fit.places[i] && inputs[i].default_text.empty()) return std::nullopt;
  }
  return fit;
}

/// Adds the cost of converting the arguments. Returns false if one cannot be converted implicitly.
bool AddCost(const std::vector<ExpressionPtr>& arguments, Fit& fit) {
  const std::vector<FunctionArgument> inputs = fit.function->inputs();
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!fit.places[i] || inputs[i].type.id() == TypeId::kNull) continue;
    const Expression& argument = *arguments[*fit.places[i]];
    if (IsUntyped(argument)) {
      fit.unlike_text += inputs[i].type.id() == TypeId::kVarchar ? 0 : 1;
      continue;
    }
    const auto cost = ImplicitCastCost(argument.type(), inputs[i].type);
    if (!cost) return false;
    fit.cost += *cost;
  }
  return true;
}

[[noreturn]] void ThrowNoFit(const std::vector<FunctionEntryRef>& overloads, const ast::FunctionCall& call,
                             const std::vector<ExpressionPtr>& arguments, bool is_ambiguous) {
  std::string types, candidates;
  for (const ExpressionPtr& argument : arguments) {
    types += types.empty() ? "" : ", ";
    types += IsUntyped(*argument) ? "unknown" : argument->type().ToString();
  }
  for (const FunctionEntryRef& overload : overloads)
    candidates += (candidates.empty() ? "" : ", ") + overload->signature();
  ThrowError(ErrorKind::kBinder, is_ambiguous ? "42725" : sqlstate::kUndefinedFunction,
             fmt::format("function {}({}) {}: there {} {}", call.name.back(), types,
                         is_ambiguous ? "is not unique" : "does not exist",
                         overloads.size() == 1 ? "is" : "are", candidates),
             call.position);
}

void RequirePlain(const ast::FunctionCall& call) {
  const char* what = call.star                ? "(*)"
                     : call.distinct          ? "DISTINCT"
                     : call.filter            ? "FILTER"
                     : call.over              ? "OVER"
                     : call.within_group      ? "WITHIN GROUP"
                     : !call.order_by.empty() ? "ORDER BY"
                                              : nullptr;
  if (what == nullptr) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
             fmt::format("{} specified, but {} is not an aggregate function", what, call.name.back()),
             call.position);
}

/// Refuses f(a => 1, 2): what has no name would go to a place that is hard to see.
void CheckOrder(const ast::FunctionCall& call) {
  bool is_named = false;
  for (size_t i = 0; i < call.arguments.size(); i++) {
    if (is_named && call.argument_names[i].empty()) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "positional argument cannot follow named argument", call.arguments[i]->position);
    }
    is_named = is_named || !call.argument_names[i].empty();
  }
}

/// Chooses the overload that needs the least conversions.
Fit ChooseFit(const std::vector<FunctionEntryRef>& overloads, const ast::FunctionCall& call,
              const std::vector<ExpressionPtr>& arguments, const std::vector<std::string>& names) {
  std::optional<Fit> best;
  bool is_ambiguous = false;
  for (const FunctionEntryRef& overload : overloads) {
    std::optional<Fit> fit = PlacesFor(overload, names);
    if (!fit || !AddCost(arguments, *fit)) continue;
    // Between two that cost the same, literals without a type are texts, and then fewer defaults decide.
    const auto rank = [](const Fit& each) {
      return std::tuple(each.cost, each.unlike_text, each.places.size());
    };
    if (best && rank(*fit) == rank(*best)) is_ambiguous = true;
    if (best && rank(*fit) >= rank(*best)) continue;
    best = std::move(fit);
    is_ambiguous = false;
  }
  if (!best || is_ambiguous) ThrowNoFit(overloads, call, arguments, is_ambiguous);
  return std::move(*best);
}

void NoteUse(BindSession& session, const FunctionEntryRef& function) {
  if (session.context().called != nullptr) session.context().called->push_back(function);
  if (IsTemporarySchema(function->schema)) session.uses_temporary_function = true;
}

}  // namespace

bool IsBuiltinFunction(const BindSession& session, const std::string& name) {
  const FunctionRegistry& registry = session.context().registry;
  return std::any_of(AllDefinedFunctions().begin(), AllDefinedFunctions().end(),
                     [&](const DefinedFunction& function) { return function.name == name; }) ||
         !registry.ScalarOverloads(name).empty() || !registry.AggregateOverloads(name).empty() ||
         FindWindowFunction(name) != nullptr || FindFunctionAlias(name) != nullptr ||
         TableFunctionRegistry::Builtin().Find(name) != nullptr || TypeFromName(name).has_value();
}

bool IsHiddenByBuiltin(const BindSession& session, const ast::FunctionCall& call) {
  if (call.name.size() != 1) return false;
  const std::vector<FunctionEntryRef> overloads = OverloadsOf(session, call);
  if (overloads.empty() || !IsBuiltinFunction(session, call.name[0])) return false;
  const SearchPath* const path = SearchPath::Of(session.context().transaction);
  return path == nullptr || !path->IsBeforeSystem(overloads.front()->schema);
}

std::optional<FunctionUse> FindFunctionUse(ExpressionBinder& binder, const ast::FunctionCall& call) {
  BindSession& session = binder.session();
  const DatabaseView* database = nullptr;
  const std::vector<FunctionEntryRef> overloads = OverloadsOf(session, call, &database);
  if (overloads.empty()) return std::nullopt;
  RequirePlain(call);
  CheckOrder(call);
  std::vector<ExpressionPtr> arguments;
  std::vector<std::string> names;
  for (ListedValue& listed : BindListed(binder, call.arguments)) {
    arguments.push_back(std::move(listed.value));
    names.push_back(call.argument_names[listed.source]);
  }
  Fit fit = ChooseFit(overloads, call, arguments, names);
  if (fit.function->is_trigger()) {
    ThrowNotSupported(fmt::format("trigger function {} can only be called as a trigger: CREATE TRIGGER",
                                  fit.function->signature()),
                      call.position);
  }
  NoteUse(session, fit.function);
  FunctionUse use{fit.function, {}, call.position, database};
  const std::vector<FunctionArgument> inputs = fit.function->inputs();
  for (size_t i = 0; i < inputs.size(); i++) {
    ExpressionPtr value;
    if (fit.places[i]) {
      value = std::move(arguments[*fit.places[i]]);
    } else {
      QueryLevel nothing;
      ExpressionBinder defaults(session, nothing, binder.place().clause());
      const StoredTextScope scope(session);
      value = defaults.Bind(*Parser().ParseExpression(inputs[i].default_text, call.position));
    }
    if (inputs[i].type.id() != TypeId::kNull) value = Coerce(session, std::move(value), inputs[i].type);
    use.arguments.push_back(std::move(value));
  }
  return use;
}

std::vector<FunctionEntryRef> AggregatesOf(const BindSession& session, const ast::FunctionCall& call) {
  std::vector<FunctionEntryRef> overloads = OverloadsOf(session, call);
  std::erase_if(overloads, [](const FunctionEntryRef& overload) { return !overload->is_aggregate(); });
  return overloads;
}

std::vector<FunctionEntryRef> HostedRowsOf(const BindSession& session, const ast::FunctionCall& call) {
  std::vector<FunctionEntryRef> overloads = OverloadsOf(session, call);
  std::erase_if(overloads, [](const FunctionEntryRef& overload) {
    return !overload->is_hosted() || overload->result != FunctionResult::kRows;
  });
  if (!overloads.empty() && IsHiddenByBuiltin(session, call)) return {};
  return overloads;
}

void NoteStoredCall(BindSession& session, const FunctionEntryRef& function, size_t position) {
  NoteUse(session, function);
  if (session.context().hosted != nullptr) session.context().hosted->NoteCall(function, position);
}

std::optional<FunctionResult> ResultOfUse(const BindSession& session, const ast::FunctionCall& call) {
  const std::vector<FunctionEntryRef> overloads = OverloadsOf(session, call);
  if (overloads.empty() || IsHiddenByBuiltin(session, call)) return std::nullopt;
  for (const FunctionEntryRef& overload : overloads) {
    if (PlacesFor(overload, call.argument_names)) return overload->result;
  }
  return overloads[0]->result;
}

}  // namespace scaup
