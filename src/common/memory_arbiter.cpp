// Who is asked to spill, who waits and for how long, when spillable consumers meet the memory limit.
#include "common/memory_arbiter.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

// Cancel flags are looked at this often while a consumer waits.
constexpr uint32_t kWaitMilliseconds = 20;
// Progress prolongs waiting up to so many times the patience.
constexpr int kMaxPatience = 4;
// Consumers take memory from the database in steps of at most this, so that they seldom ask.
constexpr size_t kMaxStepBytes = size_t{1} << 20;

uintptr_t ThisThread() { return (uintptr_t)pthread_self(); }  // A number or a pointer, by system.

}  // namespace

struct MemoryArbiter::Impl {
  mutable std::mutex mutex;  // Guards everything here.
  std::vector<SpillableReservation*> consumers;
  struct Waiter {
    size_t size_bytes;
  };
  std::deque<Waiter*> queue;  // The first is served first, so that none starves.
};

// A place in the queue of those that wait.
class MemoryArbiter::Turn {
 public:
  Turn(MemoryArbiter& arbiter, size_t size_bytes) : arbiter_(arbiter), waiter_{size_bytes} {
    const std::lock_guard lock(arbiter_.impl_->mutex);
    arbiter_.impl_->queue.push_back(&waiter_);
    arbiter_.waiting_count_.fetch_add(1);
  }
  ~Turn() {
    {
      const std::lock_guard lock(arbiter_.impl_->mutex);
      std::erase(arbiter_.impl_->queue, &waiter_);
      arbiter_.waiting_count_.fetch_sub(1);
    }
    arbiter_.memory_.WakeWatches();  // It may be the next one's turn.
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  // With the arbiter's mutex.
  bool is_first() const { return arbiter_.impl_->queue.front() == &waiter_; }

 private:
  MemoryArbiter& arbiter_;
  Impl::Waiter waiter_;
};

MemoryArbiter::MemoryArbiter(MemoryTracker& memory, ArbiterPatience patience, size_t kept_part)
    : memory_(memory), patience_(patience), kept_part_(kept_part), impl_(std::make_unique<Impl>()) {}

MemoryArbiter::~MemoryArbiter() = default;

size_t MemoryArbiter::consumer_count() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->consumers.size();
}

size_t MemoryArbiter::granted_bytes() const {
  const std::lock_guard lock(impl_->mutex);
  size_t granted = 0;
  for (const SpillableReservation* consumer : impl_->consumers) granted += consumer->size_bytes();
  return granted;
}

// With the mutex. What consumers may still get, if it is free.
size_t MemoryArbiter::ShareLeft() const {
  if (kept_part_ == 0) return SIZE_MAX;
  const size_t limit = memory_.limit_bytes();
  const size_t share = limit - limit / kept_part_;
  size_t taken = 0;
  for (const SpillableReservation* consumer : impl_->consumers) taken += consumer->size_bytes();
  return share - std::min(share, taken);
}

bool MemoryArbiter::HasShareFor(size_t size_bytes) const {
  if (kept_part_ == 0) return true;
  const std::lock_guard lock(impl_->mutex);
  return size_bytes <= ShareLeft();
}

// With the mutex. Asks consumers, the largest first, until what they can spill covers what all waiters want.
// Returns whether somebody who can answer while the requester waits has been asked. Consumers of the
// requester's own thread can if they are idle; others are asked, as they are large, but not counted on.
bool MemoryArbiter::AskLargest(SpillableReservation& requester) {
  const uintptr_t thread = ThisThread();
  const auto answers = [&](const SpillableReservation& consumer) {
    return &consumer == &requester || consumer.thread_.load(std::memory_order_relaxed) != thread ||
           consumer.spills_when_idle();
  };
  // Others give back also what they were granted and do not use yet: they will, and can spill then. A
  // requester has no such memory.
  const auto bytes_to_give = [&](const SpillableReservation& consumer) -> size_t {
    if (&consumer == &requester) return consumer.spillable_bytes();
    const size_t held = consumer.size_bytes();
    const size_t fixed = consumer.fixed_bytes_.load(std::memory_order_relaxed);
    return held < fixed || held - fixed < SpillableReservation::kMinSpillBytes ? 0 : held - fixed;
  };
  size_t wanted = 0;
  for (const Impl::Waiter* waiter : impl_->queue) wanted += waiter->size_bytes;
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
  if (asked) memory_.WakeWatches();  // The asked ones may be waiting themselves.
  return covered != 0;
}

// With the mutex. Consumers of this thread that are to give memory back, and can while it waits here.
std::vector<SpillableReservation*> MemoryArbiter::AskedIdle() const {
  std::vector<SpillableReservation*> idle;
  for (SpillableReservation* consumer : impl_->consumers) {
    if (consumer->thread_.load(std::memory_order_relaxed) == ThisThread() && consumer->spills_when_idle() &&
        consumer->spill_requested_.load(std::memory_order_relaxed))
      idle.push_back(consumer);
  }
  return idle;
}

GrowResult MemoryArbiter::GrowUnderPressure(SpillableReservation& consumer, size_t size_bytes) {
  using Clock = std::chrono::steady_clock;
  const Turn turn(*this, size_bytes);
  MemoryReleaseWatch watch(memory_);
  const uint32_t patience =
      consumer.spillable_bytes() != 0 ? patience_.with_own_milliseconds : patience_.alone_milliseconds;
  const Clock::time_point begin = Clock::now();
  Clock::time_point give_up = begin + std::chrono::milliseconds(patience);
  const Clock::time_point end = begin + kMaxPatience * std::chrono::milliseconds(patience);
  size_t used = memory_.used_bytes();
  // Idle consumers that have given what they could: there is no more to hope for while this thread waits.
  std::deque<SpillableReservation::Busy> emptied;
  while (true) {
    if (consumer.cancelled_.load(std::memory_order_relaxed)) {
      ThrowError(ErrorKind::kInterrupted, sqlstate::kQueryCanceled,
                 "canceling statement due to user request");
    }
    bool hope = false;
    std::vector<SpillableReservation*> idle;
    {
      const std::lock_guard lock(impl_->mutex);
      if (turn.is_first() && size_bytes <= ShareLeft() && memory_.TryReserve(size_bytes)) {
        consumer.TakeFromTracker(size_bytes);
        return GrowResult::kGranted;
      }
      hope = AskLargest(consumer) || !turn.is_first();
      idle = AskedIdle();
    }
    std::erase(idle, &consumer);
    // They are this thread's own, so that nobody else takes them away meanwhile.
    for (SpillableReservation* other : idle) {
      emptied.emplace_back(*other);
      if (other->spillable_bytes() != 0) {
        other->idle_spill_();
      } else {
        other->GiveBack();  // It has been granted more than it uses.
      }
    }
    if (consumer.spill_requested_.load(std::memory_order_relaxed) && consumer.spillable_bytes() != 0)
      return GrowResult::kSpillFirst;
    if (!hope || size_bytes > memory_.limit_bytes() || Clock::now() >= give_up) break;
    if (idle.empty()) watch.Wait(kWaitMilliseconds);
    // Only less memory in use is progress: others that wait come and go, too.
    const size_t now_used = memory_.used_bytes();
    if (now_used < used) give_up = std::min(end, Clock::now() + std::chrono::milliseconds(patience));
    used = now_used;
  }
  if (consumer.spillable_bytes() != 0) {
    consumer.spill_requested_.store(true, std::memory_order_relaxed);
    return GrowResult::kSpillFirst;
  }
  memory_.Reserve(size_bytes);  // Most likely throws, with the figures.
  consumer.TakeFromTracker(size_bytes);
  return GrowResult::kGranted;
}

SpillableReservation::SpillableReservation(MemoryArbiter& arbiter, const std::atomic<bool>& cancelled)
    : arbiter_(arbiter), cancelled_(cancelled), account_(&arbiter.memory_), thread_(ThisThread()) {
  const std::lock_guard lock(arbiter_.impl_->mutex);
  arbiter_.impl_->consumers.push_back(this);
}

SpillableReservation::~SpillableReservation() {
  const std::lock_guard lock(arbiter_.impl_->mutex);
  std::erase(arbiter_.impl_->consumers, this);
}

GrowResult SpillableReservation::Grow(size_t size_bytes) {
  thread_.store(ThisThread(), std::memory_order_relaxed);
  const size_t free = account_.free_bytes();
  if (size_bytes <= free) return GrowResult::kGranted;
  const size_t missing = size_bytes - free;
  if (arbiter_.waiting_count() == 0) {  // Else those that wait come first.
    // In steps while memory is plenty, to the byte when it is short.
    const size_t step = std::max(missing, std::min(arbiter_.memory_.limit_bytes() / 256, kMaxStepBytes));
    if (arbiter_.HasShareFor(step) && arbiter_.memory_.TryReserveFree(step)) {
      TakeFromTracker(step);
      return GrowResult::kGranted;
    }
    if (arbiter_.HasShareFor(missing) && arbiter_.memory_.TryReserve(missing)) {
      TakeFromTracker(missing);
      return GrowResult::kGranted;
    }
  }
  // The unused rest of a step is of no use while more is missing: others may have it meanwhile.
  account_.GiveBack();
  return arbiter_.GrowUnderPressure(*this, size_bytes);
}

bool SpillableReservation::spill_requested() noexcept {
  const uintptr_t thread = ThisThread();
  if (thread_.load(std::memory_order_relaxed) != thread) thread_.store(thread, std::memory_order_relaxed);
  return spill_requested_.load(std::memory_order_relaxed);
}

void SpillableReservation::GiveBack() noexcept {
  spill_requested_.store(false, std::memory_order_relaxed);
  account_.GiveBack();
}

void SpillableReservation::SetIdleSpill(std::function<void()> spill) {
  const std::lock_guard lock(arbiter_.impl_->mutex);
  idle_spill_ = std::move(spill);
}

void SpillableReservation::SetFixed(size_t size_bytes) noexcept {
  fixed_bytes_.store(size_bytes, std::memory_order_relaxed);
  if (size_bytes != 0 && spillable_bytes() == 0) spill_requested_.store(false, std::memory_order_relaxed);
}

}  // namespace scaup
