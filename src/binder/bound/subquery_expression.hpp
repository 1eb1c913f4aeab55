// A query inside an expression: it exists between binder and planner, which turns it into joins.
#pragma once

#include <memory>

#include "binder/bound/bound_query.hpp"
#include "common/stack_bound.hpp"
#include "expression/expression.hpp"

namespace scaup {

enum class SubqueryKind : uint8_t {
  kScalar,  ///< (SELECT ...): its one value, NULL without a row
  kExists,  ///< EXISTS (SELECT ...)
  kAny,     ///< child op ANY (SELECT ...); IN is = ANY. The binder writes ALL as NOT ANY of the negated
            ///< comparison.
  kRow,     ///< (child, ...) op (SELECT ...): the comparison with its one row, NULL without a row
};

/// Inside `query`, columns of the query around it have outer_level 1, those around that 2, and so on.
class SubqueryExpression final : public Expression {
 public:
  static constexpr scaup::ExpressionKind kKind = scaup::ExpressionKind::kSubquery;
  SubqueryExpression(SubqueryKind subquery_in, LogicalType type, std::shared_ptr<BoundQuery> query_in)
      : Expression(kKind, type), subquery(subquery_in), query(std::move(query_in)) {}
  /// Shares the query: of all copies only one can be planned.
  ExpressionPtr Clone() const override;
  /// True also where their queries, though bound apart, are the same.
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    if (child) visit(child);
    for (Compared& compared : rest) visit(compared.child);
  }

  SubqueryKind subquery;
  std::shared_ptr<BoundQuery> query;  ///< null once the planner has taken it
  // kAny and kRow only. The child and the query's column have the same type, maybe by `query_column`.
  ComparisonOp op = ComparisonOp::kEqual;
  ExpressionPtr child;
  LogicalType compared_type;  ///< to which the query's column is cast for the comparison
  /// Further columns where a row is compared: = is true where all are equal, <> where one differs, and the
  /// other operators go by the first that are not equal.
  struct Compared {
    ExpressionPtr child;
    LogicalType compared_type;
  };
  std::vector<Compared> rest;
};

/// True if a SubqueryExpression stands in the tree.
bool HasSubquery(const Expression& expression);

/// True when the same input always gives the same output, of the queries inside the expression as well.
bool IsDeterministicThroughout(Expression& expression);

/// Takes the positions out of all expressions of a query: they are of another text than the statement's.
void ForgetPositions(BoundQuery& query);

/// A column reference inside a query, and how deep below that query it stands: it leaves the query when its
/// outer_level exceeds `depth`.
using OuterReferenceVisitor = std::function<void(ColumnRefExpression& column, size_t depth)>;
/// Visits the columns in the expression, and in the queries inside it, that live outside of the expression's
/// level.
void ForEachOuterReference(Expression& expression, const OuterReferenceVisitor& visit, size_t depth = 0);
/// Visits everything in a query, derived tables included, that refers to a place outside of the query (at
/// depth 0: level >= 1).
void ForEachOuterReference(BoundQuery& query, const OuterReferenceVisitor& visit, size_t depth = 0);
/// Visits every column that the expression, or a query inside it, takes from the expression's level (its
/// outer_level equals the depth) or from further out.
void ForEachFreeReference(Expression& expression, const OuterReferenceVisitor& visit);
/// Visits only the references to the expression's own level.
void ForEachOwnReference(Expression& expression, const std::function<void(ColumnRefExpression&)>& visit);
/// How far out the innermost level is whose columns the expression reads; 0 where it reads none.
size_t InnermostLevel(Expression& expression);

}  // namespace scaup
