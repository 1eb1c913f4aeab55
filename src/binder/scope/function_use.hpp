// Calls of functions that users define: resolution, and the body in the place of the call.
#pragma once

#include <optional>
#include <vector>

#include "binder/scope/query_binder.hpp"
#include "catalog/function_entry.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

class ExpressionBinder;

/// A call whose function is known. The arguments are in the order of the function's inputs, with defaults
/// where the call has none, and of their types; those of macros may be untyped.
struct FunctionUse {
  FunctionEntryRef function;
  std::vector<ExpressionPtr> arguments;
  size_t position = 0;
  const DatabaseView* database = nullptr;  ///< the function's, if it is not that of the context
};

/// Returns whether there is a built-in function or a type of this name.
bool IsBuiltinFunction(const BindSession& session, const std::string& name);
/// Returns whether a call without a schema names a function of the user and a built-in one, which precedes
/// it.
bool IsHiddenByBuiltin(const BindSession& session, const ast::FunctionCall& call);
/// Finds the user's function that a call means, and binds its arguments. Returns nothing if no such function
/// has that name; throws 42883 if the arguments fit none, and 42725 if they fit several equally well.
std::optional<FunctionUse> FindFunctionUse(ExpressionBinder& binder, const ast::FunctionCall& call);
/// Returns the aggregates of the catalog that a call may mean; none if its name is that of other functions.
std::vector<FunctionEntryRef> AggregatesOf(const BindSession& session, const ast::FunctionCall& call);
/// Returns the functions in hosted languages that return rows and that a call in FROM may mean; none if its
/// name is that of other functions.
std::vector<FunctionEntryRef> HostedRowsOf(const BindSession& session, const ast::FunctionCall& call);
/// Notes that the statement calls a function of the catalog in a hosted language.
void NoteStoredCall(BindSession& session, const FunctionEntryRef& function, size_t position);
/// Returns whether a call in FROM means a function of the user that returns rows, or a value; none if it
/// means no function of the user.
std::optional<FunctionResult> ResultOfUse(const BindSession& session, const ast::FunctionCall& call);

/// Binds the body of a function that returns a value in the place of the call. Each argument is computed once
/// at most.
ExpressionPtr BindFunctionValue(ExpressionBinder& binder, FunctionUse use);
/// Binds the body of a function that returns rows, as a query in FROM.
BoundQueryPtr BindFunctionRows(BindSession& session, FunctionUse use);

}  // namespace scaup
