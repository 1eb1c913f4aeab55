// The operators + - * / % on NUMERIC.
#pragma once

#include "function/scalar_function.hpp"

namespace scaup {

/// The kernel of a * b, for factors and a product of type NUMERIC.
ScalarKernel NumericProductKernel();

}  // namespace scaup
