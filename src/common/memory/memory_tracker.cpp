// Implements MemoryTracker and MemoryReservation: the limit, and reclaimers when memory is short.
#include "common/memory/memory_tracker.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_advance.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// The number of attempts: other threads may take what the reclaimers free.
constexpr int kMaxReclaims = 64;

std::string Megabytes(size_t size_bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(size_bytes) / (1 << 20));
}

constinit thread_local const MemoryAdvance* advance_of_thread = nullptr;

}  // namespace

MemoryAdvance::MemoryAdvance(const MemoryTracker& tracker, size_t size_bytes) noexcept
    : tracker_(tracker), size_bytes_(size_bytes), outer_(advance_of_thread) {
  advance_of_thread = this;
}

MemoryAdvance::~MemoryAdvance() { advance_of_thread = outer_; }

size_t MemoryAdvance::OfThread(const MemoryTracker& tracker) noexcept {
  const MemoryAdvance* advance = advance_of_thread;
  return advance != nullptr && &advance->tracker_ == &tracker ? advance->size_bytes_ : 0;
}

struct MemoryTracker::Reclaimers {
  // Held while reclaimers work: one thread asks, and the others then find free what it got.
  Mutex work_mutex;
  // Guards the list. Taken after work_mutex; not held while reclaimers work, so that asking for their size
  // does not wait for what they write.
  Mutex list_mutex;
  std::vector<MemoryReclaimer*> list SCAUP_GUARDED_BY(list_mutex);
};

MemoryTracker::MemoryTracker(size_t limit_bytes)
    : limit_bytes_(limit_bytes),
      reclaimers_(std::make_unique<Reclaimers>()),
      shortage_(std::make_unique<MemoryShortage>()) {}

MemoryTracker::MemoryTracker(MemoryTracker* parent, MemoryUse* use)
    : limit_bytes_(0), parent_(parent), use_(use) {}

MemoryTracker::~MemoryTracker() {
  if (parent_ != nullptr) parent_->Release(limit_bytes());
  SCAUP_CHECK(!shortage_ || !shortage_->was_on() || used_bytes() == 0);
}

void MemoryTracker::SimulateShortage(uint64_t seed) {
  SCAUP_ASSERT(parent_ == nullptr);
  const size_t limit = limit_bytes();
  shortage_->Begin(seed, limit);
  limit_bytes_.store(seed == 0 ? limit : 0);
}

bool MemoryTracker::TryReserve(size_t size_bytes) {
  if (TryReserveFree(size_bytes)) return true;
  if (parent_ != nullptr) return ReserveFromParent(size_bytes, false);
  const size_t advance = MemoryAdvance::OfThread(*this);
  // A request that can never be granted must not empty a cache.
  if (size_bytes > limit_bytes() && size_bytes - limit_bytes() > advance) return false;
  if (TryReserveLeaving(size_bytes, 0)) return true;
  if (advance == 0) return false;
  // Other threads may reserve meanwhile. They stay within the limit, so only this thread exceeds it.
  const size_t used = used_bytes_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
  if (used <= limit_bytes() || used - limit_bytes() <= advance) return true;
  Release(size_bytes);
  return false;
}

bool MemoryTracker::TryReserveLeaving(size_t size_bytes, size_t margin_bytes) {
  SCAUP_ASSERT(parent_ == nullptr);
  MemoryShortage* const shortage = this->shortage();
  if (shortage != nullptr && size_bytes != 0 && MemoryAdvance::OfThread(*this) == 0 && shortage->Comes()) {
    const MutexLock lock(reclaimers_->work_mutex);
    Reclaim(size_bytes);
    return false;
  }
  const auto try_reserve_free = [&] {
    size_t used = used_bytes_.load(std::memory_order_relaxed);
    do {
      const size_t limit = limit_bytes();
      if (size_bytes > limit || margin_bytes > limit - size_bytes || used > limit - size_bytes - margin_bytes)
        return false;
    } while (!used_bytes_.compare_exchange_weak(used, used + size_bytes, std::memory_order_relaxed));
    return true;
  };
  if (try_reserve_free()) return true;
  const MutexLock lock(reclaimers_->work_mutex);
  for (int i = 0; i < kMaxReclaims; i++) {
    if (try_reserve_free()) return true;
    const size_t needed = used_bytes() + size_bytes + margin_bytes, limit = limit_bytes();
    if (needed <= limit) continue;  // Another thread has released some meanwhile.
    // Growth that is refused must not empty a cache. Other requests have to try: reclaimers may free more
    // than they say, such as decoders that belong to metadata.
    if (margin_bytes != 0 && needed - limit > ReclaimableBytes()) break;
    if (Reclaim(needed - limit) == 0) break;
  }
  return try_reserve_free();
}

void MemoryTracker::ReserveOrThrow(size_t size_bytes) {
  if (parent_ != nullptr) {
    ReserveFromParent(size_bytes, true);
    return;
  }
  if (TryReserve(size_bytes)) return;
  throw Error(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
              fmt::format("out of memory: {} more are needed, {} of the memory limit of {} are in use; "
                          "raise it with SET memory_limit",
                          Megabytes(size_bytes), Megabytes(used_bytes()), Megabytes(limit_bytes())));
}

bool MemoryTracker::ReserveFromParent(size_t size_bytes, bool may_throw) {
  const size_t missing = size_bytes - std::min(free_bytes(), size_bytes);
  if (may_throw) {
    parent_->Reserve(missing);
  } else if (!parent_->TryReserve(missing)) {
    return false;
  }
  AddLimit(missing);
  // Others only release, so the missing bytes cannot have become more.
  return TryReserveFree(size_bytes);
}

// REQUIRES: work_mutex held.
size_t MemoryTracker::Reclaim(size_t wanted_bytes) noexcept {
  reclaimers_->work_mutex.AssertHeld();
  size_t freed = 0;
  // By index: the list may grow meanwhile, but nothing is removed from it.
  for (size_t i = 0; freed < wanted_bytes; i++) {
    MemoryReclaimer* reclaimer = nullptr;
    {
      const MutexLock lock(reclaimers_->list_mutex);
      if (i == reclaimers_->list.size()) break;
      reclaimer = reclaimers_->list[i];
    }
    freed += reclaimer->Reclaim(wanted_bytes - freed);
  }
  return freed;
}

void MemoryTracker::SetLimit(size_t limit_bytes) {
  if (shortage() != nullptr) {
    shortage_->SetLimit(limit_bytes);
  } else {
    limit_bytes_.store(limit_bytes, std::memory_order_relaxed);
  }
  if (used_bytes() <= limit_bytes) return;
  const MutexLock lock(reclaimers_->work_mutex);
  const size_t used = used_bytes();
  if (used > limit_bytes) Reclaim(used - limit_bytes);
}

size_t MemoryTracker::TakeUnused() noexcept {
  SCAUP_ASSERT(parent_ != nullptr);
  const size_t unused = free_bytes();  // Can only grow meanwhile, because other threads only release.
  limit_bytes_.fetch_sub(unused, std::memory_order_relaxed);
  return unused;
}

void MemoryTracker::AddReclaimer(MemoryReclaimer& reclaimer) {
  const MutexLock lock(reclaimers_->list_mutex);
  reclaimers_->list.push_back(&reclaimer);
}

void MemoryTracker::RemoveReclaimer(MemoryReclaimer& reclaimer) noexcept {
  const MutexLock work(reclaimers_->work_mutex);
  const MutexLock lock(reclaimers_->list_mutex);
  std::erase(reclaimers_->list, &reclaimer);
}

size_t MemoryTracker::ReclaimableBytes() const noexcept {
  const MutexLock lock(reclaimers_->list_mutex);
  size_t size_bytes = 0;
  for (const MemoryReclaimer* reclaimer : reclaimers_->list) size_bytes += reclaimer->reclaimable_bytes();
  return size_bytes;
}

bool MemoryReservation::TryResize(size_t size_bytes, size_t margin_bytes) {
  if (size_bytes <= size_bytes_) {
    tracker_->Release(size_bytes_ - size_bytes);
  } else if (!tracker_->TryReserveLeaving(size_bytes - size_bytes_, margin_bytes)) {
    return false;
  }
  size_bytes_ = size_bytes;
  return true;
}

void MemoryReservation::Resize(size_t size_bytes) {
  if (size_bytes > size_bytes_) {
    tracker_->Reserve(size_bytes - size_bytes_);
  } else {
    tracker_->Release(size_bytes_ - size_bytes);
  }
  size_bytes_ = size_bytes;
}

}  // namespace scaup
