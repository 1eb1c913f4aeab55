// Merge ranges: splits a merge by keys, so that several tasks can merge at once.
#pragma once

#include <span>
#include <vector>

#include "execution/sort/run_merge.hpp"

namespace scaup {

/// Returns the range of all rows of all runs. REQUIRES: no run is empty.
MergeRange WholeMerge(const SortSchema& schema, std::span<const SpilledRun> runs);

/// Splits a range into at most `count` non-empty ranges of about equal size, in order. Rows with equal keys
/// are in the same range. Reads some blocks of the runs, which may have other readers. Takes the memory of
/// one block for each thread and of one row for each range.
std::vector<MergeRange> DivideMerge(QueryContext& context, const SortSchema& schema,
                                    std::span<SpilledRun> runs, const MergeRange& whole, size_t count);

}  // namespace scaup
