// Selects the cached block to evict, by S3-FIFO, which a scan cannot flush.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "storage/buffer/frame.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

/// A read in progress that threads may wait for. Guarded by the cache's mutex.
struct BlockLoad {
  bool done = false;
  bool was_ghost = false;
  std::shared_ptr<Frame> frame;  ///< null after `done` if the read failed
};

/// The cache's entry for a block: cached, being read, or evicted recently (a ghost). Owned by the cache's
/// map; guarded by its mutex.
struct CacheEntry {
  enum class Place : uint8_t { kNone, kSmall, kMain, kGhost };

  BlockPointer pointer;
  std::shared_ptr<Frame> frame;     ///< null while being read, and for a ghost
  std::shared_ptr<BlockLoad> load;  ///< set while the block is being read
  CacheEntry* newer = nullptr;
  CacheEntry* older = nullptr;
  Place place = Place::kNone;
  uint8_t visits = 0;         ///< visits since insertion, at most 3
  bool awaited = false;       ///< read ahead and not pinned yet
  uint64_t last_counted = 0;  ///< pin number at insertion, or at the last visit that counted
};

/// An intrusive list of entries, so that moving an entry cannot fail.
class EntryQueue {
 public:
  explicit EntryQueue(CacheEntry::Place place) : place_(place) {}
  void PushNewest(CacheEntry& entry);
  void Remove(CacheEntry& entry);
  CacheEntry* oldest() const { return oldest_; }
  size_t count() const { return count_; }
  /// Returns the accounted bytes of the frames in the queue.
  size_t size_bytes() const { return size_bytes_; }

 private:
  CacheEntry::Place place_;
  CacheEntry* newest_ = nullptr;
  CacheEntry* oldest_ = nullptr;
  size_t count_ = 0;
  size_t size_bytes_ = 0;
};

/// S3-FIFO (Yang et al., SOSP 2023). New blocks enter a small queue. Blocks that are visited again before
/// they reach its end move to the main queue; the others are evicted and remembered as ghosts for a while. A
/// ghost that returns enters the main queue. Guarded by the cache's mutex.
/// It was chosen over 2Q because a hit changes two numbers and moves nothing, and because a hot block need
/// not be evicted once to be recognized. A scan pins a block several times in a row, for each morsel and for
/// each column in it; so pins close together count as one visit.
class EvictionQueues {
 public:
  /// Pins of a block within this many pins of any blocks count as one visit.
  static constexpr uint64_t kVisitPins = 256;

  /// Adds an entry that has got its frame. `was_ghost` tells whether it was a ghost before. The caller sets
  /// `awaited` if no query has asked for the block yet.
  void Insert(CacheEntry& entry, bool was_ghost);
  /// Counts a hit. Cheap.
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
  /// Removes an entry from its queue, if it is in one.
  void Remove(CacheEntry& entry);
  /// Makes a ghost of the coldest entry that is not pinned, and returns its frame. Returns null if all are
  /// pinned.
  std::shared_ptr<Frame> Evict();
  /// Stops protecting blocks that were read ahead long ago and never pinned.
  void ExpireAwaited();
  /// Returns the oldest ghost if there are more ghosts than cached blocks; else null. The owner removes it.
  CacheEntry* SurplusGhost() const;
  /// Calls `call` for every entry that has a frame.
  template <typename Call>
  void ForEachCached(Call call) const {
    for (const EntryQueue* queue : {&small_, &main_}) {
      for (CacheEntry* entry = queue->oldest(); entry != nullptr; entry = entry->newer) call(*entry);
    }
  }

  size_t cached_bytes() const { return small_.size_bytes() + main_.size_bytes(); }
  /// Returns the bytes that were read ahead and not pinned yet.
  size_t awaited_bytes() const { return awaited_bytes_; }

 private:
  static constexpr uint8_t kMaxVisits = 3;
  static constexpr size_t kSmallShare = 10;  // the small queue has one part in this many
  static constexpr size_t kMinGhosts = 64;
  static constexpr uint64_t kAwaitedPins =
      2048;  // a block read ahead loses its protection after this many pins

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
