// A bump allocator for data that is freed together: strings of a vector, rows of a hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Under the address sanitizer, memory that was not yet allocated from a block is poisoned.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define SCAUP_ARENA_POISON(data, size_bytes) ASAN_POISON_MEMORY_REGION(data, size_bytes)
#define SCAUP_ARENA_UNPOISON(data, size_bytes) ASAN_UNPOISON_MEMORY_REGION(data, size_bytes)
#else
#define SCAUP_ARENA_POISON(data, size_bytes) ((void)0)
#define SCAUP_ARENA_UNPOISON(data, size_bytes) ((void)0)
#endif

namespace scaup {

class MemoryTracker;

/// A bump allocator; its memory lives until Reset or destruction. One thread at a time. With a tracker every
/// block is accounted for; without one (for small, bounded uses) none is.
class Arena {
 public:
  /// `lent` is a borrowed buffer that is used first. It is not accounted for, and is available again after
  /// Reset.
  explicit Arena(MemoryTracker* tracker = nullptr, size_t first_block_bytes = 4096,
                 std::span<std::byte> lent = {})
      : tracker_(tracker), next_block_bytes_(first_block_bytes), lent_(lent) {
    UseLent();
  }
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Allocates `size_bytes` bytes aligned to `alignment` (a power of two, at most 64).
  std::byte* Allocate(size_t size_bytes, size_t alignment = 8) {
    const size_t padding = (0 - reinterpret_cast<uintptr_t>(cursor_)) & (alignment - 1);
    const size_t left = static_cast<size_t>(end_ - cursor_);
    if (padding > left || size_bytes > left - padding) return AllocateSlow(size_bytes, alignment);
    std::byte* result = cursor_ + padding;
    cursor_ = result + size_bytes;
    SCAUP_ARENA_UNPOISON(result, size_bytes);
    return result;
  }

  /// Lets blocks grow to no more than a quarter of what the arena has, instead of doubling: for an arena that
  /// is not reset, so that little memory is needed at a time, and little of it unused.
  void GrowSlowly() { grows_slowly_ = true; }
  /// Frees all blocks but the largest, which is reused. Without a block, the lent buffer is reused.
  void Reset();
  /// The minimum size of the next block.
  size_t next_block_bytes() const { return next_block_bytes_; }
  /// The minimum size of the block after one of `block_bytes`, once the arena has `held_bytes`.
  size_t BlockBytesAfter(size_t block_bytes, size_t held_bytes) const;
  /// The bytes of all blocks, used or not.
  size_t size_bytes() const { return held_bytes_; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    size_t size_bytes;
  };
  std::byte* AllocateSlow(size_t size_bytes, size_t alignment);
  void UseLent() {
    cursor_ = lent_.data();
    end_ = lent_.data() + lent_.size();
    SCAUP_ARENA_POISON(lent_.data(), lent_.size());
  }

  MemoryTracker* tracker_;
  size_t next_block_bytes_;
  std::span<std::byte> lent_;
  size_t held_bytes_ = 0;
  bool grows_slowly_ = false;
  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  std::vector<Block> blocks_;
};

}  // namespace scaup
