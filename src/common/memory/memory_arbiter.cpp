// Decides which consumer spills, which one waits and for how long, when consumers meet the memory limit.
#include "common/memory/memory_arbiter.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/memory/large_memory.hpp"
#include "common/memory/memory_keeper.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// The interval at which a waiting consumer checks its cancel flag.
constexpr uint32_t kCancelCheckMilliseconds = 20;
// The longest wait, in multiples of the patience, however much progress others make.
constexpr int kMaxPatience = 4;
// Pages are returned to the system once this many bytes, or this part of the limit, were freed: each return
// takes milliseconds.
constexpr size_t kReturnBytes = size_t{16} << 20;
constexpr size_t kReturnPart = 16;
// The largest step in which consumers take memory from the database; steps make requests seldom.
constexpr size_t kMaxStepBytes = size_t{1} << 20;

// The reserve for code that cannot spill: this part of what consumers could have, and at most so many bytes.
// Such code needs little while it works on a chunk, but needs it at once.
constexpr size_t kFreePart = 4;
constexpr size_t kMostFreeBytes = size_t{4} << 20;

uintptr_t ThisThread() { return (uintptr_t)pthread_self(); }  // a number or a pointer, by system

// True while this thread reserves for a consumer; the reserve must then not be touched.
thread_local bool reserves_for_consumer = false;

// The memory reserved for code that cannot spill. As a reclaimer, it releases itself to any other reservation
// that fails.
class KeptMemory final : public MemoryReclaimer {
 public:
  explicit KeptMemory(MemoryTracker& memory) : memory_(memory) { memory_.AddReclaimer(*this); }
  ~KeptMemory() override {
    memory_.RemoveReclaimer(*this);
    GiveAll();
  }

  size_t size_bytes() const { return size_bytes_.load(std::memory_order_relaxed); }
  // The number of consumers.
  std::atomic<size_t> consumer_count{0};
  // Whether more than half of the reserve was given away.
  bool is_low() const { return is_low_.load(std::memory_order_relaxed); }
  // Refills the reserve from free memory. One thread at a time.
  void Grow(size_t wanted_bytes) {
    wanted_bytes_.store(wanted_bytes, std::memory_order_relaxed);
    const size_t size = size_bytes();
    const size_t missing = std::min(wanted_bytes - std::min(wanted_bytes, size), memory_.free_bytes());
    if (missing != 0 && memory_.TryReserveFree(missing)) size_bytes_.fetch_add(missing);
    NoteLevel();
  }
  size_t reclaimable_bytes() const noexcept override { return size_bytes(); }
  void GiveAll() noexcept {
    wanted_bytes_.store(0, std::memory_order_relaxed);
    Reclaim(SIZE_MAX);
  }
  size_t Reclaim(size_t wanted_bytes) noexcept override {
    if (reserves_for_consumer) return 0;
    size_t size = size_bytes_.load(), given;
    do {
      given = std::min(size, wanted_bytes);
    } while (!size_bytes_.compare_exchange_weak(size, size - given));
    NoteLevel();
    if (given != 0) memory_.Release(given);
    return given;
  }

 private:
  void NoteLevel() {
    const size_t least = wanted_bytes_.load(std::memory_order_relaxed) / 2;
    is_low_.store(size_bytes() < least, std::memory_order_relaxed);
  }

  MemoryTracker& memory_;
  std::atomic<size_t> size_bytes_{0};
  std::atomic<size_t> wanted_bytes_{0};
  std::atomic<bool> is_low_{false};
};

bool TryReserveForConsumer(MemoryTracker& memory, size_t size_bytes) {
  reserves_for_consumer = true;
  const bool is_reserved = memory.TryReserve(size_bytes);
  reserves_for_consumer = false;
  return is_reserved;
}

}  // namespace

struct MemoryArbiter::Impl final : MemoryKeeper {
  explicit Impl(MemoryArbiter& owner) : arbiter(owner), kept(owner.memory_) { owner.memory_.SetKeeper(this); }
  ~Impl() override { arbiter.memory_.SetKeeper(nullptr); }

  Hope AskOthers() override;
  void BeginWaiting(size_t size_bytes) override;
  void EndWaiting(size_t size_bytes) noexcept override;
  // Whether the thread waits for little memory and cannot spill; it polls no requests meanwhile.
  bool IsStuck(uintptr_t thread) const SCAUP_REQUIRES_LOCK(mutex) {
    return std::any_of(stuck.begin(), stuck.end(),
                       [&](const Waiter& waiter) { return waiter.thread == thread; });
  }
  // Whether the thread waits for memory.
  bool IsWaiting(uintptr_t thread) const SCAUP_REQUIRES_LOCK(mutex) {
    return IsStuck(thread) || std::any_of(queue.begin(), queue.end(),
                                          [&](const Waiter* waiter) { return waiter->thread == thread; });
  }

  MemoryArbiter& arbiter;
  mutable Mutex mutex;
  std::vector<SpillableReservation*> consumers SCAUP_GUARDED_BY(mutex);
  struct Waiter {
    uintptr_t thread;
    size_t size_bytes;
    bool operator==(const Waiter&) const = default;
  };
  std::deque<Waiter*> queue SCAUP_GUARDED_BY(mutex);  // served in order, so that no waiter starves
  std::vector<Waiter> stuck SCAUP_GUARDED_BY(mutex);  // threads that cannot spill and need little
  KeptMemory kept;                                    // the reserve; empty while there are no consumers
  std::atomic<size_t> available_bytes{0};             // what consumers have or could have, when last computed
  std::atomic<size_t> unreturned_bytes{0};            // freed, but malloc may still retain them
};

// A place in the queue of waiting consumers, for the lifetime of the object.
class MemoryArbiter::Turn {
 public:
  Turn(MemoryArbiter& arbiter, size_t size_bytes) : arbiter_(arbiter), waiter_{ThisThread(), size_bytes} {
    const MutexLock lock(arbiter_.impl_->mutex);
    arbiter_.impl_->queue.push_back(&waiter_);
    arbiter_.waiting_count_.fetch_add(1);
  }
  ~Turn() {
    {
      const MutexLock lock(arbiter_.impl_->mutex);
      std::erase(arbiter_.impl_->queue, &waiter_);
      arbiter_.waiting_count_.fetch_sub(1);
    }
    arbiter_.memory_.WakeWatches();  // The next one may be first now.
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  // REQUIRES: the arbiter's mutex held.
  bool is_first() const {
    arbiter_.impl_->mutex.AssertHeld();
    return arbiter_.impl_->queue.front() == &waiter_;
  }

 private:
  MemoryArbiter& arbiter_;
  Impl::Waiter waiter_;
};

MemoryArbiter::MemoryArbiter(MemoryTracker& memory, ArbiterPatience patience, size_t kept_part)
    : memory_(memory), patience_(patience), kept_part_(kept_part), impl_(std::make_unique<Impl>(*this)) {}

MemoryArbiter::~MemoryArbiter() = default;

size_t MemoryArbiter::consumer_count() const {
  const MutexLock lock(impl_->mutex);
  return impl_->consumers.size();
}

size_t MemoryArbiter::granted_bytes() const {
  const MutexLock lock(impl_->mutex);
  size_t granted = 0;
  for (const SpillableReservation* consumer : impl_->consumers) granted += consumer->size_bytes();
  return granted;
}

size_t MemoryArbiter::AvailableBytes() const {
  const size_t limit = memory_.limit_bytes(), used = memory_.used_bytes();
  const size_t given_back = granted_bytes() + memory_.ReclaimableBytes();
  const size_t held = used - std::min(used, given_back);
  return limit - std::min(limit, held);
}

// The bytes that consumers may still get, provided they are free. Also refills the reserve. REQUIRES: mutex
// held.
size_t MemoryArbiter::ShareLeft() const {
  impl_->mutex.AssertHeld();
  if (kept_part_ == 0) return SIZE_MAX;
  const size_t limit = memory_.limit_bytes();
  const size_t share = limit - limit / kept_part_;
  size_t taken = 0;
  for (const SpillableReservation* consumer : impl_->consumers) taken += consumer->size_bytes();
  const size_t available = taken + memory_.free_bytes() + impl_->kept.size_bytes();
  impl_->available_bytes.store(available, std::memory_order_relaxed);
  impl_->kept.Grow(std::min(available / kFreePart, kMostFreeBytes));
  return share - std::min(share, taken);
}

bool MemoryArbiter::HasShareFor(size_t size_bytes) const {
  if (kept_part_ == 0) return true;
  const MutexLock lock(impl_->mutex);
  return size_bytes <= ShareLeft();
}

// Asks consumers to spill, the largest first, until what they can spill covers what all waiters want. Returns
// what the requester (null: code that cannot spill) may hope for while it waits. REQUIRES: mutex held.
//
// Not every asked consumer is counted on. One on the requester's own thread answers only if it is idle. One
// on a stuck thread answers only after that thread got its little memory; so it counts only for a requester
// that has nothing to spill itself. They are asked nevertheless, because they are large.
MemoryKeeper::Hope MemoryArbiter::AskLargest(SpillableReservation* requester) {
  impl_->mutex.AssertHeld();
  const uintptr_t thread = ThisThread();
  const bool waits_for_stuck = requester != nullptr && requester->spillable_bytes() == 0;
  const auto answers = [&](const SpillableReservation& consumer) SCAUP_REQUIRES_LOCK(impl_->mutex) {
    if (&consumer == requester) return true;
    const uintptr_t other = consumer.thread_.load(std::memory_order_relaxed);
    if (other == thread) return requester != nullptr && consumer.spills_when_idle();
    return waits_for_stuck || !impl_->IsStuck(other);
  };
  // Other consumers can also return memory that was granted but is not used yet: they will use it, and can
  // spill it then. The requester has no such memory.
  const auto bytes_to_give = [&](const SpillableReservation& consumer) -> size_t {
    if (&consumer == requester) return consumer.spillable_bytes();
    const size_t held = consumer.size_bytes();
    const size_t fixed = consumer.fixed_bytes_.load(std::memory_order_relaxed);
    return held < fixed || held - fixed < SpillableReservation::kMinSpillBytes ? 0 : held - fixed;
  };
  size_t wanted = 0;
  for (const Impl::Waiter* waiter : impl_->queue) wanted += waiter->size_bytes;
  for (const Impl::Waiter& waiter : impl_->stuck) wanted += waiter.size_bytes;
  wanted -= std::min({wanted, memory_.free_bytes(), ShareLeft()});

  size_t covered = 0;
  std::vector<std::pair<size_t, SpillableReservation*>> unasked;
  for (SpillableReservation* consumer : impl_->consumers) {
    const size_t spillable = bytes_to_give(*consumer);
    if (spillable == 0) continue;
    if (!consumer->spill_requested_.load(std::memory_order_relaxed)) {
      unasked.emplace_back(spillable, consumer);
    } else if (answers(*consumer)) {
      covered += spillable;
    }
  }
  std::sort(unasked.begin(), unasked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  bool asked = false;
  for (const auto& [spillable, consumer] : unasked) {
    if (covered >= wanted) break;
    consumer->spill_requested_.store(true, std::memory_order_relaxed);
    asked = true;
    if (answers(*consumer)) covered += spillable;
  }
  if (asked) memory_.WakeWatches();  // The asked consumers may be waiting themselves.
  if (covered != 0) return MemoryKeeper::Hope::kSpill;
  const auto is_at_work = [&](const SpillableReservation* consumer) SCAUP_REQUIRES_LOCK(impl_->mutex) {
    const uintptr_t other = consumer->thread_.load(std::memory_order_relaxed);
    return other != thread && consumer->size_bytes() >= SpillableReservation::kMinSpillBytes &&
           !impl_->IsWaiting(other);
  };
  return std::any_of(impl_->consumers.begin(), impl_->consumers.end(), is_at_work)
             ? MemoryKeeper::Hope::kWork
             : MemoryKeeper::Hope::kNone;
}

MemoryKeeper::Hope MemoryArbiter::Impl::AskOthers() {
  const MutexLock lock(mutex);
  return arbiter.AskLargest(nullptr);
}

void MemoryArbiter::Impl::BeginWaiting(size_t size_bytes) {
  const MutexLock lock(mutex);
  stuck.push_back({ThisThread(), size_bytes});
}

void MemoryArbiter::Impl::EndWaiting(size_t size_bytes) noexcept {
  const MutexLock lock(mutex);
  const auto waiter = std::find(stuck.begin(), stuck.end(), Waiter{ThisThread(), size_bytes});
  if (waiter != stuck.end()) stuck.erase(waiter);
}

// The consumers of this thread that were asked to spill and can do so while the thread waits. REQUIRES: mutex
// held.
std::vector<SpillableReservation*> MemoryArbiter::AskedIdle() const {
  impl_->mutex.AssertHeld();
  std::vector<SpillableReservation*> idle;
  for (SpillableReservation* consumer : impl_->consumers) {
    if (consumer->thread_.load(std::memory_order_relaxed) == ThisThread() && consumer->spills_when_idle() &&
        consumer->spill_requested_.load(std::memory_order_relaxed))
      idle.push_back(consumer);
  }
  return idle;
}

uint32_t MemoryArbiter::PatienceMilliseconds(MemoryKeeper::Hope hope, bool has_way_out) const {
  // The default gives other waiting threads the time to notice that they can go on.
  constexpr uint32_t kMomentMilliseconds = 10 * kCancelCheckMilliseconds;
  uint32_t milliseconds = kMomentMilliseconds;
  if (hope == MemoryKeeper::Hope::kWork) milliseconds = patience_.work_milliseconds;
  if (hope == MemoryKeeper::Hope::kSpill) milliseconds = patience_.alone_milliseconds;
  return has_way_out ? std::min(milliseconds, patience_.with_own_milliseconds) : milliseconds;
}

GrowResult MemoryArbiter::GrowUnderPressure(SpillableReservation& consumer, size_t size_bytes,
                                            bool is_needed) {
  using Clock = std::chrono::steady_clock;
  using Hope = MemoryKeeper::Hope;
  const Turn turn(*this, size_bytes);
  MemoryReleaseWatch watch(memory_);
  const bool has_way_out = !is_needed || consumer.spillable_bytes() != 0;
  const Clock::time_point begin = Clock::now();
  Clock::time_point last_progress = begin;
  size_t used = memory_.used_bytes();
  // The idle consumers that have spilled already; marking them busy keeps them from being asked again during
  // this wait.
  std::deque<SpillableReservation::Busy> emptied;
  while (true) {
    if (consumer.cancelled_.load(std::memory_order_relaxed)) {
      ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled,
                 "canceling statement due to user request");
    }
    Hope hope = Hope::kNone;
    std::vector<SpillableReservation*> idle;
    {
      const MutexLock lock(impl_->mutex);
      if (turn.is_first() && size_bytes <= ShareLeft() && TryReserveForConsumer(memory_, size_bytes)) {
        consumer.TakeFromTracker(size_bytes);
        return GrowResult::kGranted;
      }
      hope = AskLargest(&consumer);
      // The reserve may be used in two cases. If no consumer can spill, the requester may take it. If the
      // holders of memory are at work, only the first in the queue may: it can go on, and will free some.
      const bool may_take_kept = hope == Hope::kNone || (hope == Hope::kWork && turn.is_first());
      if (is_needed && may_take_kept && memory_.TryReserve(size_bytes)) {
        consumer.TakeFromTracker(size_bytes);
        return GrowResult::kGranted;
      }
      if (hope == Hope::kNone && !turn.is_first()) hope = Hope::kWork;  // The first gives up first.
      idle = AskedIdle();
    }
    std::erase(idle, &consumer);
    // These consumers belong to this thread, so no other thread destroys them meanwhile.
    for (SpillableReservation* other : idle) {
      emptied.emplace_back(*other);
      if (other->spillable_bytes() != 0) {
        other->idle_spill_();
      } else {
        other->GiveBack();  // It was granted more than it uses.
      }
    }
    if (consumer.spill_requested_.load(std::memory_order_relaxed) && consumer.spillable_bytes() != 0)
      return GrowResult::kSpillFirst;
    // Can never be granted, so waiting is useless.
    if (size_bytes > memory_.limit_bytes()) break;
    const std::chrono::milliseconds patience(PatienceMilliseconds(hope, has_way_out));
    const Clock::time_point now = Clock::now();
    if (now - last_progress >= patience || now - begin >= kMaxPatience * patience) break;
    if (idle.empty()) watch.Wait(kCancelCheckMilliseconds);
    // Only a decrease of used memory is progress: waiters come and go, too.
    const size_t now_used = memory_.used_bytes();
    if (now_used < used) last_progress = Clock::now();
    used = now_used;
  }
  if (!is_needed) return GrowResult::kSpillFirst;
  if (consumer.spillable_bytes() != 0) {
    consumer.spill_requested_.store(true, std::memory_order_relaxed);
    return GrowResult::kSpillFirst;
  }
  memory_.Reserve(size_bytes);  // Most likely throws, with the figures in the message.
  consumer.TakeFromTracker(size_bytes);
  return GrowResult::kGranted;
}

SpillableReservation::SpillableReservation(MemoryArbiter& arbiter, const std::atomic<bool>& cancelled)
    : arbiter_(arbiter), cancelled_(cancelled), account_(&arbiter.memory_), thread_(ThisThread()) {
  const MutexLock lock(arbiter_.impl_->mutex);
  arbiter_.impl_->consumers.push_back(this);
  arbiter_.impl_->kept.consumer_count.fetch_add(1, std::memory_order_relaxed);
}

SpillableReservation::~SpillableReservation() {
  SCAUP_ASSERT(account_.used_bytes() == 0);
  const MutexLock lock(arbiter_.impl_->mutex);
  std::erase(arbiter_.impl_->consumers, this);
  arbiter_.impl_->kept.consumer_count.fetch_sub(1, std::memory_order_relaxed);
  // The reserve protects only against consumers; without any it is released.
  if (arbiter_.impl_->consumers.empty()) arbiter_.impl_->kept.GiveAll();
}

// Whether the consumer should spill to refill the reserve. Where others have used up most of it, a consumer
// that holds much spills before they need more.
bool MemoryArbiter::IsToRefill(const SpillableReservation& consumer) const {
  if (!impl_->kept.is_low()) return false;
  const size_t count = std::max<size_t>(1, impl_->kept.consumer_count.load(std::memory_order_relaxed));
  const size_t available = impl_->available_bytes.load(std::memory_order_relaxed);
  return consumer.spillable_bytes() > available / (2 * count);
}

bool SpillableReservation::TakeFree(size_t size_bytes) {
  const size_t free = account_.free_bytes();
  if (size_bytes <= free) return true;
  const size_t missing = size_bytes - free;
  if (arbiter_.waiting_count() == 0) {  // Otherwise waiting consumers come first.
    // In steps while memory is plentiful, to the byte when it is short.
    const size_t step = std::max(missing, std::min(arbiter_.memory_.limit_bytes() / 256, kMaxStepBytes));
    if (arbiter_.HasShareFor(step) && arbiter_.memory_.TryReserveFree(step)) {
      TakeFromTracker(step);
      return true;
    }
    if (arbiter_.HasShareFor(missing) && TryReserveForConsumer(arbiter_.memory_, missing)) {
      TakeFromTracker(missing);
      return true;
    }
  }
  // The unused rest of a step does not help while more is missing; others may have it meanwhile.
  account_.GiveBack();
  return false;
}

GrowResult SpillableReservation::Grow(size_t size_bytes) {
  thread_.store(ThisThread(), std::memory_order_relaxed);
  if (arbiter_.IsToRefill(*this)) return GrowResult::kSpillFirst;
  if (TakeFree(size_bytes)) return GrowResult::kGranted;
  return arbiter_.GrowUnderPressure(*this, size_bytes, true);
}

bool SpillableReservation::TryGrow(size_t size_bytes) {
  thread_.store(ThisThread(), std::memory_order_relaxed);
  return TakeFree(size_bytes) || arbiter_.GrowUnderPressure(*this, size_bytes, false) == GrowResult::kGranted;
}

bool SpillableReservation::spill_requested() noexcept {
  const uintptr_t thread = ThisThread();
  if (thread_.load(std::memory_order_relaxed) != thread) thread_.store(thread, std::memory_order_relaxed);
  return spill_requested_.load(std::memory_order_relaxed) || arbiter_.IsToRefill(*this);
}

void SpillableReservation::GiveBack() noexcept {
  spill_requested_.store(false, std::memory_order_relaxed);
  account_.GiveBack();
  if (!arbiter_.impl_->kept.is_low()) return;
  const MutexLock lock(arbiter_.impl_->mutex);
  // The reserve comes first: ShareLeft refills it from what was returned.
  arbiter_.ShareLeft();
}

void SpillableReservation::GiveBackPages(size_t kept_bytes) noexcept {
  const size_t freed = account_.free_bytes();
  std::atomic<size_t>& unreturned = arbiter_.impl_->unreturned_bytes;
  if (unreturned.fetch_add(freed) + freed >=
      std::min(kReturnBytes, arbiter_.memory_.limit_bytes() / kReturnPart)) {
    unreturned.store(0);
    ReturnFreePages(kept_bytes);
  }
  GiveBack();
}

void SpillableReservation::SetIdleSpill(std::function<void()> spill) {
  const MutexLock lock(arbiter_.impl_->mutex);
  idle_spill_ = std::move(spill);
}

void SpillableReservation::SetFixed(size_t size_bytes) noexcept {
  fixed_bytes_.store(size_bytes, std::memory_order_relaxed);
  if (size_bytes != 0 && spillable_bytes() == 0) spill_requested_.store(false, std::memory_order_relaxed);
}

}  // namespace scaup
