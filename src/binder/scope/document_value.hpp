// Values of paths in expressions, wherever they come by: what a use of one wants to read says its context.
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

/// The kinds of values that something can be compared with.
enum class ValueClass : uint8_t { kUnknown, kBoolean, kNumber, kString, kJson, kList, kOther };

ValueClass ClassOf(const LogicalType& type);
/// The class of an expression. That of a quoted literal is kString, though it takes any type elsewhere: its
/// quotes say what it is. A parameter that nobody typed was given as text.
ValueClass ClassOf(const Expression& expression);

/// Whether the expression is the value of a path: a column of a collection, what document_extract gives, or
/// what derived tables, WITH, GROUP BY, min, lag, COALESCE and the like pass on of such ones.
bool IsDocumentValue(const BindSession& session, const Expression& expression);
/// Whether a query's column is a document value.
bool IsDocumentColumn(const BindSession& session, BoundQuery& query, size_t column);
/// Makes IsDocumentValue true of the columns of `query` for which IsDocumentColumn is, as they are seen under
/// `table_index`.
void NoteDocumentColumns(BindSession& session, BoundQuery& query, size_t table_index);
/// Notes a single column that stands for `value`.
void NoteDocumentColumn(BindSession& session, ColumnBinding column, const Expression& value);

/// The value of the same path as another type, one of those of DocumentProjection: NULL where it is none.
ExpressionPtr ReadAs(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// Reads a value as the type of `other`; only values of paths are changed.
ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const Expression& other);
/// Reads a value as something that can be a value of `type`.
ExpressionPtr ReadLike(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// For CAST: numbers where a number is asked for, and strings that are one; text is that of any value,
/// without quotes. The result may still have to be cast.
ExpressionPtr ReadForCast(BindSession& session, ExpressionPtr value, const LogicalType& type);
/// A path as BOOLEAN; others stay as they are.
ExpressionPtr ReadForCondition(BindSession& session, ExpressionPtr value);
/// The type that ReadForAny gives.
LogicalType ListTypeForAny(const BindSession& session, const Expression& array, const Expression& element);
/// The array at a path as a list of what `element` can be compared with; others stay as they are.
ExpressionPtr ReadForAny(BindSession& session, ExpressionPtr array, const Expression& element);
/// The array at a path as a list: of its own type where it has one, of JSON values else.
ExpressionPtr ReadAsList(BindSession& session, ExpressionPtr value);

/// The steps from the value of one path to that of another; nullopt where that does not lie within the first.
std::optional<std::vector<DocumentStep>> StepsWithin(const BindSession& session, const Expression& outer,
                                                     const Expression& inner);
/// The value that these steps lead to from another, as JSON.
ExpressionPtr ReadSteps(BindSession& session, ExpressionPtr value, const std::vector<DocumentStep>& steps);

/// The two sides of a comparison: a path that is compared with a number gives its numbers, with a string its
/// strings, and so on (Sinew, section 3.2.2). Values of other types are NULL then, not errors.
void FitCompared(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// The two sides of ||: beside a string a path of several types is text.
void FitConcatenated(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Values that end in one column, as those of CASE and COALESCE: paths become what the others are; paths
/// alone that differ become JSON.
void FitTogether(BindSession& session, std::span<ExpressionPtr* const> values);
/// Fits the columns of queries that are put together.
void FitTogether(BindSession& session, std::span<BoundQueryPtr> queries, size_t column);
/// True where FitCompared would read `value` in different ways for these.
bool NeedsSeveralReadings(const BindSession& session, const Expression& value,
                          const std::vector<ExpressionPtr>& list);
/// Arguments that are paths become what an overload takes that fits the others.
template <typename Function>
void FitArguments(BindSession& session, std::string_view name, std::span<const Function> overloads,
                  std::vector<ExpressionPtr>& arguments);

// document_order.cpp: values of several types are ordered by value: numbers, strings, booleans, arrays,
// objects; and are equal where that order says so.

/// Whether the expression is of such values: a path's as JSON.
bool IsMixedValue(const BindSession& session, const Expression& expression);
/// Bytes in that order, in the place of such values; other expressions stay as they are.
ExpressionPtr OrderOf(BindSession& session, ExpressionPtr value);
/// The one text that all equal values have, in the place of such values; others stay as they are.
ExpressionPtr NormalOf(BindSession& session, ExpressionPtr value);
/// Sides of a comparison by that order, where both are JSON and one is such a value.
void FitOrder(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// IS [NOT] DISTINCT FROM where a path has values of other types than what it is compared with: they are not
/// NULL. Null where an ordinary comparison will do.
ExpressionPtr CompareDistinct(BindSession& session, bool is_distinct, ExpressionPtr& left,
                              ExpressionPtr& right);
/// Whether integers are compared with a path whose numbers are read as DOUBLE, so that they must be compared
/// by their exact values.
bool IsInexact(const BindSession& session, const Expression& left, const Expression& right);
/// Such sides as what compares them exactly; NULL for what is no number.
void FitExactNumbers(BindSession& session, ExpressionPtr& left, ExpressionPtr& right);
/// Makes the element and the array of an ANY or ALL comparable by the exact values of their numbers. Returns
/// false and changes nothing where DOUBLE, or the integers themselves, are exact.
bool FitExactElements(BindSession& session, ExpressionPtr& element, ExpressionPtr& array);
/// The exact comparison, in two steps of which the first is quick. Null where IsInexact is false.
ExpressionPtr CompareExactly(BindSession& session, ComparisonOp op, const ExpressionPtr& left,
                             const ExpressionPtr& right, std::optional<size_t> position);

/// Puts what `convert` makes of it in the place of a query's column.
void ConvertColumn(BindSession& session, BoundQueryPtr& query, size_t column,
                   const std::function<ExpressionPtr(ExpressionPtr)>& convert);
/// Numbers of a path as they are written, in the place of DOUBLE; other expressions stay as they are.
ExpressionPtr ReadAsWritten(BindSession& session, ExpressionPtr value);
/// Reads a query's column as it is written.
void ReadAsWritten(BindSession& session, BoundQueryPtr& query, size_t column);
/// The query with its ORDER BY, which names columns alone, by that order.
BoundQueryPtr OrderByColumns(BindSession& session, BoundQueryPtr query);

}  // namespace scaup
