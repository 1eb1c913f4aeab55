// Tells whether conditions imply another one, by their forms.
#include "expression/implication.hpp"

#include <algorithm>

namespace scaup {

namespace {

bool IsKnown(const Expression& expression) {
  return expression.kind() == ExpressionKind::kConstant || expression.kind() == ExpressionKind::kParameter;
}

bool IsStrict(ComparisonOp op) {
  return op != ComparisonOp::kDistinctFrom && op != ComparisonOp::kNotDistinctFrom;
}

/// A comparison `operand op constant`.
struct ConstantComparison {
  const Expression* operand;
  ComparisonOp op;
  const Value* constant;
};

std::optional<ConstantComparison> AsConstantComparison(const Expression& condition) {
  if (condition.kind() != ExpressionKind::kComparison) return std::nullopt;
  const auto& comparison = condition.As<ComparisonExpression>();
  if (!IsStrict(comparison.op) || comparison.right->kind() != ExpressionKind::kConstant) return std::nullopt;
  const Value& constant = comparison.right->As<ConstantExpression>().value;
  if (constant.is_null()) return std::nullopt;
  return ConstantComparison{comparison.left.get(), comparison.op, &constant};
}

/// Returns whether `x given a` implies `x wanted b`.
bool ImpliesComparison(ComparisonOp given, const Value& a, ComparisonOp wanted, const Value& b,
                       const ConstantTest& holds) {
  using Op = ComparisonOp;
  const bool is_below = wanted == Op::kLess || wanted == Op::kNotEqual;
  const bool is_above = wanted == Op::kGreater || wanted == Op::kNotEqual;
  switch (given) {
    case Op::kEqual: return holds(wanted, a, b);
    case Op::kLess: return (is_below || wanted == Op::kLessEqual) && holds(Op::kLessEqual, a, b);
    case Op::kGreater: return (is_above || wanted == Op::kGreaterEqual) && holds(Op::kGreaterEqual, a, b);
    case Op::kLessEqual:
      return (is_below && holds(Op::kLess, a, b)) ||
             (wanted == Op::kLessEqual && holds(Op::kLessEqual, a, b));
    case Op::kGreaterEqual:
      return (is_above && holds(Op::kGreater, a, b)) ||
             (wanted == Op::kGreaterEqual && holds(Op::kGreaterEqual, a, b));
    case Op::kNotEqual: return wanted == Op::kNotEqual && holds(Op::kEqual, a, b);
    case Op::kDistinctFrom:
    case Op::kNotDistinctFrom: break;
  }
  return false;
}

/// Returns whether `x = value` for one of the values of a positive IN list, at most, implies the comparison.
bool ListImplies(const InListExpression& list, const ConstantComparison& wanted, const ConstantTest& holds) {
  if (list.negated || !list.child->Equals(*wanted.operand)) return false;
  // NULL in the list makes the condition NULL at best, never TRUE.
  return std::all_of(list.values.begin(), list.values.end(), [&](const Value& value) {
    return value.is_null() || holds(wanted.op, value, *wanted.constant);
  });
}

/// Returns whether a single condition implies that a value is one of a list.
bool ImpliesList(const Expression& given, const InListExpression& wanted, const ConstantTest& holds) {
  if (wanted.negated) return false;
  const auto is_listed = [&](const Value& value) {
    return value.is_null() || std::any_of(wanted.values.begin(), wanted.values.end(), [&](const Value& each) {
             return !each.is_null() && holds(ComparisonOp::kEqual, value, each);
           });
  };
  if (const auto comparison = AsConstantComparison(given)) {
    return comparison->op == ComparisonOp::kEqual && comparison->operand->Equals(*wanted.child) &&
           is_listed(*comparison->constant);
  }
  if (given.kind() != ExpressionKind::kInList) return false;
  const auto& list = given.As<InListExpression>();
  return !list.negated && list.child->Equals(*wanted.child) &&
         std::all_of(list.values.begin(), list.values.end(), is_listed);
}

/// Returns whether a single condition, which is no AND, implies another one, which is neither AND nor OR.
bool ImpliesSimple(const Expression& given, const Expression& wanted, const ConstantTest& holds) {
  if (given.Equals(wanted)) return true;
  if (wanted.kind() == ExpressionKind::kIsNull) {
    const auto& test = wanted.As<IsNullExpression>();
    const Expression* operand = ComparedOperand(given);
    return test.negated && operand != nullptr && operand->Equals(*test.child);
  }
  if (wanted.kind() == ExpressionKind::kInList)
    return ImpliesList(given, wanted.As<InListExpression>(), holds);
  const auto comparison = AsConstantComparison(wanted);
  if (!comparison) return false;
  if (given.kind() == ExpressionKind::kInList)
    return ListImplies(given.As<InListExpression>(), *comparison, holds);
  const auto known = AsConstantComparison(given);
  return known && known->operand->Equals(*comparison->operand) &&
         ImpliesComparison(known->op, *known->constant, comparison->op, *comparison->constant, holds);
}

}  // namespace

const Expression* ComparedOperand(const Expression& condition) {
  if (condition.kind() == ExpressionKind::kInList) {
    const auto& list = condition.As<InListExpression>();
    return list.negated ? nullptr : list.child.get();
  }
  if (condition.kind() != ExpressionKind::kComparison) return nullptr;
  const auto& comparison = condition.As<ComparisonExpression>();
  return IsStrict(comparison.op) && IsKnown(*comparison.right) ? comparison.left.get() : nullptr;
}

bool Implies(const std::vector<const Expression*>& given, const Expression& wanted,
             const ConstantTest& holds) {
  CheckStack();
  const auto is_implied = [&](const ExpressionPtr& part) { return Implies(given, *part, holds); };
  if (wanted.kind() == ExpressionKind::kConjunction) {
    const auto& conjunction = wanted.As<ConjunctionExpression>();
    const auto& parts = conjunction.children;
    if (conjunction.is_and) return std::all_of(parts.begin(), parts.end(), is_implied);
    if (std::any_of(parts.begin(), parts.end(), is_implied)) return true;
  }
  return std::any_of(given.begin(), given.end(), [&](const Expression* condition) {
    if (condition->kind() != ExpressionKind::kConjunction) return ImpliesSimple(*condition, wanted, holds);
    const auto& conjunction = condition->As<ConjunctionExpression>();
    const auto part_implies = [&](const ExpressionPtr& part) { return Implies({part.get()}, wanted, holds); };
    const auto& parts = conjunction.children;
    return conjunction.Equals(wanted) ||
           (conjunction.is_and ? std::any_of(parts.begin(), parts.end(), part_implies)
                               : std::all_of(parts.begin(), parts.end(), part_implies));
  });
}

}  // namespace scaup
