// Implements MemoryTracker and MemoryReservation: reclaimers, and waiting when memory is short.
#include "common/memory/memory_tracker.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_advance.hpp"
#include "common/memory/memory_keeper.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// The number of attempts: other threads may take what the reclaimers free.
constexpr int kMaxReclaims = 64;

// Reservations up to this size wait: for others to spill, for others at work to finish, or, where no thread
// is known to hold memory, for a moment.
constexpr size_t kLittleBytes = size_t{256} << 10;
constexpr uint32_t kReservationWaitMilliseconds = 5;
constexpr std::chrono::milliseconds kSpillPatience{5'000};
constexpr std::chrono::milliseconds kWorkPatience{3'000};
// Longer than a thread waits for its time slice on a machine with a dozen threads per processor.
constexpr std::chrono::milliseconds kMomentPatience{250};

std::chrono::milliseconds PatienceFor(MemoryKeeper::Hope hope) {
  switch (hope) {
    case MemoryKeeper::Hope::kNone: break;
    case MemoryKeeper::Hope::kWork: return kWorkPatience;
    case MemoryKeeper::Hope::kSpill: return kSpillPatience;
  }
  return kMomentPatience;
}

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

struct MemoryTracker::Pressure {
  Mutex reclaim_mutex;  // Also held while reclaimers work: one thread asks, and the others then find free
                        // what it got.
  std::vector<MemoryReclaimer*> reclaimers SCAUP_GUARDED_BY(reclaim_mutex);
  MemoryKeeper* keeper = nullptr;

  Mutex watch_mutex;  // No other lock is taken under it.
  ConditionVariable released;
  uint64_t release_count SCAUP_GUARDED_BY(watch_mutex) = 0;
};

MemoryTracker::MemoryTracker(size_t limit_bytes)
    : limit_bytes_(limit_bytes), pressure_(std::make_unique<Pressure>()) {}

MemoryTracker::MemoryTracker(MemoryTracker* parent)
    : limit_bytes_(0), parent_(parent), pressure_(std::make_unique<Pressure>()) {}

MemoryTracker::~MemoryTracker() {
  if (parent_ != nullptr) parent_->Release(limit_bytes());
}

bool MemoryTracker::TryReserve(size_t size_bytes) {
  if (TryReserveFree(size_bytes)) return true;
  if (parent_ != nullptr) return ReserveFromParent(size_bytes, false);
  const size_t advance = MemoryAdvance::OfThread(*this);
  // A request that can never be granted must not empty a cache.
  if (size_bytes > limit_bytes() && size_bytes - limit_bytes() > advance) return false;
  const MutexLock lock(pressure_->reclaim_mutex);
  for (int i = 0; i < kMaxReclaims; i++) {
    if (TryReserveFree(size_bytes)) return true;
    const size_t needed = used_bytes() + size_bytes, limit = limit_bytes();
    if (needed <= limit) continue;  // Another thread has released some meanwhile.
    if (Reclaim(needed - limit) == 0) break;
  }
  if (TryReserveFree(size_bytes)) return true;
  if (advance == 0) return false;
  // Other threads may reserve meanwhile. They stay within the limit, so only this thread exceeds it.
  const size_t used = used_bytes_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
  if (used <= limit_bytes() || used - limit_bytes() <= advance) return true;
  Release(size_bytes);
  return false;
}

void MemoryTracker::ReserveOrThrow(size_t size_bytes) {
  if (parent_ != nullptr) {
    ReserveFromParent(size_bytes, true);
    return;
  }
  if (TryReserve(size_bytes)) return;
  if (size_bytes <= kLittleBytes && WaitForLittle(size_bytes)) return;
  throw Error(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
              fmt::format("out of memory: {} more are needed, {} of the memory limit of {} are in use; "
                          "raise it with SET memory_limit",
                          Megabytes(size_bytes), Megabytes(used_bytes()), Megabytes(limit_bytes())));
}

bool MemoryTracker::WaitForLittle(size_t size_bytes) {
  if (pressure_->keeper == nullptr) return false;
  using Clock = std::chrono::steady_clock;
  MemoryKeeper& keeper = *pressure_->keeper;
  // Registered before the first attempt, so that consumers do not wait for this thread to spill meanwhile.
  const MemoryKeeper::Waiting waiting(keeper, size_bytes);
  MemoryReleaseWatch watch(*this);
  const Clock::time_point begin = Clock::now();
  while (!TryReserve(size_bytes)) {
    if (Clock::now() - begin >= PatienceFor(keeper.AskOthers())) return false;
    watch.Wait(kReservationWaitMilliseconds);
  }
  return true;
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

// REQUIRES: reclaim_mutex held.
size_t MemoryTracker::Reclaim(size_t wanted_bytes) noexcept {
  pressure_->reclaim_mutex.AssertHeld();
  size_t freed = 0;
  for (MemoryReclaimer* reclaimer : pressure_->reclaimers) {
    if (freed >= wanted_bytes) break;
    freed += reclaimer->Reclaim(wanted_bytes - freed);
  }
  return freed;
}

void MemoryTracker::SetLimit(size_t limit_bytes) {
  limit_bytes_.store(limit_bytes, std::memory_order_relaxed);
  if (used_bytes() > limit_bytes) {
    const MutexLock lock(pressure_->reclaim_mutex);
    const size_t used = used_bytes();
    if (used > limit_bytes) Reclaim(used - limit_bytes);
  }
  WakeWatches();  // A higher limit is as good as a release.
}

void MemoryTracker::GiveBack() noexcept {
  if (parent_ == nullptr) return;
  const size_t unused = free_bytes();  // Can only grow meanwhile, because other threads only release.
  if (unused == 0) return;
  limit_bytes_.fetch_sub(unused, std::memory_order_relaxed);
  parent_->Release(unused);
}

void MemoryTracker::AddReclaimer(MemoryReclaimer& reclaimer) {
  const MutexLock lock(pressure_->reclaim_mutex);
  pressure_->reclaimers.push_back(&reclaimer);
}

void MemoryTracker::RemoveReclaimer(MemoryReclaimer& reclaimer) noexcept {
  const MutexLock lock(pressure_->reclaim_mutex);
  std::erase(pressure_->reclaimers, &reclaimer);
}

size_t MemoryTracker::ReclaimableBytes() const noexcept {
  const MutexLock lock(pressure_->reclaim_mutex);
  size_t size_bytes = 0;
  for (const MemoryReclaimer* reclaimer : pressure_->reclaimers) size_bytes += reclaimer->reclaimable_bytes();
  return size_bytes;
}

void MemoryTracker::SetKeeper(MemoryKeeper* keeper) noexcept { pressure_->keeper = keeper; }

void MemoryTracker::WakeWatches() noexcept {
  {
    const MutexLock lock(pressure_->watch_mutex);
    pressure_->release_count++;
  }
  pressure_->released.NotifyAll();
}

MemoryReleaseWatch::MemoryReleaseWatch(MemoryTracker& tracker) : tracker_(tracker) {
  tracker_.watch_count_.fetch_add(1);
  const MutexLock lock(tracker_.pressure_->watch_mutex);
  seen_ = tracker_.pressure_->release_count;
}

MemoryReleaseWatch::~MemoryReleaseWatch() { tracker_.watch_count_.fetch_sub(1); }

bool MemoryReleaseWatch::Wait(uint32_t milliseconds) {
  MemoryTracker::Pressure& pressure = *tracker_.pressure_;
  MutexLock lock(pressure.watch_mutex);
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (pressure.release_count == seen_ && pressure.released.WaitUntil(pressure.watch_mutex, until))
    continue;
  const bool released = pressure.release_count != seen_;
  seen_ = pressure.release_count;
  return released;
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
