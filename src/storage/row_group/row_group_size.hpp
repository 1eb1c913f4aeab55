// How large row groups become, by the memory there is.
#pragma once

#include <cstddef>

#include "storage/row_group/row_group.hpp"

namespace scaup {

/// As kMostHeapBytes; less where the memory limit is below 1 GiB.
size_t MostHeapBytes(const MemoryTracker& memory);
/// So much a row group may take in memory before it ends early.
size_t MostRowGroupBytes(const MemoryTracker& memory);
/// Row groups with this much are not joined with others, and go to blocks of their own, however few rows.
inline size_t HeavyBytes(const MemoryTracker& memory) { return MostHeapBytes(memory) / 2; }
/// Whether a row group has that much: RowGroup::is_heavy where memory is plentiful.
bool IsHeavy(const RowGroup& row_group, size_t column_count, const MemoryTracker& memory);

}  // namespace scaup
