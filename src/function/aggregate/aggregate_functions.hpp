// The list of built-in aggregate functions.
#pragma once

#include <vector>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Returns all built-in aggregates, for the registry.
std::vector<AggregateFunction> BuiltinAggregates();

/// Changes the argument type of a bound sum, avg, min or max to another type stored as an integer;
/// return_type and the data of `bind` do not change. The optimizer calls it after proving that a narrower
/// type holds the values. States made before and after must not be mixed. Throws Error(kInternal) for other
/// functions and types. REQUIRES: equal stored integers have equal meaning, as with INTEGER for BIGINT, or a
/// DECIMAL of the same scale.
void RetargetAggregate(AggregateFunction& function, const LogicalType& argument);

}  // namespace scaup
