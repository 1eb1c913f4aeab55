// The built-in aggregate functions, each family made in a file of its own.
#pragma once

#include <vector>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Every built-in aggregate; the registry's list.
std::vector<AggregateFunction> BuiltinAggregates();

/// Lets a bound sum, avg, min or max take arguments of another type that is stored as an integer, while
/// return_type and what `bind` returned stay as they are: for the optimizer, when it proves that a narrower
/// type holds the values. REQUIRES: the new type means the same by the same stored integer: INTEGER for
/// BIGINT, a DECIMAL of the same scale. States made before and after do not mix. Throws Error(kInternal) for
/// other functions and types.
void RetargetAggregate(AggregateFunction& function, const LogicalType& argument);

}  // namespace scaup
