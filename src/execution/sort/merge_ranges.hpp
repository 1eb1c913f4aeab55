// Divides a merge by keys, so that several tasks can merge at once.
#pragma once

#include <span>
#include <vector>

#include "execution/sort/run_merge.hpp"

namespace scaup {

/// All rows of all runs. REQUIRES: none of them is empty.
MergeRange WholeMerge(const SortSchema& schema, std::span<const SpilledRun> runs);

/// Divides a range into at most `count`, of about as many rows each, in order; none is empty. Rows with equal
/// keys are in one of them. Reads some blocks of the runs, which may have other readers; takes the memory of
/// one for each thread, and of one row for each range.
std::vector<MergeRange> DivideMerge(QueryContext& context, const SortSchema& schema,
                                    std::span<SpilledRun> runs, const MergeRange& whole, size_t count);

}  // namespace scaup
