// Chooses the overload of a function for given arguments, and explains if none fits.
#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "function/function_registry.hpp"
#include "function/window/window_function.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {
namespace {

bool IsGenericDecimal(const LogicalType& type) { return type.id() == TypeId::kDecimal && type.width() == 0; }

bool IsAnyList(const LogicalType& type) {
  return type.id() == TypeId::kList && type.element().id() == TypeId::kNull;
}

bool IsAnyMap(const LogicalType& type) {
  return IsMap(type) && MapKeyType(type).id() == TypeId::kNull && MapValueType(type).id() == TypeId::kNull;
}

/// Whether a parameter stands for ranges, or multiranges, of any type.
bool IsAnyRange(const LogicalType& type) {
  return IsRangeOrMultirange(type.id()) && RangeBoundType(type).id() == TypeId::kNull;
}

/// Whether larger integers are accepted for INTEGER parameters, and UBIGINT for BIGINT. Counts and positions
/// are often BIGINT (elements of series, paths of documents, columns of CSV files). A value out of INTEGER's
/// range is an error at run time.
enum class Narrowing : bool { kNo, kYes };
constexpr int kCostOfNarrowing = 1000;

/// Like ImplicitCastCost, for parameters that stand for a DECIMAL of any width or, with any_types, for any
/// type.
std::optional<int> ParameterCost(const LogicalType& argument, const LogicalType& parameter, bool any_types,
                                 Narrowing narrowing) {
  if (argument.id() == TypeId::kNull) return 0;
  const bool is_large = argument.id() == TypeId::kBigInt || argument.id() == TypeId::kHugeInt ||
                        argument.id() == TypeId::kUInteger || argument.id() == TypeId::kUBigInt;
  if (narrowing == Narrowing::kYes && is_large && parameter.id() == TypeId::kInteger) return kCostOfNarrowing;
  if (narrowing == Narrowing::kYes && argument.id() == TypeId::kUBigInt && parameter.id() == TypeId::kBigInt)
    return kCostOfNarrowing - 1;
  // Between an exact match and any cast. A list costs more, so that overloads for lists are preferred.
  if (any_types && parameter.id() == TypeId::kNull) return argument.id() == TypeId::kList ? 3 : 1;
  if (any_types && IsAnyList(parameter)) {
    return argument.id() == TypeId::kList && !IsMap(argument) ? std::optional(1) : std::nullopt;
  }
  if (any_types && IsAnyMap(parameter)) return IsMap(argument) ? std::optional(1) : std::nullopt;
  // A range is rather a range than a value that another range may have.
  if (any_types && IsAnyRange(parameter))
    return argument.id() == parameter.id() ? std::optional(0) : std::nullopt;
  if (!IsGenericDecimal(parameter)) return ImplicitCastCost(argument, parameter);
  if (argument.id() == TypeId::kDecimal) return 0;
  if (argument.IsInteger()) return ImplicitCastCost(argument, DecimalForInteger(argument));
  return std::nullopt;
}

std::optional<LogicalType> VarargsOf(const ScalarFunction& function) { return function.varargs; }
std::optional<LogicalType> VarargsOf(const AggregateFunction&) { return std::nullopt; }

/// The total cost of calling `function`; nullopt if it does not fit.
template <typename Function>
std::optional<int> CallCost(const Function& function, std::span<const BindArgument> arguments,
                            Narrowing narrowing) {
  const size_t fixed = function.argument_types.size();
  const std::optional<LogicalType> varargs = VarargsOf(function);
  if (varargs ? arguments.size() <= fixed : arguments.size() != fixed) return std::nullopt;
  int total = 0;
  for (size_t i = 0; i < arguments.size(); i++) {
    const auto cost = ParameterCost(arguments[i].type, i < fixed ? function.argument_types[i] : *varargs,
                                    function.any_types, narrowing);
    if (!cost) return std::nullopt;
    total += *cost;
  }
  return total;
}

/// The number of parameters of preferred types: DOUBLE among numbers, VARCHAR among other types. As in
/// PostgreSQL, they decide between overloads of equal cost.
template <typename Function>
int PreferredParameters(const Function& function) {
  int preferred = 0;
  for (const LogicalType& type : function.argument_types) {
    preferred += type.id() == TypeId::kDouble || type.id() == TypeId::kVarchar;
  }
  return preferred;
}

template <typename Function>
std::string Signature(const Function& function) {
  std::string text = function.name + "(";
  for (size_t i = 0; i < function.argument_types.size(); i++) {
    const LogicalType& type = function.argument_types[i];
    text += (i == 0 ? "" : ", ") + (type.id() == TypeId::kNull ? "any"
                                    : IsAnyList(type)          ? "any[]"
                                    : IsAnyMap(type)           ? "map(any, any)"
                                                               : PostgresTypeName(type));
  }
  if (VarargsOf(function)) text += function.argument_types.empty() ? "any, ..." : ", ...";
  return text + ")";
}

std::string CallText(std::string_view name, std::span<const BindArgument> arguments) {
  std::string text = std::string(name) + "(";
  for (size_t i = 0; i < arguments.size(); i++)
    text += (i == 0 ? "" : ", ") + PostgresTypeName(arguments[i].type);
  return text + ")";
}

bool IsOperatorName(std::string_view name) {
  return name.find_first_of("abcdefghijklmnopqrstuvwxyz_") == name.npos;
}

/// The most similar function name; "" if none is near.
std::string NearestName(const FunctionRegistry& registry, std::string_view name) {
  std::vector<std::string> names;
  for (const ScalarFunction* function : registry.AllScalar()) names.push_back(function->name);
  for (const AggregateFunction* function : registry.AllAggregate()) names.push_back(function->name);
  for (const WindowFunction& function : BuiltinWindowFunctions()) names.push_back(function.name);
  return MostSimilar(name, names);
}

template <typename Function>
[[noreturn]] void ThrowNoMatch(const FunctionRegistry& registry, std::string_view name,
                               std::span<const BindArgument> arguments,
                               const std::vector<const Function*>& candidates, bool is_ambiguous) {
  std::string message;
  if (IsOperatorName(name)) {
    message = "operator " + (arguments.size() == 2 ? PostgresTypeName(arguments[0].type) + " " : "") +
              std::string(name) + (arguments.empty() ? "" : " " + PostgresTypeName(arguments.back().type));
  } else {
    message = "function " + CallText(name, arguments);
  }
  message += is_ambiguous ? " is not unique" : " does not exist";
  if (!candidates.empty()) {
    message += is_ambiguous ? "; cast the arguments to fit one of: " : "; there is: ";
    constexpr size_t kMost = 8;
    for (size_t i = 0; i < std::min(candidates.size(), kMost); i++) {
      message += (i == 0 ? "" : ", ") + Signature(*candidates[i]);
    }
    if (candidates.size() > kMost) message += ", ...";
  } else if (const std::string nearest = NearestName(registry, name);
             !IsOperatorName(name) && !nearest.empty()) {
    message += "; did you mean " + nearest + "?";
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction, message);
}

/// The overloads of least cost.
template <typename Function>
std::vector<const Function*> BestOf(std::span<const Function> overloads,
                                    std::span<const BindArgument> arguments, Narrowing narrowing) {
  std::vector<const Function*> best;
  int least = 0;
  for (const Function& function : overloads) {
    const auto cost = CallCost(function, arguments, narrowing);
    if (!cost || (!best.empty() && *cost > least)) continue;
    if (!best.empty() && *cost < least) best.clear();
    least = *cost;
    best.push_back(&function);
  }
  return best;
}

template <typename Function>
const Function& Choose(const FunctionRegistry& registry, std::string_view name,
                       std::span<const Function> overloads, std::span<const BindArgument> arguments) {
  std::vector<const Function*> best = BestOf(overloads, arguments, Narrowing::kNo);
  if (best.empty()) best = BestOf(overloads, arguments, Narrowing::kYes);
  if (best.empty()) {
    std::vector<const Function*> all;
    for (const Function& function : overloads) all.push_back(&function);
    ThrowNoMatch(registry, name, arguments, all, false);
  }
  int most = 0;
  for (const Function* function : best) most = std::max(most, PreferredParameters(*function));
  std::erase_if(best, [&](const Function* function) { return PreferredParameters(*function) < most; });
  // If NULLs of unknown type leave the choice open, it does not matter: the first overload serves.
  const bool has_unknown = std::any_of(arguments.begin(), arguments.end(), [](const BindArgument& argument) {
    return argument.type.id() == TypeId::kNull;
  });
  if (best.size() > 1 && !has_unknown) ThrowNoMatch(registry, name, arguments, best, true);
  return *best.front();
}

}  // namespace

ResolvedScalar ResolveScalar(const FunctionRegistry& registry, std::string_view name,
                             std::span<const BindArgument> arguments) {
  ResolvedScalar resolved{Choose(registry, name, registry.ScalarOverloads(name), arguments), nullptr};
  ScalarFunction& function = resolved.function;
  if (function.varargs) function.argument_types.resize(arguments.size(), *function.varargs);
  resolved.data = function.data;
  if (function.bind != nullptr) resolved.data = function.bind(function, arguments);
  return resolved;
}

ResolvedAggregate ResolveAggregate(const FunctionRegistry& registry, std::string_view name,
                                   std::span<const BindArgument> arguments) {
  ResolvedAggregate resolved{Choose(registry, name, registry.AggregateOverloads(name), arguments), nullptr};
  resolved.data = resolved.function.data;
  if (resolved.function.bind != nullptr) resolved.data = resolved.function.bind(resolved.function, arguments);
  return resolved;
}

}  // namespace scaup
