// Allocates blocks of a column in slabs.
#include "storage/row_group/block_slab.hpp"

#include <algorithm>

#include "common/memory/large_memory.hpp"

namespace scaup {

namespace {

constexpr size_t kSlabBytes = kLargeMemoryBytes;
/// A column up to this size would leave most of a slab unused.
constexpr size_t kSmallColumnBytes = kSlabBytes / 2;
/// Blocks begin at cache lines, since vectors are read with the widest loads.
constexpr size_t kAlignment = 64;

/// With this much memory, slabs of some dozens of columns, each built by several tasks, are a small part.
constexpr size_t kLeastLimitBytes = size_t{4} << 30;

}  // namespace

BlockSlab::BlockSlab(const MemoryTracker& memory) : makes_slabs_(memory.limit_bytes() >= kLeastLimitBytes) {}

std::shared_ptr<GrowingArray<std::byte>> BlockSlab::Take(size_t size_bytes) {
  taken_bytes_ += size_bytes;
  if (!makes_slabs_ || taken_bytes_ <= kSmallColumnBytes || size_bytes > kSlabBytes / 2)
    return std::make_shared<GrowingArray<std::byte>>(size_bytes);
  // The rest of the old slab stays unused; blocks differ little in size, so it is less than a block.
  if (free_end_ - free_begin_ < size_bytes) {
    std::byte* slab = AllocateLarge(kSlabBytes);
    // Without huge pages a block of its own does as well.
    if (slab == nullptr) return std::make_shared<GrowingArray<std::byte>>(size_bytes);
    memory_ = std::shared_ptr<std::byte>(slab, [](std::byte* data) { FreeLarge(data, kSlabBytes); });
    free_begin_ = 0;
    free_end_ = kSlabBytes;
  }
  auto block = std::make_shared<GrowingArray<std::byte>>(memory_, memory_.get() + free_begin_, size_bytes);
  free_begin_ = std::min(free_end_, (free_begin_ + size_bytes + kAlignment - 1) / kAlignment * kAlignment);
  return block;
}

}  // namespace scaup
