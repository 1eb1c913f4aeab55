// Coercion of expressions to types: PostgreSQL's rules for untyped literals, comparisons, assignments and
// calls.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"

namespace scaup {

// While it is being bound, an expression may be untyped (its type() is kNull): NULL, a quoted literal (a
// ConstantExpression with a VARCHAR value), or a parameter. Its context determines its type. Nothing untyped
// leaves the binder.

/// Makes a quoted literal that can still become any type.
ExpressionPtr MakeUntypedLiteral(std::string text);
inline bool IsUntyped(const Expression& expression) { return expression.type().id() == TypeId::kNull; }

/// Converts to `type` by the rules of an explicit cast; an untyped expression becomes a `type`.
ExpressionPtr Coerce(BindSession& session, ExpressionPtr expression, const LogicalType& type);
/// Returns whether an expression is the name of an object (or an untyped value, which may be one) that
/// `type`, such as regclass, keeps as a number.
bool IsObjectName(const Expression& expression, const LogicalType& type);
/// Converts the name of an object to its number; an unknown name is an error, or NULL if `is_try`.
/// REQUIRES: IsObjectName().
ExpressionPtr FindObjectNumber(BindSession& session, ExpressionPtr name, const LogicalType& type,
                               bool is_try);
/// Makes a value fit the modifier of the type: cuts too long a text in an explicit cast, refuses it (22001)
/// in an assignment, rounds times. REQUIRES: the value is of the type.
ExpressionPtr FitModifier(ExpressionPtr value, const LogicalType& type, bool is_explicit);
/// Makes an untyped expression VARCHAR.
ExpressionPtr Settle(BindSession& session, ExpressionPtr expression);
/// Gives an untyped literal next to a DECIMAL a type with all of its own digits, so that none are lost.
ExpressionPtr CoerceToNumber(BindSession& session, ExpressionPtr expression, const LogicalType& decimal);
/// Converts to BOOLEAN. Throws 42804 naming the place: "argument of WHERE must be type boolean, not type
/// integer".
ExpressionPtr CoerceToBoolean(BindSession& session, ExpressionPtr expression, std::string_view place);
/// Returns whether PostgreSQL would assign the expression to a column of that type. REQUIRES: it is typed.
bool IsAssignable(const Expression& expression, const LogicalType& to);
/// Converts by PostgreSQL's assignment casts, for INSERT and defaults. Throws 42804 naming the column.
ExpressionPtr CoerceForAssignment(BindSession& session, ExpressionPtr expression, const LogicalType& type,
                                  std::string_view column);

/// Gives a whole number of the text, such as 1, the unsigned type of what it meets, if that holds it: without
/// a type of its own it need not widen the other. Returns false if it is no such number, or does not fit.
bool FitWholeNumber(ExpressionPtr& expression, const LogicalType& type);

/// Finds the common type of several values that end up in one column. `place` is for the error 42804: "CASE
/// types integer and text ...". The type is kNull if all values are untyped.
class CommonTypeFinder {
 public:
  explicit CommonTypeFinder(std::string_view place) : place_(place) {}
  void Add(const LogicalType& type, std::optional<size_t> position);
  /// Adds a value. Whole numbers of the text follow unsigned types that hold them.
  void Add(const Expression& expression);
  const LogicalType& type() const { return type_; }

 private:
  std::string_view place_;
  LogicalType type_;
  bool has_values_ = false;
  bool has_only_numbers_ = false;  // whole numbers of the text, up to greatest_
  int128_t greatest_ = 0;
};

/// Makes the comparison left op right after converting both to one type. Throws 42883 if they cannot be
/// compared.
ExpressionPtr MakeComparison(BindSession& session, ComparisonOp op, ExpressionPtr left, ExpressionPtr right,
                             std::optional<size_t> position);
/// Like MakeComparison, but always returns a ComparisonExpression. MakeComparison may return a larger
/// expression for IS DISTINCT FROM, and for integers compared with numbers of documents.
ExpressionPtr MakePlainComparison(BindSession& session, ComparisonOp op, ExpressionPtr left,
                                  ExpressionPtr right, std::optional<size_t> position);
/// Makes value [NOT] IN (list). A constant list is evaluated now.
ExpressionPtr MakeInList(BindSession& session, ExpressionPtr value, std::vector<ExpressionPtr> list,
                         bool negated, std::optional<size_t> position);
/// Parses "=" and so on, and "is [not] distinct from"; returns nullopt for other symbols.
std::optional<ComparisonOp> ComparisonFromSymbol(std::string_view symbol);

/// Makes a list of two expressions; an initializer list could not move them.
std::vector<ExpressionPtr> PairOf(ExpressionPtr first, ExpressionPtr second);
/// Makes a call of a scalar function or operator, and casts the arguments to its parameter types.
ExpressionPtr MakeScalarCall(BindSession& session, std::string_view name,
                             std::vector<ExpressionPtr> arguments, std::optional<size_t> position);
/// Makes a call of an aggregate function; COUNT(*) is "count_star". Without a source, the functions are those
/// of the session.
ExpressionPtr MakeAggregateCall(BindSession& session, std::string_view name,
                                std::vector<ExpressionPtr> arguments, bool distinct, ExpressionPtr filter,
                                std::optional<size_t> position,
                                const struct AggregateSource* source = nullptr);

/// Evaluates an expression without columns and parameters. Throws 0A000 naming `place` for any other one.
Value EvaluateForBinding(BindSession& session, const Expression& expression, std::string_view place);

}  // namespace scaup
