// Binds expressions of one query level.
#pragma once

#include <string>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "expression/window_expression.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Where an expression stands: it decides whether aggregates may occur, and how errors name the place.
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

/// Binds syntax trees to typed expressions. Columns resolve in `level`; aggregates come back as
/// AggregateExpressions in place. Everything is borrowed. Throws Error with positions.
class ExpressionBinder {
 public:
  ExpressionBinder(BindSession& session, QueryLevel& level, Clause clause)
      : session_(session), level_(level), clause_(clause) {}

  /// The result may be untyped (coercion.hpp).
  ExpressionPtr Bind(const ast::Expression& expression);
  ExpressionPtr BindSettled(const ast::Expression& expression);
  ExpressionPtr BindBoolean(const ast::Expression& expression, std::string_view place);
  /// The list, or for unnest() lists, whose elements a function that returns a set gives.
  std::vector<ExpressionPtr> BindSetCall(const ast::FunctionCall& call);
  /// True once an aggregate of this level has been bound.
  bool found_aggregate() const { return found_aggregate_; }
  /// Binds a definition of the WINDOW clause for its errors alone.
  void CheckWindow(const ast::WindowSpecification& window);

 private:
  ExpressionPtr BindNode(const ast::Expression& expression);
  ExpressionPtr BindColumn(const ast::Column& column);
  ExpressionPtr BindParameter(const ast::Parameter& parameter);
  ExpressionPtr BindFunction(const ast::FunctionCall& call);
  ExpressionPtr BindMergeAction(const ast::FunctionCall& call);
  /// f(...) WITHIN GROUP (ORDER BY x).
  ExpressionPtr BindOrderedSet(const ast::FunctionCall& call, const std::string& name);
  // hypothetical_set.cpp
  ExpressionPtr BindHypotheticalSet(const ast::FunctionCall& call, const std::string& name);
  static void CheckHypotheticalSet(const ast::FunctionCall& call, const std::string& name);
  /// True for the rows that are sorted in front of the values, or, if asked for, are equal to them.
  ExpressionPtr BindIsInFront(const ast::FunctionCall& call, bool counts_equal);
  /// How many rows, or how many different keys, meet the condition and the call's FILTER.
  ExpressionPtr CountHypothetical(const ast::FunctionCall& call, ExpressionPtr condition, bool counts_values);
  /// Throws where no aggregate may stand.
  void CheckAggregateAllowed(const ast::FunctionCall& call) const;
  /// Leaves an aggregate over this level's columns where it is. One over those of levels further out alone
  /// is computed by the innermost of these: what comes back names its column there.
  ExpressionPtr PlaceAggregate(ExpressionPtr aggregate, const ast::FunctionCall& call);
  /// Brings the rows of an aggregate into the order of its ORDER BY, whose expressions are `keys`.
  /// `given`: its arguments before they were cast.
  void SortAggregate(AggregateExpression& aggregate, const std::vector<ExpressionPtr>& given,
                     std::vector<SortKey> keys);
  /// f(name => value, ...) of a scalar function that names its arguments.
  ExpressionPtr BindNamedArguments(const ast::FunctionCall& call, const std::string& name);
  /// Throws where GROUPING over this level's columns may not stand.
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
  /// document(c): the document, whatever its keys are called.
  ExpressionPtr BindDocument(const ast::FunctionCall& call);
  ExpressionPtr BindDocumentNumber(const ast::FunctionCall& call, const std::string& name);
  // nested_expressions.cpp
  ExpressionPtr BindArray(const ast::Array& array);
  ExpressionPtr BindArrayComparison(const ast::ArrayComparison& comparison);
  ExpressionPtr BindSubscript(const ast::Subscript& subscript);
  /// An element of an array in a document; they are counted from 0, as in all of JSON.
  ExpressionPtr BindElement(ExpressionPtr array, const ast::Subscript& subscript);
  ExpressionPtr BindField(const ast::Field& field);
  ExpressionPtr BindRow(const ast::Row& row);
  /// A table's alias: the struct of its columns.
  ExpressionPtr BindWholeRow(ScopeTable row, size_t position);
  ExpressionPtr BindIsNull(const ast::IsNull& test);
  ExpressionPtr BindArraySubquery(std::unique_ptr<struct BoundQuery> query, size_t position);
  /// x op ANY, x op ALL, and (x, y) op (SELECT ...).
  ExpressionPtr BindCompared(const ast::Subquery& subquery, std::unique_ptr<struct BoundQuery> query);
  /// A second tree for the same syntax: a copy, or bound anew where copying is not possible.
  ExpressionPtr Again(const ast::Expression& syntax, const Expression& bound);

  BindSession& session_;
  QueryLevel& level_;
  Clause clause_;
  bool in_aggregate_ = false;
  bool in_window_ = false;             // In the arguments of a window function.
  bool in_window_definition_ = false;  // In PARTITION BY or ORDER BY of a window.
  bool found_aggregate_ = false;
};

/// True of rank, dense_rank, percent_rank and cume_dist.
bool IsHypotheticalSet(std::string_view name);

/// True of matches and score.
bool IsTextSearch(std::string_view name);
/// document, document_id or element_position.
bool IsDocumentNumber(std::string_view name);

/// Throws 42P10 where a value that is the same for all rows, that of LIMIT for example, contains columns of
/// its own level.
void RefuseOwnColumns(Expression& value, std::string_view clause);
/// "WHERE", "GROUP BY", ...
const char* ClauseName(Clause clause);

}  // namespace scaup
