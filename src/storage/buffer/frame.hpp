// The memory of cached blocks, accounted from its allocation until the last holder lets go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/buffer/buffer_manager.hpp"

namespace scaup {

/// Gives memory to frames and takes it back. Large frames are mappings of their own, so that they do not
/// fragment the heap; some whole blocks are kept for reuse, which saves their page faults. Once there are
/// many, whole blocks share regions of one huge page each: who reads single rows all over the cache would
/// else miss the translation of nearly every address. Thread-safe; shared by the buffer manager and its
/// frames.
class FramePool {
 public:
  /// Frames take memory, and are accounted, in units of this.
  static constexpr size_t kPageBytes = 4096;

  explicit FramePool(MemoryTracker& memory) : memory_(memory) {}
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// `size_bytes` is rounded up and reserved already; what is returned is aligned to kPageBytes. Throws
  /// Error(kOutOfMemory) when the system has none, the reservation being the caller's then.
  std::byte* Take(size_t size_bytes);
  /// Frees the memory and ends its reservation.
  void Give(std::byte* data, size_t size_bytes) noexcept;

  /// Bytes of all frames that live, cached or not.
  size_t frame_bytes() const { return frame_bytes_.load(std::memory_order_relaxed); }
  MemoryTracker& memory() { return memory_; }

 private:
  // A small fixed amount, not accounted: 2 MiB.
  static constexpr size_t kMaxSpare = 8;

  // With the mutex.
  std::byte* TakePlace();
  bool GivePlace(std::byte* data) noexcept;

  MemoryTracker& memory_;
  std::atomic<size_t> frame_bytes_{0};
  std::mutex mutex_;  // Guards what follows. Nothing is locked under it.
  std::byte* spare_[kMaxSpare] = {};
  size_t spare_count_ = 0;
  std::unordered_map<uintptr_t, uint8_t> regions_;  // By address: which places are in use.
  std::vector<uintptr_t> open_regions_;             // Those with a free place. Has room for all.
};

/// The memory of one block. Written by its maker, then shared and immutable.
class Frame final : public CachedBlock {
 public:
  /// Takes over `accounted_bytes`, a rounded size that has been reserved; not if it throws.
  Frame(std::shared_ptr<FramePool> pool, size_t size_bytes, size_t accounted_bytes);
  ~Frame() override;

  std::byte* data() { return data_; }
  size_t accounted_bytes() const { return accounted_bytes_; }
  static size_t Round(size_t size_bytes) {
    return (size_bytes + FramePool::kPageBytes - 1) & ~(FramePool::kPageBytes - 1);
  }

 private:
  std::shared_ptr<FramePool> pool_;
  size_t accounted_bytes_;
  std::byte* data_;
};

}  // namespace scaup
