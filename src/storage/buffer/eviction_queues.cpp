// Moves entries between the queues of S3-FIFO.
#include "storage/buffer/eviction_queues.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

namespace {

// Only the cache holds the frame of an unpinned entry. No thread can pin it meanwhile: pins are made under
// the cache's mutex.
bool IsPinned(const CacheEntry& entry) { return entry.frame.use_count() > 1; }

}  // namespace

void EntryQueue::PushNewest(CacheEntry& entry) {
  entry.place = place_;
  entry.older = newest_;
  entry.newer = nullptr;
  (newest_ != nullptr ? newest_->newer : oldest_) = &entry;
  newest_ = &entry;
  count_++;
  if (entry.frame) size_bytes_ += entry.frame->accounted_bytes();
}

void EntryQueue::Remove(CacheEntry& entry) {
  (entry.older != nullptr ? entry.older->newer : oldest_) = entry.newer;
  (entry.newer != nullptr ? entry.newer->older : newest_) = entry.older;
  entry.newer = entry.older = nullptr;
  entry.place = CacheEntry::Place::kNone;
  count_--;
  if (entry.frame) size_bytes_ -= entry.frame->accounted_bytes();
}

void EvictionQueues::Insert(CacheEntry& entry, bool was_ghost) {
  entry.visits = 0;
  // A block that a query waited for counts as pinned just now; the next pins belong to the same visit.
  if (entry.awaited) {
    awaited_bytes_ += entry.frame->accounted_bytes();
  } else {
    pin_count_++;
  }
  entry.last_counted = pin_count_;
  (was_ghost ? main_ : small_).PushNewest(entry);
}

void EvictionQueues::ForgetAwaited(CacheEntry& entry) {
  if (entry.awaited) awaited_bytes_ -= entry.frame->accounted_bytes();
  entry.awaited = false;
}

void EvictionQueues::Remove(CacheEntry& entry) {
  ForgetAwaited(entry);
  switch (entry.place) {
    case CacheEntry::Place::kNone: break;
    case CacheEntry::Place::kSmall: small_.Remove(entry); break;
    case CacheEntry::Place::kMain: main_.Remove(entry); break;
    case CacheEntry::Place::kGhost: ghosts_.Remove(entry); break;
  }
}

std::shared_ptr<Frame> EvictionQueues::MakeGhost(CacheEntry& entry) {
  Remove(entry);
  std::shared_ptr<Frame> frame = std::move(entry.frame);
  entry.frame = nullptr;
  ghosts_.PushNewest(entry);
  return frame;
}

std::shared_ptr<Frame> EvictionQueues::EvictFromSmall() {
  // Each entry is inspected at most once per call, as spared entries are put back at the new end.
  for (size_t left = small_.count(); left > 0; left--) {
    CacheEntry& entry = *small_.oldest();
    if (entry.visits == 0 && !entry.awaited && !IsPinned(entry)) return MakeGhost(entry);
    small_.Remove(entry);
    if (entry.visits > 0) {
      entry.visits = 0;
      main_.PushNewest(entry);
    } else {
      if (!IsPinned(entry)) ForgetAwaited(entry);  // protected once, not forever
      small_.PushNewest(entry);
    }
  }
  return nullptr;
}

std::shared_ptr<Frame> EvictionQueues::EvictFromMain() {
  // Each round takes a visit from every unpinned entry, so this many steps are enough to find one without
  // visits.
  for (size_t left = main_.count() * (kMaxVisits + 1); left > 0; left--) {
    CacheEntry& entry = *main_.oldest();
    if (entry.visits == 0 && !IsPinned(entry)) return MakeGhost(entry);
    main_.Remove(entry);
    if (entry.visits > 0 && !IsPinned(entry)) entry.visits--;
    main_.PushNewest(entry);
  }
  return nullptr;
}

std::shared_ptr<Frame> EvictionQueues::Evict() {
  // The small queue is kept at its share of the cache; it gives way first when it has more.
  const bool small_first = small_.size_bytes() > cached_bytes() / kSmallShare || main_.count() == 0;
  std::shared_ptr<Frame> frame = small_first ? EvictFromSmall() : EvictFromMain();
  if (frame == nullptr) frame = small_first ? EvictFromMain() : EvictFromSmall();
  // All that is left may be blocks in the small queue that the first pass spared because they had been read
  // ahead.
  if (frame == nullptr) frame = EvictFromSmall();
  return frame;
}

void EvictionQueues::ExpireAwaited() {
  ForEachCached([this](CacheEntry& entry) {
    if (entry.awaited && pin_count_ - entry.last_counted > kAwaitedPins) ForgetAwaited(entry);
  });
}

CacheEntry* EvictionQueues::SurplusGhost() const {
  const size_t cached = small_.count() + main_.count();
  return ghosts_.count() > std::max(cached, kMinGhosts) ? ghosts_.oldest() : nullptr;
}

}  // namespace scaup
