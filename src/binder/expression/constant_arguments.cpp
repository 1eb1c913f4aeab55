// Finds arguments that read no column and call no volatile function.
#include "binder/expression/constant_arguments.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "binder/bound/subquery_expression.hpp"
#include "common/stack_bound.hpp"
#include "function/constant_arguments.hpp"

namespace scaup {

namespace {

/// Returns whether an expression has a value of its own for each row or group: aggregates, sets, and the
/// variables of lambdas.
bool VariesByItself(const Expression& expression) {
  CheckStack();
  switch (expression.kind()) {
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kReference: return true;
    default: break;
  }
  bool varies = expression.kind() == ExpressionKind::kFunction &&
                expression.As<FunctionExpression>().function.returns_set;
  expression.ForEachChild([&](const Expression& child) { varies = varies || VariesByItself(child); });
  return varies;
}

bool IsConstant(Expression& argument) {
  if (VariesByItself(argument) || !IsDeterministicThroughout(argument)) return false;
  bool reads = false;
  ForEachFreeReference(argument, [&](ColumnRefExpression&, size_t) { reads = true; });
  return !reads;
}

}  // namespace

std::shared_ptr<const FunctionData> NoteConstants(std::shared_ptr<const FunctionData> data,
                                                  const std::vector<ExpressionPtr>& arguments) {
  const auto* const aware = dynamic_cast<const ConstantAwareData*>(data.get());
  if (aware == nullptr) return data;
  std::vector<bool> is_constant;
  for (const ExpressionPtr& argument : arguments) is_constant.push_back(IsConstant(*argument));
  if (std::ranges::find(is_constant, true) == is_constant.end()) return data;
  auto noted = aware->ForConstants(std::move(is_constant));
  return noted ? noted : data;
}

}  // namespace scaup
