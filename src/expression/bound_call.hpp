// Calls of functions that SQL cannot name: those that fit modifiers, and those of names of objects.
#pragma once

#include "expression/expression.hpp"
#include "function/scalar/string/fit_modifier.hpp"

namespace scaup {

/// Returns the call of `function` with one argument, whose position it takes.
ExpressionPtr CallBound(BoundFunction function, ExpressionPtr argument);

}  // namespace scaup
