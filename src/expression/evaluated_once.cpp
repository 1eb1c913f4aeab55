// Makes calls whose arguments are computed once.
#include "expression/evaluated_once.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Marks calls with a body, which the executor evaluates itself.
void RunBody(const ScalarCall&, DataChunk&, Vector&) {
  ThrowInternal("a function's body was called without its expression");
}

Volatility VolatilityWithin(const Expression& expression) {
  CheckStack();
  Volatility volatility = Volatility::kImmutable;
  if (expression.kind() == ExpressionKind::kFunction)
    volatility = expression.As<FunctionExpression>().function.volatility;
  expression.ForEachChild(
      [&](const Expression& child) { volatility = std::max(volatility, VolatilityWithin(child)); });
  return volatility;
}

}  // namespace

bool OnceData::IsSame(const FunctionData& other) const {
  const auto* that = dynamic_cast<const OnceData*>(&other);
  return that != nullptr && body->Equals(*that->body);
}

ExpressionPtr MakeEvaluatedOnce(std::string name, ExpressionPtr body, std::vector<ExpressionPtr> arguments) {
  ScalarFunction function;
  function.name = std::move(name);
  function.argument_types = TypesOf(arguments);
  function.return_type = body->type();
  function.kernel = &RunBody;
  function.nulls = NullHandling::kSpecial;
  function.can_fail = !CannotFail(*body);
  function.volatility = VolatilityWithin(*body);
  auto data = std::make_unique<OnceData>();
  data->body = std::move(body);
  return std::make_unique<FunctionExpression>(std::move(function), std::move(data), std::move(arguments));
}

const Expression* OnceBodyOf(const FunctionExpression& call) {
  return call.function.kernel == &RunBody ? static_cast<const OnceData&>(*call.data).body.get() : nullptr;
}

}  // namespace scaup
