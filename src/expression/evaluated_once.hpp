// Expressions over values that are computed once for each row, however often they occur.
#pragma once

#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace scaup {

/// The body of a call whose arguments are computed first. Its ReferenceExpressions count the arguments.
/// Immutable.
struct OnceData final : FunctionData {
  ExpressionPtr body;

  bool IsSame(const FunctionData& other) const override;
};

/// Makes an expression whose value is that of `body` over the arguments. `name` is for EXPLAIN and errors.
/// The body has neither columns, parameters, aggregates, window functions nor subqueries of its own.
ExpressionPtr MakeEvaluatedOnce(std::string name, ExpressionPtr body, std::vector<ExpressionPtr> arguments);
/// Returns the body of such a call; null for other calls.
const Expression* OnceBodyOf(const FunctionExpression& call);

}  // namespace scaup
