// Room for the blocks of one column, side by side in large pieces of memory.
#pragma once

#include <cstddef>
#include <memory>

#include "common/memory/memory_tracker.hpp"
#include "storage/row_group/growing_array.hpp"

namespace scaup {

/// Memory for the blocks of a column that grows large. A scan of blocks that lie anywhere has a TLB miss, and
/// a walk of the page table, for each block. So such a column gets slabs of huge pages; its first blocks,
/// which may be all, lie alone. A slab is freed with the last of its blocks, and its free space is in no
/// account: so where memory is limited to little, blocks lie alone, too. One thread at a time; the blocks
/// belong to all that share them.
class BlockSlab {
 public:
  explicit BlockSlab(const MemoryTracker& memory);
  /// Room for a block. Nobody wrote to it before.
  std::shared_ptr<GrowingArray<std::byte>> Take(size_t size_bytes);

 private:
  const bool makes_slabs_;
  std::shared_ptr<std::byte> memory_;
  size_t free_begin_ = 0;
  size_t free_end_ = 0;
  size_t taken_bytes_ = 0;  // In all.
};

}  // namespace scaup
