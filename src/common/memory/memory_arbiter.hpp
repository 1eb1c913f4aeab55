// Shares the memory limit among operators that can spill: the one that holds most is asked to spill first.
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

/// The result of SpillableReservation::Grow.
enum class GrowResult : uint8_t {
  kGranted = 1,
  kSpillFirst = 2,  ///< nothing was granted: spill, call GiveBack, try again
};

/// How long a consumer waits while no memory is released at all.
struct ArbiterPatience {
  uint32_t with_own_milliseconds = 250;  ///< it could spill itself, or do with less
  uint32_t alone_milliseconds = 10'000;  ///< it has nothing to spill; then the statement fails
  uint32_t work_milliseconds = 2'000;    ///< no consumer can spill, but others are at work
};

/// The registry of all spillable consumers of all queries of a database. Owned by the database; it outlives
/// the reservations and must not outlive the tracker. Thread-safe.
///
/// Locks: its mutex is taken before those of the tracker, and never while one of the latter is held.
class MemoryArbiter {
 public:
  /// All consumers together may get the limit less one `kept_part`-th of it (0: the whole limit). A few MiB
  /// stay free in any case for code that cannot spill, such as scans that read blocks.
  explicit MemoryArbiter(MemoryTracker& memory, ArbiterPatience patience = {}, size_t kept_part = 0);
  ~MemoryArbiter();
  MemoryArbiter(const MemoryArbiter&) = delete;
  MemoryArbiter& operator=(const MemoryArbiter&) = delete;

  size_t consumer_count() const;
  /// The bytes granted to all consumers, used or not.
  size_t granted_bytes() const;
  /// The part of the limit that consumers could have: free memory, their own memory, which they can spill,
  /// and what caches and cached rows can release. Tables in memory take up the rest.
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

/// The memory of one spillable consumer, such as one task's share of a hash table, or one sorted run. One
/// thread at a time, which may change; any thread may release memory of its account.
///
///   SpillableReservation reservation(arbiter, context.functions.interrupted);
///   RowCollection rows(layout, reservation.account());
///   for each chunk:
///     if (reservation.spill_requested()) Spill();              // write the rows to a file, clear them
///     while (reservation.Grow(size of the chunk's rows) == GrowResult::kSpillFirst) Spill();
///     rows.Append(chunk);
///   Spill() ends with reservation.GiveBack().
///
/// A consumer that pulls chunks from another consumer below it, on the same thread, cannot poll while that
/// one waits for memory. To avoid a deadlock between threads, it registers how it spills meanwhile:
///   reservation.SetIdleSpill([this] { Spill(); });
///   for each chunk:
///     const SpillableReservation::Busy busy(reservation);
class SpillableReservation {
 public:
  /// The least memory that is worth a request to spill.
  static constexpr size_t kMinSpillBytes = size_t{64} << 10;

  /// Registers with the arbiter. Setting `cancelled` ends a wait with Error(kInterrupted, 57014).
  SpillableReservation(MemoryArbiter& arbiter, const std::atomic<bool>& cancelled);
  /// REQUIRES: everything reserved from account() was released.
  ~SpillableReservation();
  SpillableReservation(const SpillableReservation&) = delete;
  SpillableReservation& operator=(const SpillableReservation&) = delete;

  /// The account from which the consumer's data structures reserve. A reservation beyond what Grow granted
  /// takes from the database's free memory, and throws if there is not enough.
  MemoryTracker& account() { return account_; }

  /// Makes `size_bytes` more available in account(). Waits, for a bounded time, while other consumers, which
  /// hold more and run on other threads, are asked to spill. Throws Error(kOutOfMemory, 53200) when neither
  /// this consumer nor another can spill enough.
  GrowResult Grow(size_t size_bytes);

  /// Grows for a consumer that can do with less. It waits for others, but leaves alone the memory reserved
  /// for code that cannot spill. Returns false where Grow would throw or return kSpillFirst.
  bool TryGrow(size_t size_bytes);

  /// Whether the arbiter asks this consumer to spill. Poll it once per chunk: the call also tells the arbiter
  /// which thread works for this consumer.
  bool spill_requested() noexcept;

  /// Returns the unused part of the account to the database, which answers a request to spill.
  void GiveBack() noexcept;

  /// Returns free pages to the system after a structure of many allocations was freed, so that memory
  /// retained by malloc does not count against other consumers. It does so only once enough was freed to pay
  /// for the milliseconds. `kept_bytes` as in ReturnFreePages.
  void GiveBackPages(size_t kept_bytes = 0) noexcept;

  /// Sets how much of the account spilling would not free; 0 at first. A consumer that is no longer polled,
  /// or cannot spill at the moment, sets kAll; then no thread waits for it.
  static constexpr size_t kAll = SIZE_MAX;
  void SetFixed(size_t size_bytes) noexcept;

  /// Registers a spill that may run while this thread waits for another consumer's memory. The thread calls
  /// it once per wait if memory is wanted, unless the consumer is busy or has nothing to spill; then it
  /// returns the granted memory that is not in use. For consumers that stay on one thread until
  /// SetFixed(kAll).
  void SetIdleSpill(std::function<void()> spill);
  /// Marks the consumer as busy, not idle, for the lifetime of the object.
  class Busy {
   public:
    explicit Busy(SpillableReservation& reservation) : is_busy_(reservation.is_busy_) { is_busy_ = true; }
    ~Busy() { is_busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    bool& is_busy_;
  };

  /// The bytes that spilling would free. Any thread may call it.
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
  // Only valid on the thread that polled last.
  bool spills_when_idle() const noexcept { return idle_spill_ && !is_busy_; }

  MemoryArbiter& arbiter_;
  const std::atomic<bool>& cancelled_;
  MemoryTracker account_;
  std::atomic<bool> spill_requested_{false};
  std::atomic<size_t> fixed_bytes_{0};
  std::atomic<uintptr_t> thread_{0};  // the thread that polled or grew last
  std::function<void()> idle_spill_;
  bool is_busy_ = false;
};

}  // namespace scaup
