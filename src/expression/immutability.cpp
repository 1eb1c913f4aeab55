// Tells whether the value of an expression depends on its row alone.
#include "expression/immutability.hpp"

#include <algorithm>
#include <string_view>

namespace scaup {

namespace {

/// Functions of zoned times that do not look at the session's zone.
constexpr std::string_view kWithoutZone[] = {"timezone", "epoch",    "epoch_ms", "epoch_us", "epoch_ns",
                                             "coalesce", "greatest", "least",    "nullif",   "@>",
                                             "<@",       "&&",       "lower",    "upper",    "isempty"};

bool IsZoned(const LogicalType& type) {
  if (type.id() == TypeId::kTimestampTz) return true;
  if (IsRangeOrMultirange(type.id())) return IsZoned(RangeBoundType(type));
  if (type.id() == TypeId::kList) return IsZoned(type.element());
  if (type.id() != TypeId::kStruct) return false;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [](const auto& field) { return IsZoned(field.type); });
}

bool DependsOnZone(const FunctionExpression& call) {
  const bool is_zoned = std::any_of(call.arguments.begin(), call.arguments.end(),
                                    [](const ExpressionPtr& argument) { return IsZoned(argument->type()); });
  // The difference of two times is the same in all zones, unlike the sum of one and an interval.
  const bool is_difference = call.function.name == "-" && !IsZoned(call.type());
  return is_zoned && !is_difference &&
         std::find(std::begin(kWithoutZone), std::end(kWithoutZone), call.function.name) ==
             std::end(kWithoutZone);
}

}  // namespace

bool IsImmutable(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kFunction) {
    const auto& call = expression.As<FunctionExpression>();
    if (call.function.volatility != Volatility::kImmutable || DependsOnZone(call)) return false;
  }
  if (expression.kind() == ExpressionKind::kCast) {
    const LogicalType& from = expression.As<CastExpression>().child->type();
    if (IsZoned(from) != IsZoned(expression.type())) return false;
  }
  bool is_immutable = true;
  expression.ForEachChild(
      [&](const Expression& child) { is_immutable = is_immutable && IsImmutable(child); });
  return is_immutable;
}

}  // namespace scaup
