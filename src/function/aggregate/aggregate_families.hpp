// The families of built-in aggregates, for use inside this folder only.
#pragma once

#include <vector>

#include "function/aggregate_function.hpp"
#include "type/physical_type.hpp"

namespace scaup {

using AggregateList = std::vector<AggregateFunction>;

// Each appends the overloads of its family to the list.
void AddCount(AggregateList& list);
void AddSum(AggregateList& list);
void AddFloatingSum(AggregateList& list);
void AddIntervalSum(AggregateList& list);
void AddNumericAggregates(AggregateList& list);
void AddMinMax(AggregateList& list);
void AddBoolean(AggregateList& list);
void AddBitwise(AggregateList& list);
void AddBitStrings(AggregateList& list);
void AddVariance(AggregateList& list);
void AddCovariance(AggregateList& list);
void AddFirstLast(AggregateList& list);
void AddStringAgg(AggregateList& list);
void AddArgMinMax(AggregateList& list);
void AddPercentile(AggregateList& list);
void AddMode(AggregateList& list);
void AddMoments(AggregateList& list);
void AddApproximate(AggregateList& list);
void AddArrayAgg(AggregateList& list);
void AddHistogram(AggregateList& list);
void AddRangeAgg(AggregateList& list);

// Each sets state_size and the five functions of `function` for arguments of type `argument`, which is stored
// as an integer. REQUIRES: name and return_type are set already; they do not change.
void PickIntegerSum(AggregateFunction& function, const LogicalType& argument);
void PickMinMax(AggregateFunction& function, const LogicalType& argument);

/// Makes an overload with the texts for listings. The caller sets the functions.
AggregateFunction MakeAggregate(const char* name, std::vector<LogicalType> argument_types,
                                LogicalType return_type, const char* description, const char* example);

/// Resolves an argument of any type; `bind` of such overloads calls this first. A bare NULL counts as
/// VARCHAR.
const LogicalType& SettleAnyArgument(AggregateFunction& function, std::span<const BindArgument> arguments,
                                     size_t index);

}  // namespace scaup
