// The parts of ExpressionBinder: one function for each kind of syntax.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "binder/scope/aggregate_source.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/scope.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

// predicates.cpp
ExpressionPtr BindConjunction(ExpressionBinder& binder, const ast::Conjunction& conjunction);
ExpressionPtr BindBooleanTest(ExpressionBinder& binder, const ast::BooleanTest& test);
ExpressionPtr BindIsNull(ExpressionBinder& binder, const ast::IsNull& test);
ExpressionPtr BindCase(ExpressionBinder& binder, const ast::Case& expression);
ExpressionPtr BindInList(ExpressionBinder& binder, const ast::InList& list);
ExpressionPtr BindBetween(ExpressionBinder& binder, const ast::Between& between);
ExpressionPtr BindLike(ExpressionBinder& binder, const ast::Like& like);

// row_type.cpp
/// Returns the struct of a table's columns if a type's name is that of a table; nothing otherwise.
std::optional<LogicalType> FindRowType(ExpressionBinder& binder, const ast::TypeName& type);

// subquery.cpp
ExpressionPtr BindSubquery(ExpressionBinder& binder, const ast::Subquery& subquery);

// nested_expressions.cpp
ExpressionPtr BindArray(ExpressionBinder& binder, const ast::Array& array);
ExpressionPtr BindArrayComparison(ExpressionBinder& binder, const ast::ArrayComparison& comparison);
ExpressionPtr BindSubscript(ExpressionBinder& binder, const ast::Subscript& subscript);
ExpressionPtr BindField(ExpressionBinder& binder, const ast::Field& field);
ExpressionPtr BindRow(ExpressionBinder& binder, const ast::Row& row);
/// Makes a struct of a table's columns, for a table alias used as a value.
ExpressionPtr MakeWholeRow(BindSession& session, ScopeTable row, size_t position);

// function_call.cpp
/// Binds any call: finds out by name and clauses what is called, and leaves it to one of the functions below.
ExpressionPtr BindFunction(ExpressionBinder& binder, const ast::FunctionCall& call);

// columns.cpp
/// Returns true for a call of COLUMNS(...).
bool IsColumnsCall(const ast::FunctionCall& call);
/// One of the values that a list of the syntax stands for.
struct ListedValue {
  ExpressionPtr value;
  size_t source = 0;        ///< the place in the list of the syntax that it comes from
  std::string column = {};  ///< the name of the column if it is one of COLUMNS(...)
};
/// Binds COLUMNS(...) as several values, the columns that it stands for. Their source is 0.
std::vector<ListedValue> SpreadColumns(ExpressionBinder& binder, const ast::FunctionCall& call);
/// Binds a list of values: arguments, elements, fields. *COLUMNS(...) in it stands for several ones.
std::vector<ListedValue> BindListed(ExpressionBinder& binder, const std::vector<ast::ExpressionPtr>& list);
/// Binds such a list without sources and names; settled, if the list's place does not give untyped values a
/// type.
std::vector<ExpressionPtr> BindAll(ExpressionBinder& binder, const std::vector<ast::ExpressionPtr>& list,
                                   bool is_settled = false);
/// Returns whether *COLUMNS(...) is in the list, so that there may be more values than syntax trees.
bool HasUnpacked(const std::vector<ast::ExpressionPtr>& list);
ExpressionPtr BindColumns(ExpressionBinder& binder, const ast::FunctionCall& call);

// aggregate_call.cpp. `name` is the function's name without schema.
ExpressionPtr BindAggregate(ExpressionBinder& binder, const ast::FunctionCall& call, const std::string& name,
                            const AggregateSource& source);
/// Binds f(...) WITHIN GROUP (ORDER BY x).
ExpressionPtr BindOrderedSet(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name);
ExpressionPtr BindGrouping(ExpressionBinder& binder, const ast::FunctionCall& call);
/// Refuses an ordered-set aggregate without WITHIN GROUP, where its arguments would have another meaning.
void RequireNoOrderedSet(const AggregateFunction& function, size_t position);
/// Binds the ORDER BY among the arguments of an aggregate.
std::vector<SortKey> BindAggregateOrder(ExpressionBinder& binder, const ast::FunctionCall& call);
/// Copies bound arguments as SortAggregate compares them with sort keys.
std::vector<ExpressionPtr> SortedArguments(BindSession& session, const ast::FunctionCall& call,
                                           const std::vector<ExpressionPtr>& arguments);
/// Sorts the input rows of an aggregate by its ORDER BY, whose expressions are `keys`. `given` are its
/// arguments before they were cast.
void SortAggregate(AggregateExpression& aggregate, const std::vector<ExpressionPtr>& given,
                   std::vector<SortKey> keys);
/// Leaves an aggregate over this level's columns in place. An aggregate that uses only columns of outer
/// levels is computed by the innermost of these levels; the result then refers to its column there.
ExpressionPtr PlaceAggregate(ExpressionBinder& binder, ExpressionPtr aggregate,
                             const ast::FunctionCall& call);

// hypothetical_set.cpp
/// Returns true for rank, dense_rank, percent_rank and cume_dist.
bool IsHypotheticalSet(std::string_view name);
ExpressionPtr BindHypotheticalSet(ExpressionBinder& binder, const ast::FunctionCall& call,
                                  const std::string& name);

// window_call.cpp
/// Binds a call with OVER.
ExpressionPtr BindWindow(ExpressionBinder& binder, const ast::FunctionCall& call, const std::string& name,
                         const AggregateSource& source);

// lambda_call.cpp
/// Returns true for the functions that take a lambda.
bool TakesLambda(std::string_view name);
ExpressionPtr BindLambdaCall(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name);
/// Throws 42601: the lambda is not an argument of such a function.
[[noreturn]] void RefuseLambda(const ast::Lambda& lambda);

// special_calls.cpp
/// Binds a call whose argument counts as an expression; null if it is no such call.
ExpressionPtr BindSpecialCall(ExpressionBinder& binder, const ast::FunctionCall& call,
                              const std::string& name);

// set_functions.cpp
ExpressionPtr BindSetFunction(ExpressionBinder& binder, const ast::FunctionCall& call);

}  // namespace scaup
