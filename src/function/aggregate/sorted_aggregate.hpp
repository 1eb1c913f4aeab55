// Aggregates with ORDER BY, f(x ORDER BY y), for every f.
#pragma once

#include <memory>
#include <vector>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Turns `function`, which was bound for its own arguments with `data`, into one that retains its rows and
/// passes them to the original in order at the end of each group. `types` are those of its arguments,
/// followed by those of further sort keys. Returns the data for calls of the new function.
std::shared_ptr<const FunctionData> MakeSorted(AggregateFunction& function,
                                               std::shared_ptr<const FunctionData> data,
                                               std::vector<LogicalType> types,
                                               std::vector<AggregateOrder> order);

}  // namespace scaup
