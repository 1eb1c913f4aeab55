// Caches objects decoded from the file's metadata until their memory is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// A cache of objects that can be loaded again. When memory is short, it drops objects that are not in use,
/// oldest first. An object that was found since it was inserted, or since it was last spared, is spared once.
/// Objects account for their own memory during their life. Thread-safe. Owned by the BlockStore.
///
/// Locks: its mutex is taken under those of the memory tracker. No memory is reserved and no other lock is
/// taken under it.
class MetadataCache final : public MemoryReclaimer {
 public:
  /// The slot of one object. It must not move. It belongs to the object's loader, and must be empty when it
  /// is destroyed (see Drop).
  class Slot {
    friend class MetadataCache;
    std::shared_ptr<const void> object_;
    size_t size_bytes_ = 0;
    bool was_found_ = false;
    Slot* newer_ = nullptr;  // links slots that have an object
    Slot* older_ = nullptr;
  };

  explicit MetadataCache(MemoryTracker& memory);
  ~MetadataCache() override;
  MetadataCache(const MetadataCache&) = delete;
  MetadataCache& operator=(const MetadataCache&) = delete;

  /// Returns the object; null if it is not cached.
  std::shared_ptr<const void> Find(Slot& slot);
  /// Puts an object of `size_bytes` into the slot. If another thread was faster, returns that thread's
  /// object.
  std::shared_ptr<const void> Keep(Slot& slot, std::shared_ptr<const void> object, size_t size_bytes);
  /// Empties slots that are about to be destroyed.
  void Drop(std::span<Slot> slots) noexcept;
  size_t Reclaim(size_t wanted_bytes) noexcept override;
  size_t reclaimable_bytes() const noexcept override { return size_bytes(); }

  /// Returns the bytes of all cached objects.
  size_t size_bytes() const;

 private:
  void Link(Slot& slot) SCAUP_REQUIRES_LOCK(mutex_);
  void Unlink(Slot& slot) SCAUP_REQUIRES_LOCK(mutex_);

  MemoryTracker& memory_;
  mutable Mutex mutex_;  // also guards all slots
  Slot* newest_ SCAUP_GUARDED_BY(mutex_) = nullptr;
  Slot* oldest_ SCAUP_GUARDED_BY(mutex_) = nullptr;
  size_t size_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;
};

}  // namespace scaup
