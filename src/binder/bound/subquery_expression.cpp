// Subquery expressions, and visitors of the columns that refer to outer levels.
#include "binder/bound/subquery_expression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/same_query.hpp"
#include "common/stack_bound.hpp"

namespace scaup {

ExpressionPtr SubqueryExpression::Clone() const {
  CheckStack();
  auto copy = std::make_unique<SubqueryExpression>(subquery, type(), query);
  copy->op = op;
  copy->child = child ? child->Clone() : nullptr;
  copy->compared_type = compared_type;
  for (const Compared& compared : rest)
    copy->rest.push_back({compared.child->Clone(), compared.compared_type});
  CopyBaseTo(*copy);
  return copy;
}

bool SubqueryExpression::Equals(const Expression& other) const {
  CheckStack();
  if (other.kind() != kKind) return false;
  const auto& that = other.As<SubqueryExpression>();
  if (rest.size() != that.rest.size()) return false;
  for (size_t i = 0; i < rest.size(); i++) {
    if (!rest[i].child->Equals(*that.rest[i].child)) return false;
  }
  const bool is_same = that.subquery == subquery && that.op == op &&
                       (child == nullptr) == (that.child == nullptr) &&
                       (!child || child->Equals(*that.child));
  return is_same && (that.query == query || (query && that.query && AreSame(*query, *that.query)));
}

std::string SubqueryExpression::ToString() const {
  CheckStack();
  switch (subquery) {
    case SubqueryKind::kScalar: return "(subquery)";
    case SubqueryKind::kExists: return "EXISTS (subquery)";
    case SubqueryKind::kAny:
      return fmt::format("{} {} ANY (subquery)", child->ToString(), ComparisonSymbol(op));
    case SubqueryKind::kRow: {
      std::string row = child->ToString();
      for (const Compared& compared : rest) row += ", " + compared.child->ToString();
      return fmt::format("({}) {} (subquery)", row, ComparisonSymbol(op));
    }
  }
  return "(subquery)";
}

bool HasSubquery(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kSubquery) return true;
  bool found = false;
  expression.ForEachChild([&](const Expression& child) { found = found || HasSubquery(child); });
  return found;
}

bool HasSubqueries(const std::vector<ExpressionPtr>& expressions) {
  return std::any_of(expressions.begin(), expressions.end(), [](const auto& e) { return HasSubquery(*e); });
}

bool IsDeterministicThroughout(BoundQuery& query) {
  CheckStack();
  bool is_deterministic = true;
  ForEachQueryExpression(query, [&](ExpressionPtr& expression) {
    is_deterministic = is_deterministic && IsDeterministicThroughout(*expression);
  });
  ForEachDirectQuery(query, [&](BoundQuery& inner) {
    is_deterministic = is_deterministic && IsDeterministicThroughout(inner);
  });
  return is_deterministic;
}

static bool HasDeterministicQueries(Expression& expression) {
  CheckStack();
  bool is_deterministic = expression.kind() != ExpressionKind::kSubquery ||
                          IsDeterministicThroughout(*expression.As<SubqueryExpression>().query);
  expression.ForEachChild(
      [&](ExpressionPtr& child) { is_deterministic = is_deterministic && HasDeterministicQueries(*child); });
  return is_deterministic;
}

bool IsDeterministicThroughout(Expression& expression) {
  CheckStack();
  return IsDeterministic(expression) && HasDeterministicQueries(expression);
}

static void ForgetPositions(Expression& expression) {
  CheckStack();
  expression.position.reset();
  if (expression.kind() == ExpressionKind::kSubquery)
    ForgetPositions(*expression.As<SubqueryExpression>().query);
  expression.ForEachChild([](ExpressionPtr& child) { ForgetPositions(*child); });
}

void ForgetPositions(BoundQuery& query) {
  CheckStack();
  ForEachQueryExpression(query, [](ExpressionPtr& expression) { ForgetPositions(*expression); });
  ForEachDirectQuery(query, [](BoundQuery& inner) { ForgetPositions(inner); });
}

void ForEachOuterReference(Expression& expression, const OuterReferenceVisitor& visit, size_t depth) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kColumnRef) {
    auto& column = expression.As<ColumnRefExpression>();
    if (column.outer_level > depth) visit(column, depth);
    return;
  }
  if (expression.kind() == ExpressionKind::kSubquery) {
    auto& subquery = expression.As<SubqueryExpression>();
    if (subquery.query) ForEachOuterReference(*subquery.query, visit, depth + 1);
  }
  expression.ForEachChild([&](ExpressionPtr& child) { ForEachOuterReference(*child, visit, depth); });
}

void ForEachOuterReference(BoundQuery& query, const OuterReferenceVisitor& visit, size_t depth) {
  CheckStack();
  ForEachQueryExpression(
      query, [&](ExpressionPtr& expression) { ForEachOuterReference(*expression, visit, depth); });
  ForEachDirectQuery(query, [&](BoundQuery& inner) { ForEachOuterReference(inner, visit, depth + 1); });
}

void ForEachFreeReference(Expression& expression, const OuterReferenceVisitor& visit) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kColumnRef) return visit(expression.As<ColumnRefExpression>(), 0);
  if (expression.kind() == ExpressionKind::kSubquery) {
    auto& subquery = expression.As<SubqueryExpression>();
    if (subquery.query) {
      ForEachOuterReference(*subquery.query,
                            [&](ColumnRefExpression& column, size_t depth) { visit(column, depth + 1); });
    }
  }
  expression.ForEachChild([&](ExpressionPtr& child) { ForEachFreeReference(*child, visit); });
}

void ForEachOwnReference(Expression& expression, const std::function<void(ColumnRefExpression&)>& visit) {
  ForEachFreeReference(expression, [&](ColumnRefExpression& column, size_t depth) {
    CheckStack();
    if (column.outer_level == depth) visit(column);
  });
}

size_t InnermostLevel(Expression& expression) {
  std::optional<size_t> innermost;
  ForEachFreeReference(expression, [&](const ColumnRefExpression& column, size_t depth) {
    CheckStack();
    innermost = std::min(innermost.value_or(column.outer_level - depth), column.outer_level - depth);
  });
  return innermost.value_or(0);
}

}  // namespace scaup
