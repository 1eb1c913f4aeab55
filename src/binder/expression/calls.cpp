// Calls of scalar and aggregate functions: overload resolution, types of untyped arguments, casts.
#include <algorithm>
#include <deque>
#include <optional>
#include <span>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/constant_arguments.hpp"
#include "binder/scope/aggregate_source.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "common/throw.hpp"
#include "type/physical_type.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

bool IsGenericDecimal(const LogicalType& type) { return type.id() == TypeId::kDecimal && type.width() == 0; }

/// Returns the list that a call of list_value over constants makes; nullopt for all other expressions.
std::optional<Value> ListOfConstants(const Expression& expression) {
  if (expression.kind() != ExpressionKind::kFunction) return std::nullopt;
  const auto& call = expression.As<FunctionExpression>();
  if (call.function.name != "list_value") return std::nullopt;
  std::vector<Value> elements;
  for (const auto& element : call.arguments) {
    if (element->kind() != ExpressionKind::kConstant || element->type() != call.type().element())
      return std::nullopt;
    elements.push_back(element->As<ConstantExpression>().value);
  }
  return Value::List(call.type().element(), elements);
}

/// The arguments of a call as functions see them when they are bound. Borrows the expressions.
class GivenArguments {
 public:
  explicit GivenArguments(const std::vector<ExpressionPtr>& arguments) {
    for (const auto& argument : arguments) {
      const Value* constant = nullptr;
      if (argument->kind() == ExpressionKind::kConstant && !IsUntyped(*argument)) {
        constant = &argument->As<ConstantExpression>().value;
      } else if (std::optional<Value> list = ListOfConstants(*argument)) {
        constant = &lists_.emplace_back(std::move(*list));
      }
      arguments_.push_back({argument->type(), constant});
    }
  }
  std::span<const BindArgument> arguments() const { return arguments_; }

 private:
  std::deque<Value> lists_;  // does not move them
  std::vector<BindArgument> arguments_;
};

/// Whether a function takes ranges of any type: a text is none of them, unlike a value of any type.
template <typename Function>
bool TakesRanges(const Function& function) {
  return std::any_of(function.argument_types.begin(), function.argument_types.end(),
                     [](const LogicalType& type) { return IsRangeOrMultirange(type.id()); });
}

bool HasUntyped(const std::vector<ExpressionPtr>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const auto& argument) { return IsUntyped(*argument); });
}

/// Calls a resolver and adds the call's position to its error.
template <typename Resolve>
auto WithPosition(std::optional<size_t> position, const Resolve& resolve) {
  try {
    return resolve();
  } catch (Error& error) {
    error.SetPositionIfUnknown(position);
    throw;
  }
}

/// PostgreSQL's rule for operators: an untyped operand has the type of the other one, if such an operator
/// exists.
template <typename Function>
void TypeLikeOtherOperand(BindSession& session, std::span<const Function> overloads,
                          std::vector<ExpressionPtr>& operands) {
  if (operands.size() != 2 || IsUntyped(*operands[0]) == IsUntyped(*operands[1])) return;
  ExpressionPtr& untyped = IsUntyped(*operands[0]) ? operands[0] : operands[1];
  const LogicalType other = (IsUntyped(*operands[0]) ? operands[1] : operands[0])->type();
  const auto takes = [&](const LogicalType& parameter) {
    return parameter == other || (other.id() == TypeId::kDecimal && IsGenericDecimal(parameter));
  };
  for (const Function& function : overloads) {
    if (function.argument_types.size() != 2 || !takes(function.argument_types[0]) ||
        !takes(function.argument_types[1]))
      continue;
    untyped = other.id() == TypeId::kDecimal ? CoerceToNumber(session, std::move(untyped), other)
                                             : Coerce(session, std::move(untyped), other);
    return;
  }
}

/// Gives untyped arguments the types of the chosen overload's parameters.
void TypeByParameters(BindSession& session, const std::vector<LogicalType>& parameters,
                      std::vector<ExpressionPtr>& arguments) {
  for (size_t i = 0; i < arguments.size(); i++) {
    if (!IsUntyped(*arguments[i])) continue;
    const LogicalType type = i < parameters.size() ? parameters[i] : LogicalType(TypeId::kNull);
    if (type.id() == TypeId::kNull) {
      arguments[i] = Settle(session, std::move(arguments[i]));
    } else if (IsGenericDecimal(type)) {
      arguments[i] = CoerceToNumber(session, std::move(arguments[i]), LogicalType::Decimal(18, 3));
    } else {
      arguments[i] = Coerce(session, std::move(arguments[i]), type);
    }
  }
}

void CastToParameters(const std::vector<LogicalType>& parameters, std::vector<ExpressionPtr>& arguments) {
  for (size_t i = 0; i < arguments.size() && i < parameters.size(); i++) {
    LogicalType type = parameters[i];
    if (type.id() == TypeId::kNull) continue;
    if (IsGenericDecimal(type)) type = DecimalForInteger(arguments[i]->type());
    if (IsGenericDecimal(type) || (type.id() == TypeId::kDecimal && type.width() == 0)) continue;
    arguments[i] = AddCast(std::move(arguments[i]), type);
  }
}

/// Types untyped arguments: by the other operand, or else by the overload that is the best match for the
/// rest.
template <typename Function, typename Resolve>
void TypeArguments(BindSession& session, std::span<const Function> overloads,
                   std::vector<ExpressionPtr>& arguments, const Resolve& resolve) {
  TypeLikeOtherOperand(session, overloads, arguments);
  if (!HasUntyped(arguments)) return;
  const bool all_untyped =
      std::all_of(arguments.begin(), arguments.end(), [](const auto& a) { return IsUntyped(*a); });
  const bool takes_any = std::any_of(overloads.begin(), overloads.end(),
                                     [](const Function& f) { return f.any_types && !TakesRanges(f); });
  if (all_untyped && takes_any) {
    for (auto& argument : arguments) argument = Settle(session, std::move(argument));
    return;
  }
  TypeByParameters(session, resolve(GivenArguments(arguments)).function.argument_types, arguments);
}

bool IsAnyOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Makes aggregates follow the collation of texts, or refuses those that do not.
void FitAggregate(BindSession& session, std::string_view name, std::vector<ExpressionPtr>& arguments,
                  bool is_distinct) {
  if (IsAnyOf(name, {"arg_min", "arg_max", "min_by", "max_by"}) && arguments.size() > 1)
    arguments[1] = CollationKeyOf(session, std::move(arguments[1]), KeyUse::kOrder);
  if (IsAnyOf(name, {"min", "max", "quantile", "quantile_disc", "median"}))
    RequireBytes(session, *arguments[0], KeyUse::kOrder, name);
  const bool counts = IsAnyOf(name, {"count", "approx_count_distinct"});
  const bool compares =
      is_distinct || IsAnyOf(name, {"mode", "histogram", "entropy", "approx_top_k", "approx_count_distinct"});
  if (!compares) return;
  for (ExpressionPtr& argument : arguments) {
    if (!counts) RequireBytes(session, *argument, KeyUse::kEquality, name);
    if (counts) argument = CollationKeyOf(session, std::move(argument), KeyUse::kEquality);
  }
}

/// Makes aggregates compare document values in the order of JSON values. Returns the name of the aggregate to
/// call.
std::string_view OrderArguments(BindSession& session, std::string_view name,
                                std::vector<ExpressionPtr>& arguments, bool is_distinct) {
  if (arguments.empty()) return name;
  const bool is_extreme = arguments.size() == 1 && (name == "min" || name == "max");
  if (is_extreme && IsMixedValue(session, *arguments[0]) && !HasSubquery(*arguments[0])) {
    // min and max must return the JSON value itself, not the bytes that it is ordered by.
    arguments.push_back(OrderOf(session, arguments[0]->Clone()));
    return name == "min" ? "arg_min" : "arg_max";
  }
  if (is_extreme) {
    if (const auto collation = CollationFor(session, {arguments[0].get()}, KeyUse::kOrder)) {
      if (HasSubquery(*arguments[0])) RequireBytes(session, *arguments[0], KeyUse::kOrder, name);
      arguments.push_back(KeyUnder(*collation, arguments[0]->Clone()));
      return name == "min" ? "arg_min" : "arg_max";
    }
  }
  FitAggregate(session, name, arguments, is_distinct);
  if (is_distinct || name == "mode" || name == "histogram" || name == "approx_count_distinct") {
    for (ExpressionPtr& argument : arguments) argument = NormalOf(session, std::move(argument));
  }
  return name;
}

/// Whether an operator or function computes in the common type of its arguments.
bool ComputesInCommonType(std::string_view name) {
  static constexpr std::string_view kNames[] = {"%",  "&",   "*",        "+",   "-",     "/",
                                                "|",  "#",   "coalesce", "div", "gcd",   "greatest",
                                                "if", "lcm", "least",    "mod", "nullif"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

/// Lets whole numbers of the text have the unsigned type of the arguments beside them.
void FitWholeNumbers(std::string_view name, std::vector<ExpressionPtr>& arguments) {
  LogicalType widest;
  for (const ExpressionPtr& argument : arguments) {
    if (!IsUnsigned(argument->type().id())) continue;
    widest = widest.id() == TypeId::kNull || PhysicalSize(widest) < PhysicalSize(argument->type())
                 ? argument->type()
                 : widest;
  }
  if (widest.id() == TypeId::kNull || !ComputesInCommonType(name)) return;
  for (ExpressionPtr& argument : arguments) FitWholeNumber(argument, widest);
}

}  // namespace

std::vector<ExpressionPtr> PairOf(ExpressionPtr first, ExpressionPtr second) {
  std::vector<ExpressionPtr> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

ExpressionPtr MakeScalarCall(BindSession& session, std::string_view name,
                             std::vector<ExpressionPtr> arguments, std::optional<size_t> position) {
  const FunctionRegistry& registry = session.context().registry;
  const auto resolve = [&](const GivenArguments& given) {
    return WithPosition(position, [&] { return ResolveScalar(registry, name, given.arguments()); });
  };
  FitArguments(session, name, registry.ScalarOverloads(name), arguments);
  if (ExpressionPtr chosen = ChooseByCollation(session, name, arguments)) {
    chosen->position = position;
    return chosen;
  }
  FitCollations(session, name, arguments);
  FitWholeNumbers(name, arguments);
  if (HasUntyped(arguments)) TypeArguments(session, registry.ScalarOverloads(name), arguments, resolve);
  ResolvedScalar resolved = resolve(GivenArguments(arguments));
  CastToParameters(resolved.function.argument_types, arguments);
  auto call = std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                                   std::move(arguments));
  call->position = position;
  if (call->function.data) call->data = NoteConstants(std::move(call->data), call->arguments);
  return call;
}

ExpressionPtr MakeAggregateCall(BindSession& session, std::string_view name,
                                std::vector<ExpressionPtr> arguments, bool distinct, ExpressionPtr filter,
                                std::optional<size_t> position, const AggregateSource* source) {
  const FunctionRegistry& registry = source != nullptr ? source->registry : session.context().registry;
  const auto resolve = [&](const GivenArguments& given) {
    return WithPosition(position, [&] { return ResolveAggregate(registry, name, given.arguments()); });
  };
  FitArguments(session, name, registry.AggregateOverloads(name), arguments);
  name = OrderArguments(session, name, arguments, distinct);
  if (HasUntyped(arguments)) TypeArguments(session, registry.AggregateOverloads(name), arguments, resolve);
  ResolvedAggregate resolved = resolve(GivenArguments(arguments));
  if (source != nullptr) source->note(resolved.function);
  CastToParameters(resolved.function.argument_types, arguments);
  const bool is_distinct = distinct && !resolved.function.ignores_duplicates;
  auto call = std::make_unique<AggregateExpression>(std::move(resolved.function), std::move(resolved.data),
                                                    std::move(arguments), is_distinct, std::move(filter));
  call->position = position;
  return call;
}

}  // namespace scaup
