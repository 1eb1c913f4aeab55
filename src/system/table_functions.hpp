// The built-in table functions, each made in a file of its own.
#pragma once

#include <vector>

#include "function/table_function.hpp"

namespace scaup {

/// Every built-in table function; the registry's list.
std::vector<TableFunction> BuiltinTableFunctions();

}  // namespace scaup
