// Which cached block goes when memory is wanted: S3-FIFO, which a scan cannot flush.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "storage/buffer/frame.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A read that threads may wait for. Guarded by the cache's mutex.
struct BlockLoad {
  bool done = false;
  bool was_ghost = false;
  std::shared_ptr<Frame> frame;  ///< null after `done`: it failed
};

/// The cache's knowledge of a block: its frame, or that it is being read, or that it was there not long ago.
/// Owned by the cache's map; guarded by its mutex.
struct CacheEntry {
  enum class Place : uint8_t { kNone, kSmall, kMain, kGhost };

  BlockPointer pointer;
  std::shared_ptr<Frame> frame;     ///< null: being read, or a ghost
  std::shared_ptr<BlockLoad> load;  ///< while it is being read
  CacheEntry* newer = nullptr;
  CacheEntry* older = nullptr;
  Place place = Place::kNone;
  uint8_t visits = 0;         ///< since it came, at most 3
  bool awaited = false;       ///< read ahead and not pinned since
  uint64_t last_counted = 0;  ///< pin number when it came, or of the last visit that counted
};

/// A list of entries linked through themselves, so that moving one cannot fail.
class EntryQueue {
 public:
  explicit EntryQueue(CacheEntry::Place place) : place_(place) {}
  void PushNewest(CacheEntry& entry);
  void Remove(CacheEntry& entry);
  CacheEntry* oldest() const { return oldest_; }
  size_t count() const { return count_; }
  /// Accounted bytes of the frames in it.
  size_t size_bytes() const { return size_bytes_; }

 private:
  CacheEntry::Place place_;
  CacheEntry* newest_ = nullptr;
  CacheEntry* oldest_ = nullptr;
  size_t count_ = 0;
  size_t size_bytes_ = 0;
};

/// S3-FIFO (Yang et al., SOSP 2023): new blocks enter a small queue; those visited again before they reach
/// its end move to the main queue, the others leave and are remembered as ghosts for a while; a ghost that
/// comes again enters the main queue. Chosen over 2Q because a hit changes two numbers and moves nothing, and
/// because a block that is hot from the start need not be thrown out once to be known as such. Since a scan
/// pins a block several times in a row (by morsels, by columns that share it), pins soon after each other are
/// one visit. Guarded by the cache's mutex.
class EvictionQueues {
 public:
  /// Within so many pins of any block, pins of a block count as one visit.
  static constexpr uint64_t kVisitPins = 256;

  /// `entry` has got its frame; `was_ghost` tells that it was remembered. If nobody has asked for it yet, its
  /// `awaited` is set.
  void Insert(CacheEntry& entry, bool was_ghost);
  /// A hit. Cheap.
  void Visit(CacheEntry& entry) {
    pin_count_++;
    if (entry.awaited) {
      entry.awaited = false;
      awaited_bytes_ -= entry.frame->accounted_bytes();
      entry.last_counted = pin_count_;
    } else if (pin_count_ - entry.last_counted >= kVisitPins) {
      entry.last_counted = pin_count_;
      if (entry.visits < kMaxVisits) entry.visits++;
    }
  }
  /// Takes an entry out of whatever queue it is in.
  void Remove(CacheEntry& entry);
  /// Makes a ghost of the entry that is wanted least and is not pinned, and returns its frame, or null when
  /// all are pinned.
  std::shared_ptr<Frame> Evict();
  /// Ends the preference of what was read ahead long ago and never pinned.
  void ExpireAwaited();
  /// The ghost to forget, as there are more than entries in the cache; null if none. Its owner removes it.
  CacheEntry* SurplusGhost() const;
  /// Calls `call` for every entry with a frame.
  template <typename Call>
  void ForEachCached(Call call) const {
    for (const EntryQueue* queue : {&small_, &main_}) {
      for (CacheEntry* entry = queue->oldest(); entry != nullptr; entry = entry->newer) call(*entry);
    }
  }

  size_t cached_bytes() const { return small_.size_bytes() + main_.size_bytes(); }
  /// Read ahead and not pinned yet.
  size_t awaited_bytes() const { return awaited_bytes_; }

 private:
  static constexpr uint8_t kMaxVisits = 3;
  static constexpr size_t kSmallShare = 10;  // The small queue's part of the cache is one in so many.
  static constexpr size_t kMinGhosts = 64;
  static constexpr uint64_t kAwaitedPins = 2048;  // After so many pins nobody is expected to come any more.

  std::shared_ptr<Frame> EvictFromSmall();
  std::shared_ptr<Frame> EvictFromMain();
  std::shared_ptr<Frame> MakeGhost(CacheEntry& entry);
  void ForgetAwaited(CacheEntry& entry);

  EntryQueue small_{CacheEntry::Place::kSmall};
  EntryQueue main_{CacheEntry::Place::kMain};
  EntryQueue ghosts_{CacheEntry::Place::kGhost};
  size_t awaited_bytes_ = 0;
  uint64_t pin_count_ = 0;
};

}  // namespace scaup
