// Short ways to make bound expressions in tests.
#pragma once

#include "expression/expression.hpp"
#include "function/function_registry.hpp"

namespace scaup::test {

inline ExpressionPtr Constant(Value value) { return std::make_unique<ConstantExpression>(std::move(value)); }
inline ExpressionPtr Reference(LogicalType type, size_t index) {
  return std::make_unique<ReferenceExpression>(type, index, "c" + std::to_string(index));
}
template <typename... Parts>
std::vector<ExpressionPtr> List(Parts... parts) {
  std::vector<ExpressionPtr> list;
  (list.push_back(std::move(parts)), ...);
  return list;
}
inline ExpressionPtr Call(std::string_view name, std::vector<ExpressionPtr> arguments) {
  std::vector<BindArgument> types;
  for (const auto& argument : arguments) types.push_back({argument->type(), nullptr});
  ResolvedScalar resolved = ResolveScalar(FunctionRegistry::Builtin(), name, types);
  for (size_t i = 0; i < arguments.size(); i++) {
    const LogicalType wanted = i < resolved.function.argument_types.size()
                                   ? resolved.function.argument_types[i]
                                   : *resolved.function.varargs;
    arguments[i] = AddCast(std::move(arguments[i]), wanted);
  }
  return std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                              std::move(arguments));
}
inline ExpressionPtr Compare(ComparisonOp op, ExpressionPtr left, ExpressionPtr right) {
  return std::make_unique<ComparisonExpression>(op, std::move(left), std::move(right));
}
inline ExpressionPtr Junction(bool is_and, std::vector<ExpressionPtr> children) {
  return std::make_unique<ConjunctionExpression>(is_and, std::move(children));
}
inline ExpressionPtr Not(ExpressionPtr child) { return std::make_unique<NotExpression>(std::move(child)); }
inline ExpressionPtr IsNull(ExpressionPtr child, bool negated) {
  return std::make_unique<IsNullExpression>(std::move(child), negated);
}
/// CASE WHEN condition THEN result ELSE otherwise END
inline ExpressionPtr When(ExpressionPtr condition, ExpressionPtr result, ExpressionPtr otherwise) {
  const LogicalType type = result->type();
  std::vector<CaseExpression::Branch> branches;
  branches.push_back({std::move(condition), std::move(result)});
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(otherwise));
}

}  // namespace scaup::test
