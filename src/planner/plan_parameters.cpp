// Parameters of plans: substitution, values and positions.
#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "planner/planner.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

void Substitute(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kParameter) {
    expression->ForEachChild([&](ExpressionPtr& child) { Substitute(child, values, zone); });
    return;
  }
  auto constant = std::make_unique<ConstantExpression>(
      ParameterValue(expression->As<ParameterExpression>(), values, zone));
  // The alias is the name of a result column, and the position serves errors of later passes.
  constant->alias = expression->alias;
  constant->position = expression->position;
  expression = std::move(constant);
}

void ForgetPositions(Expression& expression) {
  CheckStack();
  expression.position.reset();
  expression.ForEachChild([](ExpressionPtr& child) { ForgetPositions(*child); });
}

}  // namespace

Value ParameterValue(const ParameterExpression& parameter, std::span<const Value> values,
                     const TimeZone& zone) {
  if (parameter.index >= values.size()) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedParameter,
        fmt::format("there is no value for parameter ${}: {} given", parameter.index + 1, values.size()),
        parameter.position);
  }
  Value value;
  if (!CastValue(values[parameter.index], parameter.type(), value, &zone)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("the value of parameter ${} cannot be converted to {}: {}", parameter.index + 1,
                           parameter.type().ToString(), values[parameter.index].ToString()),
               parameter.position);
  }
  return value;
}

void SubstituteParameters(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  Substitute(expression, values, zone);
}

void ForgetPositions(LogicalOperator& plan) {
  CheckStack();
  plan.ForEachExpression([](ExpressionPtr& expression) { ForgetPositions(*expression); });
  for (auto& child : plan.children) ForgetPositions(*child);
}

void SubstituteParameters(LogicalOperator& plan, std::span<const Value> values, const TimeZone& zone) {
  CheckStack();
  plan.ForEachExpression([&](ExpressionPtr& expression) { Substitute(expression, values, zone); });
  for (auto& child : plan.children) SubstituteParameters(*child, values, zone);
}

}  // namespace scaup
