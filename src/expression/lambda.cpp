// Calls of functions with lambdas.
#include "expression/lambda.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Marks calls with a lambda, which the executor evaluates itself.
void RunLambda(const ScalarCall&, DataChunk&, Vector&) {
  ThrowInternal("a lambda was called without its expression");
}

bool AreSame(const ExpressionPtr& a, const ExpressionPtr& b) {
  return a == nullptr || b == nullptr ? a == b : a->Equals(*b);
}

Volatility VolatilityOf(const Expression& expression) {
  CheckStack();
  Volatility volatility = Volatility::kImmutable;
  if (expression.kind() == ExpressionKind::kFunction)
    volatility = expression.As<FunctionExpression>().function.volatility;
  expression.ForEachChild(
      [&](const Expression& child) { volatility = std::max(volatility, VolatilityOf(child)); });
  return volatility;
}

}  // namespace

bool LambdaData::IsSame(const FunctionData& other) const {
  const auto* that = dynamic_cast<const LambdaData*>(&other);
  return that != nullptr && that->use == use && that->has_initial == has_initial &&
         AreSame(body, that->body) && AreSame(condition, that->condition);
}

std::string LambdaData::ToString() const {
  std::string text;
  if (body) text += ", lambda: " + body->ToString();
  if (condition) text += (body ? " if " : ", lambda: ") + condition->ToString();
  return text;
}

ExpressionPtr MakeLambdaCall(std::string name, std::unique_ptr<LambdaData> lambda,
                             std::vector<ExpressionPtr> arguments, const LogicalType& return_type) {
  SCAUP_CHECK(!arguments.empty() && arguments[0]->type().id() == TypeId::kList);
  ScalarFunction function;
  function.name = std::move(name);
  function.argument_types = TypesOf(arguments);
  function.return_type = return_type;
  function.kernel = &RunLambda;
  function.nulls = NullHandling::kSpecial;
  // Without an initial value, a list without elements is an error.
  function.can_fail = lambda->use == LambdaUse::kReduce && !lambda->has_initial;
  for (const Expression* part : {lambda->body.get(), lambda->condition.get()}) {
    if (part == nullptr) continue;
    function.can_fail = function.can_fail || !CannotFail(*part);
    function.volatility = std::max(function.volatility, VolatilityOf(*part));
  }
  return std::make_unique<FunctionExpression>(std::move(function), std::move(lambda), std::move(arguments));
}

const LambdaData* LambdaOf(const FunctionExpression& call) {
  return call.function.kernel == &RunLambda ? static_cast<const LambdaData*>(call.data.get()) : nullptr;
}

}  // namespace scaup
