// BlockSlab: memory for the blocks of one column, side by side in huge pages.
#pragma once

#include <cstddef>
#include <memory>

#include "common/memory/memory_tracker.hpp"
#include "storage/row_group/growing_array.hpp"

namespace scaup {

/// Allocates the blocks of a column that grows large. A scan of blocks that are scattered in memory has a TLB
/// miss, and a page table walk, for each block; so such a column gets slabs of huge pages. The column's first
/// blocks, which may be all of them, are allocated singly.
/// A slab is freed with the last of its blocks, and its unused space is not accounted. So if the memory limit
/// is small, all blocks are allocated singly. Used by one thread at a time; the blocks belong to all who
/// share them.
class BlockSlab {
 public:
  explicit BlockSlab(const MemoryTracker& memory);
  /// Returns uninitialized memory for a block.
  std::shared_ptr<GrowingArray<std::byte>> Take(size_t size_bytes);

 private:
  const bool makes_slabs_;
  std::shared_ptr<std::byte> memory_;
  size_t free_begin_ = 0;
  size_t free_end_ = 0;
  size_t taken_bytes_ = 0;  // in total
};

}  // namespace scaup
