// Binds predicates and CASE: AND, OR, IN, BETWEEN, LIKE, IS NULL and IS TRUE.
#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "type/type_rules.hpp"

namespace scaup {

ExpressionPtr BindConjunction(ExpressionBinder& binder, const ast::Conjunction& conjunction) {
  const bool is_and = conjunction.kind == ast::ExpressionKind::kAnd;
  std::vector<ExpressionPtr> children;
  children.reserve(conjunction.children.size());
  for (const auto& child : conjunction.children)
    children.push_back(binder.BindBoolean(*child, is_and ? "AND" : "OR"));
  return std::make_unique<ConjunctionExpression>(is_and, std::move(children));
}

ExpressionPtr BindBooleanTest(ExpressionBinder& binder, const ast::BooleanTest& test) {
  ExpressionPtr child = binder.BindBoolean(*test.child, "IS");
  if (test.test == ast::BooleanTest::Test::kUnknown) {
    return std::make_unique<IsNullExpression>(std::move(child), test.negated);
  }
  auto wanted =
      std::make_unique<ConstantExpression>(Value::Boolean(test.test == ast::BooleanTest::Test::kTrue));
  return std::make_unique<ComparisonExpression>(
      test.negated ? ComparisonOp::kDistinctFrom : ComparisonOp::kNotDistinctFrom, std::move(child),
      std::move(wanted));
}

ExpressionPtr BindIsNull(ExpressionBinder& binder, const ast::IsNull& test) {
  ExpressionPtr child = binder.BindSettled(*test.child);
  if (child->type().id() != TypeId::kStruct || IsUnion(child->type())) {
    return std::make_unique<IsNullExpression>(std::move(child), test.negated);
  }
  // A row IS NULL if all of its fields are NULL, and IS NOT NULL if none is.
  std::vector<ExpressionPtr> parts;
  for (const StructField& field : child->type().fields()) {
    ExpressionPtr value =
        MakeFieldAccess(binder.session(), binder.BindAgain(*test.child, *child), field.name, test.position);
    parts.push_back(std::make_unique<IsNullExpression>(std::move(value), test.negated));
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return std::make_unique<ConjunctionExpression>(true, std::move(parts));
}

ExpressionPtr BindCase(ExpressionBinder& binder, const ast::Case& expression) {
  std::vector<CaseExpression::Branch> branches;
  ExpressionPtr argument;
  for (const auto& branch : expression.branches) {
    ExpressionPtr condition;
    if (expression.argument) {
      if (!argument) argument = binder.Bind(*expression.argument);
      condition = MakeComparison(binder.session(), ComparisonOp::kEqual,
                                 binder.BindAgain(*expression.argument, *argument),
                                 binder.Bind(*branch.condition), branch.condition->position);
    } else {
      condition = binder.BindBoolean(*branch.condition, "CASE/WHEN");
    }
    branches.push_back({std::move(condition), binder.Bind(*branch.result)});
  }
  ExpressionPtr otherwise = expression.otherwise ? binder.Bind(*expression.otherwise)
                                                 : std::make_unique<ConstantExpression>(Value());
  std::vector<ExpressionPtr*> results = {&otherwise};
  for (auto& branch : branches) results.push_back(&branch.result);
  FitTogether(binder.session(), results);
  CommonTypeFinder finder("CASE");
  for (const auto& branch : branches) finder.Add(*branch.result);
  finder.Add(*otherwise);
  const LogicalType type =
      finder.type().id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : finder.type();
  for (auto& branch : branches) branch.result = Coerce(binder.session(), std::move(branch.result), type);
  otherwise = Coerce(binder.session(), std::move(otherwise), type);
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(otherwise));
}

ExpressionPtr BindInList(ExpressionBinder& binder, const ast::InList& list) {
  ExpressionPtr child = binder.Bind(*list.child);
  std::vector<ExpressionPtr> values = BindAll(binder, list.values);
  const bool is_constant = std::all_of(values.begin(), values.end(), [](const ExpressionPtr& value) {
    return value->kind() == ExpressionKind::kConstant;
  });
  // A subquery cannot be cloned for each comparison, so the child is bound anew.
  if (!is_constant && HasSubquery(*child)) {
    std::vector<ExpressionPtr> comparisons;
    for (ExpressionPtr& value : values) {
      ExpressionPtr copy = child ? std::move(child) : binder.Bind(*list.child);
      comparisons.push_back(MakeComparison(binder.session(),
                                           list.negated ? ComparisonOp::kNotEqual : ComparisonOp::kEqual,
                                           std::move(copy), std::move(value), list.position));
    }
    if (comparisons.size() == 1) return std::move(comparisons[0]);
    return std::make_unique<ConjunctionExpression>(list.negated, std::move(comparisons));
  }
  return MakeInList(binder.session(), std::move(child), std::move(values), list.negated, list.position);
}

ExpressionPtr BindBetween(ExpressionBinder& binder, const ast::Between& between) {
  const auto range = [&](const ast::Expression& low, const ast::Expression& high) {
    ExpressionPtr first = binder.Bind(*between.child);
    std::vector<ExpressionPtr> parts;
    ExpressionPtr second = binder.BindAgain(*between.child, *first);
    parts.push_back(MakeComparison(binder.session(), ComparisonOp::kGreaterEqual, std::move(first),
                                   binder.Bind(low), between.position));
    parts.push_back(MakeComparison(binder.session(), ComparisonOp::kLessEqual, std::move(second),
                                   binder.Bind(high), between.position));
    return MakeAnd(std::move(parts));
  };
  ExpressionPtr result = range(*between.low, *between.high);
  if (between.symmetric) {
    std::vector<ExpressionPtr> either;
    either.push_back(std::move(result));
    either.push_back(range(*between.high, *between.low));
    result = std::make_unique<ConjunctionExpression>(false, std::move(either));
  }
  if (between.negated) result = std::make_unique<NotExpression>(std::move(result));
  return result;
}

ExpressionPtr BindLike(ExpressionBinder& binder, const ast::Like& like) {
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(binder.Bind(*like.child));
  arguments.push_back(binder.Bind(*like.pattern));
  if (like.escape) arguments.push_back(binder.Bind(*like.escape));
  const bool is_similar = like.like == ast::Like::Kind::kSimilar;
  const std::string operation = is_similar                             ? "similar_to"
                                : like.like == ast::Like::Kind::kILike ? "~~*"
                                                                       : "~~";
  const std::string name = like.negated && !is_similar ? "!" + operation : operation;
  ExpressionPtr result = MakeScalarCall(binder.session(), name, std::move(arguments), like.position);
  if (like.negated && is_similar) result = std::make_unique<NotExpression>(std::move(result));
  return result;
}

}  // namespace scaup
