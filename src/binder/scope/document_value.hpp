// Document values: values of paths in expressions. The context in which one is used decides its type.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "document/document_projection.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Classes of values that can be compared with one another.
enum class ValueClass : uint8_t { kUnknown, kBoolean, kNumber, kString, kJson, kList, kOther };

ValueClass ClassOf(const LogicalType& type);
/// Returns the class of an expression. A quoted literal is kString, because its quotes say so, though it can
/// become any type elsewhere. An untyped parameter has been given as text.
ValueClass ClassOf(const Expression& expression);

/// Returns whether the expression is a document value: a column of a collection, the result of
/// document_extract, or either of these passed on by a derived table, WITH, GROUP BY, min, lag, COALESCE and
/// the like.
bool IsDocumentValue(const BindSession& session, const Expression& expression);
/// Returns whether a query's column is a document value.
bool IsDocumentColumn(const BindSession& session, BoundQuery& query, size_t column);
/// Records which columns of `query` are document values, so that IsDocumentValue is true for references to
/// them under `table_index`, and which collations they have.
void NoteDocumentColumns(BindSession& session, BoundQuery& query, size_t table_index);
/// Records a single column that stands for `value`.
void NoteDocumentColumn(BindSession& session, ColumnBinding column, const Expression& value);

/// Reads the value of the same path as another type, one of those of DocumentProjection. Values of other
/// types become NULL.
ExpressionPtr ReadAs(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// Reads a document value as the type of `other`. Other expressions stay as they are.
ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const Expression& other);
/// Reads a document value as something that can be converted to `type`.
ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// Reads a document value for CAST. For a number, this gives numbers and strings that spell one. For text, it
/// gives the text of any value, without quotes. The result may still have to be cast.
ExpressionPtr ReadForCast(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// Reads a document value as BOOLEAN. Other expressions stay as they are.
ExpressionPtr ReadForCondition(BindSession& session, ExpressionPtr value);
/// Returns the type of the result of ReadForAny.
LogicalType ListTypeForAny(const BindSession& session, const Expression& array, const Expression& element);
/// Reads the array at a path as a list of values that `element` can be compared with. Other expressions stay
/// as they are.
ExpressionPtr ReadForAny(BindSession& session, ExpressionPtr array, const Expression& element);
/// Reads the array at a path as a list of the path's element type, or of JSON values if it has none.
ExpressionPtr ReadAsList(BindSession& session, ExpressionPtr value);

/// Returns the steps from one path to another; nullopt if the second does not lie within the first.
std::optional<std::vector<DocumentStep>> StepsWithin(const BindSession& session, const Expression& outer,
                                                     const Expression& inner);
/// Returns the value that these steps lead to, as JSON.
ExpressionPtr ReadSteps(BindSession& session, ExpressionPtr value, const std::vector<DocumentStep>& steps);

/// Fits the two sides of a comparison: a path that is compared with a number gives its numbers, with a string
/// its strings, and so on (Sinew, section 3.2.2). Values of other types become NULL and are no error.
void FitCompared(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Fits the two sides of ||: next to a string, a path of several types is read as text.
void FitConcatenated(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Fits values that end up in one column, such as those of CASE and COALESCE. Paths are read as the type of
/// the other values. If there are only paths and their types differ, they are read as JSON.
void FitTogether(BindSession& session, std::span<ExpressionPtr* const> values);
/// Fits one column of queries that are combined by a set operation.
void FitTogether(BindSession& session, std::span<BoundQueryPtr> queries, size_t column);
/// Returns true if FitCompared would read `value` in different ways for the elements of `list`.
bool NeedsSeveralReadings(const BindSession& session, const Expression& value,
                          const std::vector<ExpressionPtr>& list);
/// Reads arguments that are document values as the types of an overload that fits the other arguments.
template <typename Function>
void FitArguments(BindSession& session, std::string_view name, std::span<const Function> overloads,
                  std::vector<ExpressionPtr>& arguments);

// document_order.cpp: values of different types are ordered by type first: numbers, strings, booleans,
// arrays, objects. They are equal if that order says so.

/// Returns whether the expression has values of several types, that is, whether it is a document value read
/// as JSON.
bool IsMixedValue(const BindSession& session, const Expression& expression);
/// Replaces such a value with bytes that sort in that order, and a text with those of its collation. Other
/// expressions stay as they are.
ExpressionPtr OrderOf(BindSession& session, ExpressionPtr value);
/// Replaces such a value with one text that all equal values share. Other expressions stay as they are.
ExpressionPtr NormalOf(BindSession& session, ExpressionPtr value);
/// Makes the sides of a comparison use that order if both are JSON and one of them is such a value.
void FitOrder(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Makes IS [NOT] DISTINCT FROM for a path that also has values of types other than the compared one: they
/// are not NULL. Returns null if an ordinary comparison is enough.
ExpressionPtr CompareDistinct(BindSession& session, bool is_distinct, ExpressionPtr& left,
                              ExpressionPtr& right);
/// Returns whether integers are compared with a path whose numbers are read as DOUBLE, so that they must be
/// compared by their exact values.
bool IsInexact(const BindSession& session, const Expression& left, const Expression& right);
/// Makes such sides comparable by their exact numbers. Values that are not numbers become NULL.
void FitExactNumbers(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Makes the element and the array of an ANY or ALL comparable by the exact values of their numbers. Returns
/// false and changes nothing if DOUBLE, or the integers themselves, are exact.
bool FitExactElements(BindSession& session, ExpressionPtr& element, ExpressionPtr& array);
/// Makes the exact comparison in two steps, a fast one first. Returns null if IsInexact is false.
ExpressionPtr CompareExactly(BindSession& session, ComparisonOp op, const ExpressionPtr& left,
                             const ExpressionPtr& right, std::optional<size_t> position);

/// Makes SELECT * FROM (query), a BoundSelect.
BoundQueryPtr SelectFrom(BindSession& session, BoundQueryPtr query);
/// Replaces a query's column with the result of `convert`.
void ConvertColumn(BindSession& session, BoundQueryPtr& query, size_t column,
                   const std::function<ExpressionPtr(ExpressionPtr)>& convert);
/// Reads numbers of a path as they are written, in place of DOUBLE. Other expressions stay as they are.
ExpressionPtr ReadAsWritten(BindSession& session, ExpressionPtr value);
/// Does the same for a query's column.
void ReadAsWritten(BindSession& session, BoundQueryPtr& query, size_t column);
/// Applies the query's ORDER BY, which must consist of columns, in the order of mixed values.
BoundQueryPtr OrderByColumns(BindSession& session, BoundQueryPtr query);

}  // namespace scaup
