// try(expression): NULL for the rows for which the expression raises an error.
#pragma once

#include "common/throw.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Makes try(expression).
ExpressionPtr MakeTry(ExpressionPtr expression);
/// Whether an expression is such a call.
bool IsTry(const Expression& expression);
/// Whether the error is one of the data, which try() turns into NULL, and not of the statement, the system or
/// the user's interruption.
bool IsDataError(const Error& error);

}  // namespace scaup
