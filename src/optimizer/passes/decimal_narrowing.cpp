// Rewrites expressions by proven ranges: unchecked kernels, and 64-bit instead of 128-bit DECIMALs.
#include "optimizer/passes/decimal_narrowing.hpp"

#include "common/stack_bound.hpp"
#include "function/aggregate/aggregate_functions.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "type/physical_type.hpp"

namespace scaup {
namespace {

constexpr uint8_t kNarrowWidth = 18;  // the most digits that 64 bits hold

bool IsDecimalArithmetic(const FunctionExpression& call) {
  const std::string& name = call.function.name;
  if (call.type().id() != TypeId::kDecimal || (name != "+" && name != "-" && name != "*")) return false;
  for (const ExpressionPtr& argument : call.arguments) {
    if (argument->type().id() != TypeId::kDecimal) return false;
  }
  return true;
}

ExpressionPtr ToType(ExpressionPtr expression, const LogicalType& type) {
  if (expression->type() == type) return expression;
  return AddCast(std::move(expression), type);
}

}  // namespace

std::optional<LogicalType> DecimalNarrowing::NarrowType(const LogicalType& type,
                                                        const ValueFacts& facts) const {
  if (type.id() != TypeId::kDecimal || type.width() <= kNarrowWidth || type.scale() > kNarrowWidth)
    return std::nullopt;
  const LogicalType narrow = LogicalType::Decimal(kNarrowWidth, type.scale());
  if (!facts.bounds || !FitsType(*facts.bounds, narrow)) return std::nullopt;
  return narrow;
}

ExpressionPtr DecimalNarrowing::RewriteKeepingType(ExpressionPtr expression) {
  const LogicalType type = expression->type();
  return ToType(Narrow(std::move(expression)), type);
}

void DecimalNarrowing::KeepChildren(Expression& expression) {
  expression.ForEachChild([&](ExpressionPtr& child) { child = RewriteKeepingType(std::move(child)); });
}

void DecimalNarrowing::NarrowPair(ExpressionPtr& left, ExpressionPtr& right) {
  const LogicalType type = left->type();
  left = Narrow(std::move(left));
  right = Narrow(std::move(right));
  if (left->type() == right->type()) return;
  // Casting a constant to the type of the other side costs nothing.
  const ValueFacts facts = FactsOf(*right, facts_);
  if (IsConstant(*right) && left->type().scale() == type.scale() && facts.bounds &&
      FitsType(*facts.bounds, left->type())) {
    right = ToType(std::move(right), left->type());
    return;
  }
  left = ToType(std::move(left), type);
  right = ToType(std::move(right), type);
}

ExpressionPtr DecimalNarrowing::Narrow(ExpressionPtr expression) {
  CheckStack();
  switch (expression->kind()) {
    case ExpressionKind::kColumnRef: {
      const auto changed = column_types_.find(expression->As<ColumnRefExpression>().binding);
      if (changed != column_types_.end()) expression->set_type(changed->second);
      return expression;
    }
    case ExpressionKind::kConstant:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kSubquery: return expression;
    case ExpressionKind::kFunction: return NarrowFunction(std::move(expression));
    case ExpressionKind::kCast: return NarrowCast(std::move(expression));
    case ExpressionKind::kCase: return NarrowCase(std::move(expression));
    case ExpressionKind::kAggregate: return NarrowAggregate(std::move(expression));
    case ExpressionKind::kComparison: {
      auto& comparison = expression->As<ComparisonExpression>();
      NarrowPair(comparison.left, comparison.right);
      return expression;
    }
    case ExpressionKind::kWindow:  // its function was bound for these types
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList: KeepChildren(*expression); return expression;
  }
  return expression;
}

ExpressionPtr DecimalNarrowing::NarrowFunction(ExpressionPtr expression) {
  auto& call = expression->As<FunctionExpression>();
  const ValueFacts facts = FactsOf(*expression, facts_);
  const bool fits = facts.bounds && FitsType(*facts.bounds, call.type());
  if (!fits || !IsDecimalArithmetic(call)) {
    KeepChildren(*expression);
    if (fits && call.function.unchecked_kernel != nullptr) {
      call.function.kernel = call.function.unchecked_kernel;
      call.function.can_fail = false;
    }
    return expression;
  }
  // The narrowest type that arguments and result allow. The 128-bit kernels still accept 64-bit factors.
  std::vector<LogicalType> argument_types;
  for (ExpressionPtr& argument : call.arguments) {
    const ValueFacts of_argument = FactsOf(*argument, facts_);
    argument = Narrow(std::move(argument));
    if (IsConstant(*argument)) {
      if (const auto narrow = NarrowType(argument->type(), of_argument))
        argument = ToType(std::move(argument), *narrow);
    }
    argument_types.push_back(argument->type());
  }
  const LogicalType result_type = NarrowType(call.type(), facts).value_or(call.type());
  RetargetArithmetic(call.function, result_type, std::move(argument_types));
  for (size_t i = 0; i < call.arguments.size(); i++) {
    call.arguments[i] = ToType(std::move(call.arguments[i]), call.function.argument_types[i]);
  }
  call.set_type(call.function.return_type);
  return expression;
}

ExpressionPtr DecimalNarrowing::NarrowCast(ExpressionPtr expression) {
  auto& cast = expression->As<CastExpression>();
  const ValueFacts facts = FactsOf(*expression, facts_);
  const LogicalType source = cast.child->type();
  const std::optional<LogicalType> narrow = cast.is_try ? std::nullopt : NarrowType(cast.type(), facts);
  const bool from_exact = source.id() == TypeId::kDecimal || source.IsInteger();
  cast.child = Narrow(std::move(cast.child));
  // A cast that merely widens is left to the consumer: kernels accept either width of the same storage.
  const LogicalType& child = cast.child->type();
  const bool only_widens = source.id() == TypeId::kDecimal && cast.type().id() == TypeId::kDecimal &&
                           child.scale() == cast.type().scale() && child.width() <= cast.type().width();
  if (only_widens && PhysicalTypeOf(child) <= PhysicalType::kInt64) {
    std::string alias = std::move(cast.alias);
    ExpressionPtr result = std::move(cast.child);
    result->alias = std::move(alias);
    return result;
  }
  if (narrow && from_exact) {
    std::string alias = std::move(cast.alias);
    ExpressionPtr result = ToType(std::move(cast.child), *narrow);
    result->alias = std::move(alias);
    return result;
  }
  if (cast.child->type() == source) return expression;
  const auto function = FindCast(cast.child->type(), cast.type());
  if (function) {
    cast.function = *function;
  } else {
    cast.child = ToType(std::move(cast.child), source);
  }
  return expression;
}

ExpressionPtr DecimalNarrowing::NarrowCase(ExpressionPtr expression) {
  auto& case_of = expression->As<CaseExpression>();
  const LogicalType type = NarrowType(case_of.type(), FactsOf(*expression, facts_)).value_or(case_of.type());
  for (CaseExpression::Branch& branch : case_of.branches) {
    branch.condition = RewriteKeepingType(std::move(branch.condition));
    branch.result = ToType(Narrow(std::move(branch.result)), type);
  }
  case_of.otherwise = ToType(Narrow(std::move(case_of.otherwise)), type);
  case_of.set_type(type);
  return expression;
}

ExpressionPtr DecimalNarrowing::NarrowAggregate(ExpressionPtr expression) {
  auto& aggregate = expression->As<AggregateExpression>();
  const std::string& name = aggregate.function.name;
  const bool can_retarget = name == "sum" || name == "avg" || name == "min" || name == "max";
  if (aggregate.filter) aggregate.filter = RewriteKeepingType(std::move(aggregate.filter));
  for (ExpressionPtr& argument : aggregate.arguments) {
    const LogicalType before = argument->type();
    argument = Narrow(std::move(argument));
    if (argument->type() == before) continue;
    if (can_retarget && aggregate.arguments.size() == 1) {
      RetargetAggregate(aggregate.function, argument->type());
    } else {
      argument = ToType(std::move(argument), before);
    }
  }
  return expression;
}

}  // namespace scaup
