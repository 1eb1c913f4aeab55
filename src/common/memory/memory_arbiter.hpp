// Shares the memory limit among operators that can spill: the one that holds most is asked to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/memory/memory_keeper.hpp"
#include "common/memory/memory_tracker.hpp"

namespace scaup {

class SpillableReservation;

/// The answer of SpillableReservation::Grow.
enum class GrowResult : uint8_t {
  kGranted = 1,
  kSpillFirst = 2,  ///< Nothing was granted: spill, call GiveBack, try again.
};

/// How long a consumer waits for others while nothing at all is released.
struct ArbiterPatience {
  uint32_t with_own_milliseconds = 250;  ///< It could spill its own instead, or do with less.
  uint32_t alone_milliseconds = 10'000;  ///< It has nothing of its own; then the statement fails.
  uint32_t work_milliseconds = 2'000;    ///< The same where nobody can spill, but others are at work.
};

/// Knows all spillable consumers of all queries of a database. Thread-safe; owned by the database, outlives
/// the reservations and must not outlive the tracker.
///
/// Locks: its mutex is taken before those of the tracker, and never while one of these is held.
class MemoryArbiter {
 public:
  /// All consumers together get all but one part in `kept_part` of the limit (0: all of it), and leave a few
  /// MiB free whatever else is in use: those that cannot spill, as scans that read blocks, need some, and
  /// cannot ask anybody.
  explicit MemoryArbiter(MemoryTracker& memory, ArbiterPatience patience = {}, size_t kept_part = 0);
  ~MemoryArbiter();
  MemoryArbiter(const MemoryArbiter&) = delete;
  MemoryArbiter& operator=(const MemoryArbiter&) = delete;

  size_t consumer_count() const;
  /// The bytes that all consumers have been granted, used or not.
  size_t granted_bytes() const;
  /// The part of the limit that is available to consumers: free memory, the consumers' own, which they can
  /// spill, and what caches and cached rows give back. Tables that are only in memory have the rest.
  size_t AvailableBytes() const;
  size_t waiting_count() const { return waiting_count_.load(std::memory_order_relaxed); }

 private:
  friend class SpillableReservation;
  struct Impl;
  class Turn;

  GrowResult GrowUnderPressure(SpillableReservation& consumer, size_t size_bytes, bool is_needed);
  MemoryKeeper::Hope AskLargest(SpillableReservation* requester);
  std::vector<SpillableReservation*> AskedIdle() const;
  uint32_t PatienceMilliseconds(MemoryKeeper::Hope hope, bool has_way_out) const;
  size_t ShareLeft() const;
  bool IsToRefill(const SpillableReservation& consumer) const;
  bool HasShareFor(size_t size_bytes) const;

  MemoryTracker& memory_;
  const ArbiterPatience patience_;
  const size_t kept_part_;
  std::atomic<size_t> waiting_count_{0};
  std::unique_ptr<Impl> impl_;
};

/// The memory of one spillable consumer: of one task's part of a hash table, one sorted run. Belongs to one
/// thread at a time, which may change; memory of its account may be released from any.
///
///   SpillableReservation reservation(arbiter, context.functions.interrupted);
///   RowCollection rows(layout, reservation.account());
///   for each chunk:
///     if (reservation.spill_requested()) Spill();              // write rows away, clear them
///     while (reservation.Grow(size of the chunk's rows) == GrowResult::kSpillFirst) Spill();
///     rows.Append(chunk);
///   Spill() ends with reservation.GiveBack().
///
/// A consumer that takes chunks from another one below it, in the same thread, cannot poll while that one
/// waits for memory. It says how it spills meanwhile, or threads could wait for each other's:
///   reservation.SetIdleSpill([this] { Spill(); });
///   for each chunk:
///     const SpillableReservation::Busy busy(reservation);
class SpillableReservation {
 public:
  /// From `size_bytes()` on it does not pay to ask a consumer for its memory.
  static constexpr size_t kMinSpillBytes = size_t{64} << 10;

  /// Registers with the arbiter. `cancelled` ends waiting with Error(kInterrupted, 57014).
  SpillableReservation(MemoryArbiter& arbiter, const std::atomic<bool>& cancelled);
  /// Everything reserved from account() must have been released.
  ~SpillableReservation();
  SpillableReservation(const SpillableReservation&) = delete;
  SpillableReservation& operator=(const SpillableReservation&) = delete;

  /// Where the consumer's data structures reserve. Reserving more than Grow promised takes it from the
  /// database's memory if it is there, and throws if not.
  MemoryTracker& account() { return account_; }

  /// Makes room for `size_bytes` more in account(). Waits, boundedly, when other consumers, which hold more
  /// and run on other threads, have been asked to spill. Throws Error(kOutOfMemory, 53200) when neither this
  /// one nor another can spill enough.
  GrowResult Grow(size_t size_bytes);

  /// Grows for a consumer that can do with less: waits for others, but leaves the memory that is reserved for
  /// those that cannot spill, and returns false where Grow would throw or have it spill.
  bool TryGrow(size_t size_bytes);

  /// Whether the arbiter wants this consumer to spill. To be polled once per chunk: by that the arbiter also
  /// learns which thread works for it.
  bool spill_requested() noexcept;

  /// Returns what the account does not use any more to the database; answers the request to spill.
  void GiveBack() noexcept;

  /// Gives pages back after a structure of many pieces was freed: memory that malloc still holds goes back to
  /// the system before others take it, as soon as it is enough to pay for the milliseconds. `kept_bytes` as
  /// in ReturnFreePages.
  void GiveBackPages(size_t kept_bytes = 0) noexcept;

  /// How much of the account spilling would not free: 0 at first. A consumer that nobody polls any more, or
  /// that cannot spill at the moment, sets kAll: nobody then waits for it.
  static constexpr size_t kAll = SIZE_MAX;
  void SetFixed(size_t size_bytes) noexcept;

  /// Sets a spill that another thread may run: when memory is wanted and the thread that polled last waits
  /// for another consumer's, it calls this once while it waits, unless the consumer is busy or has nothing to
  /// spill. Then it takes back the memory that is granted and not in use. For consumers that stay with their
  /// thread until they are fixed.
  void SetIdleSpill(std::function<void()> spill);
  /// As long as it lives, the consumer is not idle.
  class Busy {
   public:
    explicit Busy(SpillableReservation& reservation) : is_busy_(reservation.is_busy_) { is_busy_ = true; }
    ~Busy() { is_busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    bool& is_busy_;
  };

  /// The bytes that spilling would free; any thread may ask.
  size_t spillable_bytes() const noexcept {
    const size_t used = account_.used_bytes(), fixed = fixed_bytes_.load(std::memory_order_relaxed);
    const size_t spillable = used < fixed ? 0 : used - fixed;
    return spillable < kMinSpillBytes ? 0 : spillable;
  }
  size_t size_bytes() const noexcept { return account_.limit_bytes(); }

 private:
  friend class MemoryArbiter;

  bool TakeFree(size_t size_bytes);
  void TakeFromTracker(size_t size_bytes) noexcept { account_.AddLimit(size_bytes); }
  // Of the thread that polled last only.
  bool spills_when_idle() const noexcept { return idle_spill_ && !is_busy_; }

  MemoryArbiter& arbiter_;
  const std::atomic<bool>& cancelled_;
  MemoryTracker account_;
  std::atomic<bool> spill_requested_{false};
  std::atomic<size_t> fixed_bytes_{0};
  std::atomic<uintptr_t> thread_{0};  // The one that polled or grew last.
  std::function<void()> idle_spill_;
  bool is_busy_ = false;
};

}  // namespace scaup
