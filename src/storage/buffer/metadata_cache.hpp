// Keeps what was loaded of the file's metadata as long as nobody needs its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// Objects that can be loaded again: dropped when memory is short and nobody holds them, in the order in
/// which they came; one that was found since it came, or was passed over, is passed over once. They account
/// their memory themselves, from their making to their end. Thread-safe. Owned by the BlockStore.
///
/// Locks: its mutex is taken under those of the tracker; nothing is reserved, and no other lock is taken,
/// under it.
class MetadataCache final : public MemoryReclaimer {
 public:
  /// The place of one object. Stays where it is; belongs to who loads the object, and must be empty (see
  /// Drop) when it dies.
  class Slot {
    friend class MetadataCache;
    std::shared_ptr<const void> object_;
    size_t size_bytes_ = 0;
    bool was_found_ = false;
    Slot* newer_ = nullptr;  // Of those that have an object.
    Slot* older_ = nullptr;
  };

  explicit MetadataCache(MemoryTracker& memory);
  ~MetadataCache() override;
  MetadataCache(const MetadataCache&) = delete;
  MetadataCache& operator=(const MetadataCache&) = delete;

  /// Null if it is not there.
  std::shared_ptr<const void> Find(Slot& slot);
  /// Puts an object of `size_bytes` into the slot; gives what another thread has put there before, if one
  /// has.
  std::shared_ptr<const void> Keep(Slot& slot, std::shared_ptr<const void> object, size_t size_bytes);
  /// Empties slots that are about to die.
  void Drop(std::span<Slot> slots) noexcept;
  size_t Reclaim(size_t wanted_bytes) noexcept override;
  size_t reclaimable_bytes() const noexcept override { return size_bytes(); }

  /// The bytes of all objects that are there.
  size_t size_bytes() const;

 private:
  void Link(Slot& slot);
  void Unlink(Slot& slot);

  MemoryTracker& memory_;
  mutable std::mutex mutex_;  // Guards what follows, and all slots.
  Slot* newest_ = nullptr;
  Slot* oldest_ = nullptr;
  size_t size_bytes_ = 0;
};

}  // namespace scaup
