// Aggregates with ORDER BY: f(x ORDER BY y), for every f.
#pragma once

#include <memory>
#include <vector>

#include "function/aggregate_function.hpp"

namespace scaup {

/// Makes `function`, which was bound for arguments of its own and has `data` for them, one that keeps its
/// rows and gives them to the old one in order at the end of each group. `types` are those of its arguments
/// and of what else is ordered by, behind them. Returns the data of calls of the new function.
std::shared_ptr<const FunctionData> MakeSorted(AggregateFunction& function,
                                               std::shared_ptr<const FunctionData> data,
                                               std::vector<LogicalType> types,
                                               std::vector<AggregateOrder> order);

}  // namespace scaup
