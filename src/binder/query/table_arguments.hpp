// Errors in the arguments of a table function.
#pragma once

#include <cstddef>
#include <string>

#include "function/table_function.hpp"

namespace scaup {

/// Throws Error(42883) for a named argument that the function does not have.
[[noreturn]] void ThrowUnknownArgument(const TableFunction& function, const std::string& name,
                                       size_t position);
/// Throws Error(42883) for too many or too few arguments.
[[noreturn]] void ThrowArgumentCount(const TableFunction& function, size_t position);

}  // namespace scaup
