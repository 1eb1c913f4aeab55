// Brings expressions to types: PostgreSQL's rules for untyped literals, comparisons, assignments and calls.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"

namespace scaup {

// While it is bound, an expression may be untyped (its type() is kNull): NULL, a quoted literal (a
// ConstantExpression whose value is VARCHAR), or a parameter. The context settles its type; nothing untyped
// leaves the binder.

/// A quoted literal that still takes any type.
ExpressionPtr MakeUntypedLiteral(std::string text);
inline bool IsUntyped(const Expression& expression) { return expression.type().id() == TypeId::kNull; }

/// Converts to `type` by an explicit cast's rules; untyped ones become what `type` says.
ExpressionPtr Coerce(BindSession& session, ExpressionPtr expression, const LogicalType& type);
/// Untyped becomes VARCHAR.
ExpressionPtr Settle(BindSession& session, ExpressionPtr expression);
/// Settles an untyped literal next to a DECIMAL: by its own digits, so that none are lost.
ExpressionPtr CoerceToNumber(BindSession& session, ExpressionPtr expression, const LogicalType& decimal);
/// A BOOLEAN, or an error (42804) that names the place: "argument of WHERE must be type boolean, not type
/// integer".
ExpressionPtr CoerceToBoolean(BindSession& session, ExpressionPtr expression, std::string_view place);
/// Whether PostgreSQL casts it to a column of that type. REQUIRES: it is not untyped.
bool IsAssignable(const Expression& expression, const LogicalType& to);
/// By PostgreSQL's assignment casts, for INSERT and defaults; 42804 names the column.
ExpressionPtr CoerceForAssignment(BindSession& session, ExpressionPtr expression, const LogicalType& type,
                                  std::string_view column);

/// The type of several values that end in one column; `place` is for the error 42804: "CASE types integer and
/// text ...". kNull when all are untyped.
class CommonTypeFinder {
 public:
  explicit CommonTypeFinder(std::string_view place) : place_(place) {}
  void Add(const LogicalType& type, std::optional<size_t> position);
  void Add(const Expression& expression) { Add(expression.type(), expression.position); }
  const LogicalType& type() const { return type_; }

 private:
  std::string_view place_;
  LogicalType type_;
};

/// left op right, both brought to one type; 42883 when they cannot be compared.
ExpressionPtr MakeComparison(BindSession& session, ComparisonOp op, ExpressionPtr left, ExpressionPtr right,
                             std::optional<size_t> position);
/// Makes a comparison that is surely a ComparisonExpression. MakeComparison may make more than that of IS
/// DISTINCT FROM, and of integers beside numbers of documents.
ExpressionPtr MakePlainComparison(BindSession& session, ComparisonOp op, ExpressionPtr left,
                                  ExpressionPtr right, std::optional<size_t> position);
/// value [NOT] IN (list): by value where the list is constant.
ExpressionPtr MakeInList(BindSession& session, ExpressionPtr value, std::vector<ExpressionPtr> list,
                         bool negated, std::optional<size_t> position);
/// "=" and so on, and "is [not] distinct from"; nullopt for other symbols.
std::optional<ComparisonOp> ComparisonFromSymbol(std::string_view symbol);

/// A call of a scalar function or operator, with its arguments cast to what it takes.
ExpressionPtr MakeScalarCall(BindSession& session, std::string_view name,
                             std::vector<ExpressionPtr> arguments, std::optional<size_t> position);
/// A call of an aggregate function; "count_star" for COUNT(*).
ExpressionPtr MakeAggregateCall(BindSession& session, std::string_view name,
                                std::vector<ExpressionPtr> arguments, bool distinct, ExpressionPtr filter,
                                std::optional<size_t> position);

/// Evaluates what has no columns and no parameters; 0A000 naming `place` otherwise.
Value EvaluateForBinding(BindSession& session, const Expression& expression, std::string_view place);

}  // namespace scaup
