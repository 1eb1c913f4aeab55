// Binds expressions of one query level.
#pragma once

#include <string>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "expression/window_expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// The clause that an expression belongs to. It decides whether aggregates are allowed, and errors name it.
enum class Clause : uint8_t {
  kSelect,
  kWhere,
  kJoinCondition,
  kGroupBy,
  kHaving,
  kOrderBy,
  kDistinctOn,
  kLimit,
  kOffset,
  kValues,
  kDefault,
  kTableFunction,
  kSet,
  kReturning,
  kOnConflict,
  kMergeWhen,
  kCheck,
  kGenerated,
  kAlterType,
  kWindowFrame,
  kExecute,
};

/// Binds syntax trees to typed expressions. Columns are resolved in `level`. Aggregates stay in place as
/// AggregateExpressions. Everything is borrowed. Throws Error with positions.
class ExpressionBinder {
 public:
  ExpressionBinder(BindSession& session, QueryLevel& level, Clause clause)
      : session_(session), level_(level), clause_(clause) {}

  /// Binds an expression. The result may be untyped (coercion.hpp).
  ExpressionPtr Bind(const ast::Expression& expression);
  ExpressionPtr BindSettled(const ast::Expression& expression);
  ExpressionPtr BindBoolean(const ast::Expression& expression, std::string_view place);
  /// Binds a call of a set-returning function. Returns the list whose elements it returns; several lists for
  /// unnest().
  std::vector<ExpressionPtr> BindSetCall(const ast::FunctionCall& call);
  /// Returns true once an aggregate of this level has been bound.
  bool found_aggregate() const { return found_aggregate_; }
  /// Checks a definition of the WINDOW clause. The result is discarded.
  void CheckWindow(const ast::WindowSpecification& window);

 private:
  ExpressionPtr BindNode(const ast::Expression& expression);
  ExpressionPtr BindColumn(const ast::Column& column);
  ExpressionPtr BindParameter(const ast::Parameter& parameter);
  ExpressionPtr BindFunction(const ast::FunctionCall& call);
  ExpressionPtr BindMergeAction(const ast::FunctionCall& call);
  /// Binds f(...) WITHIN GROUP (ORDER BY x).
  ExpressionPtr BindOrderedSet(const ast::FunctionCall& call, const std::string& name);
  // hypothetical_set.cpp
  ExpressionPtr BindHypotheticalSet(const ast::FunctionCall& call, const std::string& name);
  static void CheckHypotheticalSet(const ast::FunctionCall& call, const std::string& name);
  /// Makes a condition that is true for rows that sort before the given values and, if requested, for equal
  /// ones.
  ExpressionPtr BindIsInFront(const ast::FunctionCall& call, bool counts_equal);
  /// Counts the rows, or the distinct keys, that satisfy the condition and the call's FILTER.
  ExpressionPtr CountHypothetical(const ast::FunctionCall& call, ExpressionPtr condition, bool counts_values);
  /// Throws if aggregates are not allowed here.
  void CheckAggregateAllowed(const ast::FunctionCall& call) const;
  /// Leaves an aggregate over this level's columns in place. An aggregate that uses only columns of outer
  /// levels is computed by the innermost of these levels; the result then refers to its column there.
  ExpressionPtr PlaceAggregate(ExpressionPtr aggregate, const ast::FunctionCall& call);
  /// Sorts the input rows of an aggregate by its ORDER BY, whose expressions are `keys`. `given` are its
  /// arguments before they were cast.
  void SortAggregate(AggregateExpression& aggregate, const std::vector<ExpressionPtr>& given,
                     std::vector<SortKey> keys);
  /// Binds f(name => value, ...), a scalar function with named arguments.
  ExpressionPtr BindNamedArguments(const ast::FunctionCall& call, const std::string& name);
  /// Throws if GROUPING over this level's columns is not allowed here.
  void CheckGroupingAllowed(const ast::FunctionCall& call) const;
  ExpressionPtr BindGrouping(const ast::FunctionCall& call);
  ExpressionPtr BindAggregate(const ast::FunctionCall& call, const std::string& name);
  // window_call.cpp
  ExpressionPtr BindWindow(const ast::FunctionCall& call, const std::string& name);
  ExpressionPtr BindWindowFunction(const ast::FunctionCall& call, const WindowFunction& function);
  void BindWindowDefinition(const ast::WindowSpecification& syntax, WindowExpression& window);
  void BindFrame(const ast::WindowFrame& syntax, WindowExpression& window);
  ExpressionPtr BindOperator(const ast::Operator& op);
  ExpressionPtr BindConjunction(const ast::Conjunction& conjunction);
  ExpressionPtr BindBooleanTest(const ast::BooleanTest& test);
  ExpressionPtr BindCast(const ast::Cast& cast);
  ExpressionPtr BindCollate(const ast::Collate& collate);
  ExpressionPtr BindCase(const ast::Case& expression);
  ExpressionPtr BindInList(const ast::InList& list);
  ExpressionPtr BindBetween(const ast::Between& between);
  ExpressionPtr BindLike(const ast::Like& like);
  ExpressionPtr BindSubquery(const ast::Subquery& subquery);
  // set_functions.cpp
  ExpressionPtr BindSetFunction(const ast::FunctionCall& call);
  // text_search.cpp
  ExpressionPtr BindTextSearch(const ast::FunctionCall& call, const std::string& name);
  /// Binds document(c). This gives the document even if it has a key of that name.
  ExpressionPtr BindDocument(const ast::FunctionCall& call);
  ExpressionPtr BindDocumentNumber(const ast::FunctionCall& call, const std::string& name);
  // nested_expressions.cpp
  ExpressionPtr BindArray(const ast::Array& array);
  ExpressionPtr BindArrayComparison(const ast::ArrayComparison& comparison);
  ExpressionPtr BindSubscript(const ast::Subscript& subscript);
  /// Binds the access to an array element in a document. Elements are counted from 0, as usual in JSON.
  ExpressionPtr BindElement(ExpressionPtr array, const ast::Subscript& subscript);
  ExpressionPtr BindField(const ast::Field& field);
  ExpressionPtr BindRow(const ast::Row& row);
  /// Makes a struct of a table's columns, for a table alias used as a value.
  ExpressionPtr BindWholeRow(ScopeTable row, size_t position);
  ExpressionPtr BindIsNull(const ast::IsNull& test);
  ExpressionPtr BindArraySubquery(std::unique_ptr<struct BoundQuery> query, size_t position);
  /// Binds x op ANY, x op ALL, and (x, y) op (SELECT ...).
  ExpressionPtr BindCompared(const ast::Subquery& subquery, std::unique_ptr<struct BoundQuery> query);
  /// Makes a second tree for the same syntax: a copy, or a new binding if it cannot be copied.
  ExpressionPtr Again(const ast::Expression& syntax, const Expression& bound);

  BindSession& session_;
  QueryLevel& level_;
  Clause clause_;
  bool in_aggregate_ = false;
  bool in_window_ = false;             // in the arguments of a window function
  bool in_window_definition_ = false;  // in PARTITION BY or ORDER BY of a window
  bool found_aggregate_ = false;
};

/// Returns true for rank, dense_rank, percent_rank and cume_dist.
bool IsHypotheticalSet(std::string_view name);

/// Returns true for matches and score.
bool IsTextSearch(std::string_view name);
/// Returns true for document, document_id and element_position.
bool IsDocumentNumber(std::string_view name);

/// Throws 42P10 if an expression that must be the same for all rows, such as LIMIT, contains columns of its
/// own level.
void RefuseOwnColumns(Expression& value, std::string_view clause);
/// Returns "WHERE", "GROUP BY", ...
const char* ClauseName(Clause clause);

}  // namespace scaup
