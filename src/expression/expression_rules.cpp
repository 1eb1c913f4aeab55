// Expression rules: making casts and conjunctions, and facts about trees such as determinism.
#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/bound_call.hpp"
#include "expression/expression.hpp"
#include "expression/try_call.hpp"
#include "function/scalar/catalog/object_names.hpp"
#include "function/scalar/catalog/object_number.hpp"
#include "type/text/json_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

const char* ComparisonSymbol(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kEqual: return "=";
    case ComparisonOp::kNotEqual: return "<>";
    case ComparisonOp::kLess: return "<";
    case ComparisonOp::kLessEqual: return "<=";
    case ComparisonOp::kGreater: return ">";
    case ComparisonOp::kGreaterEqual: return ">=";
    case ComparisonOp::kDistinctFrom: return "IS DISTINCT FROM";
    case ComparisonOp::kNotDistinctFrom: return "IS NOT DISTINCT FROM";
  }
  return "?";
}

ComparisonOp FlipComparison(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kLess: return ComparisonOp::kGreater;
    case ComparisonOp::kLessEqual: return ComparisonOp::kGreaterEqual;
    case ComparisonOp::kGreater: return ComparisonOp::kLess;
    case ComparisonOp::kGreaterEqual: return ComparisonOp::kLessEqual;
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinctFrom:
    case ComparisonOp::kNotDistinctFrom: return op;
  }
  return op;
}

ComparisonOp NegateComparison(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kEqual: return ComparisonOp::kNotEqual;
    case ComparisonOp::kNotEqual: return ComparisonOp::kEqual;
    case ComparisonOp::kLess: return ComparisonOp::kGreaterEqual;
    case ComparisonOp::kLessEqual: return ComparisonOp::kGreater;
    case ComparisonOp::kGreater: return ComparisonOp::kLessEqual;
    case ComparisonOp::kGreaterEqual: return ComparisonOp::kLess;
    case ComparisonOp::kDistinctFrom: return ComparisonOp::kNotDistinctFrom;
    case ComparisonOp::kNotDistinctFrom: return ComparisonOp::kDistinctFrom;
  }
  return op;
}

ExpressionPtr CallBound(BoundFunction function, ExpressionPtr argument) {
  const std::optional<size_t> position = argument->position;
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(argument));
  auto call = std::make_unique<FunctionExpression>(std::move(function.function), std::move(function.data),
                                                   std::move(arguments));
  call->position = position;
  return call;
}

ExpressionPtr AddCast(ExpressionPtr expression, const LogicalType& type, bool is_try) {
  if (expression->type() == type) return expression;
  const ObjectNumber object = ObjectNumberOf(expression->type());
  if (object != ObjectNumber::kNone && type.id() == TypeId::kVarchar)
    return CallBound(ObjectNameFunction(object), std::move(expression));
  const ObjectNumber element = expression->type().id() == TypeId::kList
                                   ? ObjectNumberOf(expression->type().element())
                                   : ObjectNumber::kNone;
  if (element != ObjectNumber::kNone && type == LogicalType::List(TypeId::kVarchar))
    return CallBound(ObjectNamesFunction(element), std::move(expression));
  const std::optional<size_t> position = expression->position;
  const auto function = FindCast(expression->type(), type);
  if (!function) {
    ThrowError(ErrorKind::kBinder, sqlstate::kCannotCoerce,
               fmt::format("cannot cast type {} to {}{}", expression->type().ToString(), type.ToString(),
                           CastAdvice(expression->type(), type)),
               position);
  }
  // The session's time zone is not known here. A cast of JSON to a list or struct names the part that does
  // not fit, or makes it NULL alone.
  const bool has_parts = IsJson(expression->type()) && type.IsNested();
  if (expression->kind() == ExpressionKind::kConstant && !has_parts &&
      !CastDependsOnTimeZone(expression->type(), type)) {
    auto& constant = expression->As<ConstantExpression>();
    Value converted;
    if (CastValue(constant.value, type, converted)) {
      auto result = std::make_unique<ConstantExpression>(std::move(converted));
      result->alias = expression->alias;
      result->position = position;
      return result;
    }
    if (is_try) {
      auto result = std::make_unique<ConstantExpression>(Value(type));
      result->alias = expression->alias;
      result->position = position;
      return result;
    }
    try {
      ThrowCastError(constant.value, type);
    } catch (Error& error) {
      error.SetPositionIfUnknown(position);
      throw;
    }
  }
  // A parameter without a type yet takes the type that the context asks for.
  if (expression->kind() == ExpressionKind::kParameter && expression->type().id() == TypeId::kNull) {
    expression->set_type(type);
    return expression;
  }
  std::string alias = expression->alias;
  auto cast = std::make_unique<CastExpression>(std::move(expression), type, *function, is_try);
  cast->alias = std::move(alias);
  cast->position = position;
  return cast;
}

std::vector<LogicalType> TypesOf(const std::vector<ExpressionPtr>& expressions) {
  std::vector<LogicalType> types;
  types.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) types.push_back(expression->type());
  return types;
}

ExpressionPtr MakeAnd(std::vector<ExpressionPtr> children) {
  SCAUP_CHECK(!children.empty());
  if (children.size() == 1) return std::move(children[0]);
  return std::make_unique<ConjunctionExpression>(true, std::move(children));
}

void SplitAnd(ExpressionPtr expression, std::vector<ExpressionPtr>& parts) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kConjunction && expression->As<ConjunctionExpression>().is_and) {
    for (auto& child : expression->As<ConjunctionExpression>().children) SplitAnd(std::move(child), parts);
    return;
  }
  parts.push_back(std::move(expression));
}

bool IsDeterministic(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kFunction &&
      expression.As<FunctionExpression>().function.volatility == Volatility::kVolatile) {
    return false;
  }
  bool deterministic = true;
  expression.ForEachChild(
      [&](const Expression& child) { deterministic = deterministic && IsDeterministic(child); });
  return deterministic;
}

bool CannotFail(const Expression& expression) {
  CheckStack();
  if (IsTry(expression)) return true;
  if (expression.kind() == ExpressionKind::kFunction && expression.As<FunctionExpression>().function.can_fail)
    return false;
  if (expression.kind() == ExpressionKind::kCast) {
    const auto& cast = expression.As<CastExpression>();
    if (cast.function.can_fail && !cast.is_try) return false;
  }
  bool safe = true;
  expression.ForEachChild([&](const Expression& child) { safe = safe && CannotFail(child); });
  return safe;
}

bool IsFoldable(const Expression& expression) {
  CheckStack();
  switch (expression.kind()) {
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return false;
    case ExpressionKind::kFunction:
      if (expression.As<FunctionExpression>().function.volatility == Volatility::kVolatile) return false;
      break;
    case ExpressionKind::kConstant:
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList:
    case ExpressionKind::kCase: break;
  }
  bool foldable = true;
  expression.ForEachChild([&](const Expression& child) { foldable = foldable && IsFoldable(child); });
  return foldable;
}

void ForEachColumnRef(const Expression& expression,
                      const std::function<void(const ColumnRefExpression&)>& visit) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kColumnRef) return visit(expression.As<ColumnRefExpression>());
  expression.ForEachChild([&](const Expression& child) { ForEachColumnRef(child, visit); });
}

void ForEachColumnRef(ExpressionPtr& expression, const std::function<void(ColumnRefExpression&)>& visit) {
  CheckStack();
  if (expression->kind() == ExpressionKind::kColumnRef) return visit(expression->As<ColumnRefExpression>());
  expression->ForEachChild([&](ExpressionPtr& child) { ForEachColumnRef(child, visit); });
}

}  // namespace scaup
