// Size limits of row groups; a checkpoint needs a multiple of a row group's memory while it writes it.
#include "storage/row_group/row_group_size.hpp"

#include <algorithm>

#include "storage/row_group/stored_row_group.hpp"

namespace scaup {

namespace {

constexpr size_t kHeapShare = 16;
constexpr size_t kRowGroupShare = 8;
constexpr size_t kLeastHeapBytes = size_t{256} << 10;

}  // namespace

size_t MostHeapBytes(const MemoryTracker& memory) {
  return std::clamp(memory.limit_bytes() / kHeapShare, kLeastHeapBytes, kMostHeapBytes);
}

size_t MostRowGroupBytes(const MemoryTracker& memory) {
  return std::max(memory.limit_bytes() / kRowGroupShare, 2 * kLeastHeapBytes);
}

bool IsHeavy(const RowGroup& row_group, size_t column_count, const MemoryTracker& memory) {
  // At full size, is_heavy has already compared with this limit.
  if (row_group.is_heavy()) return true;
  const size_t heavy_bytes = HeavyBytes(memory);
  if (heavy_bytes == kHeavyBytes) return false;
  // In the file, the blocks stand for the size: the strings are compressed there.
  if (const auto* stored = dynamic_cast<const StoredRowGroup*>(&row_group))
    return stored->pointer().block_ids.size() * kFileBlockBytes >= heavy_bytes;
  if (const auto* partly = dynamic_cast<const PartlyStoredRowGroup*>(&row_group))
    return IsHeavy(partly->base(), column_count, memory);
  const auto* in_memory = dynamic_cast<const MemoryRowGroup*>(&row_group);
  if (in_memory == nullptr) return false;
  size_t size_bytes = 0;
  for (size_t i = 0; i < column_count; i++) {
    const auto& column = in_memory->memory_column(i);
    const size_t heap_bytes = column->string_heap ? column->string_heap->size_bytes() : 0;
    if (heap_bytes >= heavy_bytes) return true;
    size_bytes += heap_bytes + column->size_bytes;
  }
  // Half the limit, as joining two larger ones would exceed it.
  return 2 * size_bytes >= MostRowGroupBytes(memory);
}

}  // namespace scaup
