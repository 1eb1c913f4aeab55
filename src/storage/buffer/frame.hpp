// Frames: the memory of cached blocks, accounted from allocation until the last pin is released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "storage/buffer/buffer_manager.hpp"

namespace scaup {

/// Allocates the memory of frames. Large frames are memory mappings of their own, so that they do not
/// fragment the heap. A few freed blocks are retained for reuse, which saves their page faults. Once there
/// are many frames, whole blocks share regions of one huge page each; otherwise reading single rows all over
/// the cache would miss the TLB on nearly every access. Thread-safe; shared by the buffer manager and its
/// frames.
class FramePool {
 public:
  /// The unit in which frames take memory and are accounted.
  static constexpr size_t kPageBytes = 4096;

  explicit FramePool(MemoryTracker& memory) : memory_(memory) {}
  ~FramePool();
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// Allocates memory aligned to kPageBytes. `size_bytes` is a multiple of it, and the caller has reserved
  /// it. Throws Error(kOutOfMemory) if the system has none; the reservation then remains the caller's.
  std::byte* Take(size_t size_bytes);
  /// Frees the memory and ends its reservation.
  void Give(std::byte* data, size_t size_bytes) noexcept;

  /// Returns the bytes of all live frames, cached or not.
  size_t frame_bytes() const { return frame_bytes_.load(std::memory_order_relaxed); }
  MemoryTracker& memory() { return memory_; }

 private:
  // A small fixed amount, not accounted: 2 MiB.
  static constexpr size_t kMaxSpare = 8;

  std::byte* TakePlace() SCAUP_REQUIRES_LOCK(mutex_);
  bool GivePlace(std::byte* data) noexcept SCAUP_REQUIRES_LOCK(mutex_);

  MemoryTracker& memory_;
  std::atomic<size_t> frame_bytes_{0};
  Mutex mutex_;  // no other lock is taken under it
  std::byte* spare_[kMaxSpare] SCAUP_GUARDED_BY(mutex_) = {};
  size_t spare_count_ SCAUP_GUARDED_BY(mutex_) = 0;
  // By address: a bit for each place in use.
  std::unordered_map<uintptr_t, uint8_t> regions_ SCAUP_GUARDED_BY(mutex_);
  // Regions with a free place; its capacity suffices for all regions.
  std::vector<uintptr_t> open_regions_ SCAUP_GUARDED_BY(mutex_);
};

/// The memory of one block. Its maker fills it; then it is shared and immutable.
class Frame final : public CachedBlock {
 public:
  /// Takes over the reservation of `accounted_bytes`, a rounded size. If it throws, the caller still has it.
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
