// The built-in aggregate functions, each family made in a file of its own.
#pragma once

#include <vector>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Every built-in aggregate; the registry's list.
std::vector<AggregateFunction> BuiltinAggregates();

}  // namespace scaup
