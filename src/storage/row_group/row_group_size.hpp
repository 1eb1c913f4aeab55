// Size limits of row groups, depending on the memory limit.
#pragma once

#include <cstddef>

#include "storage/row_group/row_group.hpp"

namespace scaup {

/// Returns kMostHeapBytes; less if the memory limit is below 1 GiB.
size_t MostHeapBytes(const MemoryTracker& memory);
/// Returns how much memory a row group may take before it ends early.
size_t MostRowGroupBytes(const MemoryTracker& memory);
/// Returns the size from which row groups are not joined with others and get blocks of their own.
inline size_t HeavyBytes(const MemoryTracker& memory) { return MostHeapBytes(memory) / 2; }
/// Returns whether a row group has at least HeavyBytes; with plentiful memory, that is RowGroup::is_heavy.
bool IsHeavy(const RowGroup& row_group, size_t column_count, const MemoryTracker& memory);

}  // namespace scaup
