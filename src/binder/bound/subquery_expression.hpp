// A query inside an expression. It exists between binder and planner, which turns it into joins.
#pragma once

#include <memory>

#include "binder/bound/bound_query.hpp"
#include "common/stack_bound.hpp"
#include "expression/expression.hpp"

namespace scaup {

enum class SubqueryKind : uint8_t {
  kScalar,  ///< (SELECT ...): its single value; NULL if there is no row
  kExists,  ///< EXISTS (SELECT ...)
  kAny,     ///< child op ANY (SELECT ...). IN is = ANY; ALL is bound as NOT ANY of the negated comparison.
  kRow,     ///< (child, ...) op (SELECT ...): comparison with its single row; NULL if there is none
};

/// A subquery. Inside `query`, columns of the enclosing query have outer_level 1, those of the next one 2,
/// and so on.
class SubqueryExpression final : public Expression {
 public:
  static constexpr scaup::ExpressionKind kKind = scaup::ExpressionKind::kSubquery;
  SubqueryExpression(SubqueryKind subquery_in, LogicalType type, std::shared_ptr<BoundQuery> query_in)
      : Expression(kKind, type), subquery(subquery_in), query(std::move(query_in)) {}
  /// The copy shares the query, so only one of all copies can be planned.
  ExpressionPtr Clone() const override;
  /// Returns true also if the queries were bound separately but are the same (AreSame).
  bool Equals(const Expression& other) const override;
  std::string ToString() const override;
  void ForEachChild(const std::function<void(ExpressionPtr&)>& visit) override {
    CheckStack();
    if (child) visit(child);
    for (Compared& compared : rest) visit(compared.child);
  }

  SubqueryKind subquery;
  std::shared_ptr<BoundQuery> query;  ///< null once the planner has taken it
  // For kAny and kRow only.
  ComparisonOp op = ComparisonOp::kEqual;
  ExpressionPtr child;
  LogicalType compared_type;  ///< type to which the query's column is cast for the comparison
  /// Further columns of a row comparison. = is true if all columns are equal, <> if one differs; the other
  /// operators compare the first columns that are not equal.
  struct Compared {
    ExpressionPtr child;
    LogicalType compared_type;
  };
  std::vector<Compared> rest;
};

/// Returns whether the tree contains a SubqueryExpression.
bool HasSubquery(const Expression& expression);
/// Returns whether one of the trees contains a SubqueryExpression.
bool HasSubqueries(const std::vector<ExpressionPtr>& expressions);

/// Returns whether equal inputs always give equal outputs. Includes the queries inside the expression.
bool IsDeterministicThroughout(Expression& expression);
bool IsDeterministicThroughout(BoundQuery& query);

/// Removes the text positions from all expressions of a query that comes from a text other than the
/// statement's.
void ForgetPositions(BoundQuery& query);

/// Receives a column reference and its depth: the number of queries between the visited root and the column.
/// The column leaves the root if its outer_level exceeds `depth`.
using OuterReferenceVisitor = std::function<void(ColumnRefExpression& column, size_t depth)>;
/// Visits the columns, in the expression and in the queries inside it, that belong to an outer level.
void ForEachOuterReference(Expression& expression, const OuterReferenceVisitor& visit, size_t depth = 0);
/// Visits every reference in a query, including its derived tables, to a place outside of the query (at depth
/// 0: outer_level >= 1).
void ForEachOuterReference(BoundQuery& query, const OuterReferenceVisitor& visit, size_t depth = 0);
/// Visits every column, in the expression and in the queries inside it, that belongs to the expression's own
/// level (outer_level equals the depth) or to an outer one.
void ForEachFreeReference(Expression& expression, const OuterReferenceVisitor& visit);
/// Visits only the references to the expression's own level.
void ForEachOwnReference(Expression& expression, const std::function<void(ColumnRefExpression&)>& visit);
/// Returns the distance to the innermost level whose columns the expression reads: 0 for its own level, and
/// also if it reads no columns.
size_t InnermostLevel(Expression& expression);

}  // namespace scaup
