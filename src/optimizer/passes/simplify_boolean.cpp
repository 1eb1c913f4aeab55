// Simplification rules for NOT, AND, OR and CASE.
#include <algorithm>

#include "common/throw.hpp"
#include "optimizer/passes/simplification_rules.hpp"

namespace scaup {

bool IsConstant(const Expression& expression) { return expression.kind() == ExpressionKind::kConstant; }
const Value& ConstantOf(const Expression& expression) {
  SCAUP_ASSERT(IsConstant(expression));
  return expression.As<ConstantExpression>().value;
}
ExpressionPtr MakeBoolean(bool value) { return MakeConstant(Value::Boolean(value)); }

namespace {

bool IsBoolean(const Expression& expression, bool value) {
  return IsConstant(expression) && !ConstantOf(expression).is_null() &&
         ConstantOf(expression).GetBoolean() == value;
}

bool IsConjunction(const Expression& expression, bool is_and) {
  return expression.kind() == ExpressionKind::kConjunction &&
         expression.As<ConjunctionExpression>().is_and == is_and;
}

ExpressionPtr MakeConjunction(bool is_and, std::vector<ExpressionPtr> children) {
  if (children.empty()) return MakeBoolean(is_and);
  if (children.size() == 1) return std::move(children[0]);
  return std::make_unique<ConjunctionExpression>(is_and, std::move(children));
}

ExpressionPtr Negate(ExpressionPtr child) {
  return SimplifyNot(std::make_unique<NotExpression>(std::move(child)));
}

bool ContainsEqual(const std::vector<ExpressionPtr>& expressions, const Expression& wanted) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const ExpressionPtr& e) { return e->Equals(wanted); });
}

/// Longer lists are not compared pair by pair.
constexpr size_t kMostCompared = 64;

void FlattenInto(bool is_and, std::vector<ExpressionPtr> children, std::vector<ExpressionPtr>& flat) {
  for (ExpressionPtr& child : children) {
    if (IsConjunction(*child, is_and)) {
      for (ExpressionPtr& grandchild : child->As<ConjunctionExpression>().children)
        flat.push_back(std::move(grandchild));
    } else if (!IsBoolean(*child, is_and)) {
      flat.push_back(std::move(child));
    }
  }
}

void DropEqual(std::vector<ExpressionPtr>& children) {
  if (children.size() > kMostCompared) return;
  std::vector<ExpressionPtr> kept;
  for (ExpressionPtr& child : children) {
    if (!IsDeterministic(*child) || !ContainsEqual(kept, *child)) kept.push_back(std::move(child));
  }
  children = std::move(kept);
}

/// Extracts the operand and the values that `expression` allows for it, if it is x = v or x IN (...).
bool TakeEqualities(Expression& expression, ExpressionPtr*& operand, std::vector<Value>& values) {
  if (expression.kind() == ExpressionKind::kComparison) {
    auto& comparison = expression.As<ComparisonExpression>();
    if (comparison.op != ComparisonOp::kEqual || !IsConstant(*comparison.right)) return false;
    if (IsConstant(*comparison.left) || ConstantOf(*comparison.right).is_null()) return false;
    operand = &comparison.left;
    values.push_back(ConstantOf(*comparison.right));
    return true;
  }
  if (expression.kind() != ExpressionKind::kInList || expression.As<InListExpression>().negated) return false;
  auto& list = expression.As<InListExpression>();
  operand = &list.child;
  values.insert(values.end(), list.values.begin(), list.values.end());
  return true;
}

/// In x = 1 OR x = 2 OR y OR x IN (3, 4), collects the parts about x into one IN list at the place of the
/// first.
void GatherInLists(std::vector<ExpressionPtr>& children) {
  struct Gathered {
    size_t place;
    ExpressionPtr operand;
    std::vector<Value> values;
    size_t parts;
  };
  std::vector<Gathered> lists;
  std::vector<ExpressionPtr> kept;
  for (ExpressionPtr& child : children) {
    ExpressionPtr* operand = nullptr;
    std::vector<Value> values;
    if (!TakeEqualities(*child, operand, values) || !IsDeterministic(**operand)) {
      kept.push_back(std::move(child));
      continue;
    }
    const auto same = std::find_if(lists.begin(), lists.end(),
                                   [&](const Gathered& g) { return g.operand->Equals(**operand); });
    if (same != lists.end()) {
      same->values.insert(same->values.end(), values.begin(), values.end());
      same->parts++;
      continue;
    }
    if (lists.size() < kMostCompared)
      lists.push_back({kept.size(), (*operand)->Clone(), std::move(values), 1});
    kept.push_back(std::move(child));
  }
  for (Gathered& list : lists) {
    if (list.parts < 2) continue;
    kept[list.place] = SimplifyInList(
        std::make_unique<InListExpression>(std::move(list.operand), std::move(list.values), false));
  }
  children = std::move(kept);
}

/// Rewrites (a AND x) OR (a AND y) to a AND (x OR y). Returns null if the parts share nothing.
ExpressionPtr TakeFactorOut(std::vector<ExpressionPtr>& children) {
  if (children.size() < 2 || children.size() > kMostCompared) return nullptr;
  std::vector<std::vector<ExpressionPtr>> parts(children.size());
  for (size_t i = 0; i < children.size(); i++) SplitAnd(children[i]->Clone(), parts[i]);
  std::vector<ExpressionPtr> factors;
  for (const ExpressionPtr& candidate : parts[0]) {
    if (!IsDeterministic(*candidate)) continue;
    const bool everywhere =
        std::all_of(parts.begin(), parts.end(), [&](const auto& p) { return ContainsEqual(p, *candidate); });
    if (everywhere && !ContainsEqual(factors, *candidate)) factors.push_back(candidate->Clone());
  }
  if (factors.empty()) return nullptr;
  std::vector<ExpressionPtr> rest;
  for (auto& part : parts) {
    std::erase_if(part, [&](const ExpressionPtr& e) { return ContainsEqual(factors, *e); });
    rest.push_back(MakeConjunction(true, std::move(part)));  // without a rest it is TRUE, and so is the OR
  }
  factors.push_back(SimplifyConjunction(MakeConjunction(false, std::move(rest))));
  return SimplifyConjunction(MakeConjunction(true, std::move(factors)));
}

}  // namespace

ExpressionPtr SimplifyNot(ExpressionPtr expression) {
  if (expression->kind() != ExpressionKind::kNot) return expression;
  ExpressionPtr& child = expression->As<NotExpression>().child;
  switch (child->kind()) {
    case ExpressionKind::kConstant:
      if (ConstantOf(*child).is_null()) return std::move(child);
      return MakeBoolean(!ConstantOf(*child).GetBoolean());
    case ExpressionKind::kNot: return std::move(child->As<NotExpression>().child);
    case ExpressionKind::kComparison: {
      auto& comparison = child->As<ComparisonExpression>();
      comparison.op = NegateComparison(comparison.op);
      return std::move(child);
    }
    case ExpressionKind::kIsNull: {
      auto& test = child->As<IsNullExpression>();
      test.negated = !test.negated;
      return std::move(child);
    }
    case ExpressionKind::kInList: {
      auto& list = child->As<InListExpression>();
      list.negated = !list.negated;
      return std::move(child);
    }
    case ExpressionKind::kConjunction: {  // De Morgan
      auto& conjunction = child->As<ConjunctionExpression>();
      std::vector<ExpressionPtr> negated;
      for (ExpressionPtr& part : conjunction.children) negated.push_back(Negate(std::move(part)));
      return SimplifyConjunction(MakeConjunction(!conjunction.is_and, std::move(negated)));
    }
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kFunction:
    case ExpressionKind::kCast:
    case ExpressionKind::kCase:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return expression;
  }
  return expression;
}

ExpressionPtr SimplifyConjunction(ExpressionPtr expression) {
  if (expression->kind() != ExpressionKind::kConjunction) return expression;
  auto& conjunction = expression->As<ConjunctionExpression>();
  const bool is_and = conjunction.is_and;
  std::vector<ExpressionPtr> children;
  FlattenInto(is_and, std::move(conjunction.children), children);
  for (const ExpressionPtr& child : children) {
    if (IsBoolean(*child, !is_and)) return MakeBoolean(!is_and);
  }
  DropEqual(children);
  if (!is_and) {
    GatherInLists(children);
    if (ExpressionPtr factored = TakeFactorOut(children)) return factored;
  }
  return MakeConjunction(is_and, std::move(children));
}

ExpressionPtr SimplifyCase(ExpressionPtr expression) {
  auto& case_of = expression->As<CaseExpression>();
  std::vector<CaseExpression::Branch> kept;
  for (CaseExpression::Branch& branch : case_of.branches) {
    if (!IsConstant(*branch.condition)) {
      kept.push_back(std::move(branch));
      continue;
    }
    if (!IsBoolean(*branch.condition, true)) continue;
    case_of.otherwise = std::move(branch.result);  // later branches are unreachable
    break;
  }
  if (kept.empty()) return std::move(case_of.otherwise);
  case_of.branches = std::move(kept);
  return expression;
}

}  // namespace scaup
