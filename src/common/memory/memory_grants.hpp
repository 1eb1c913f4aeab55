// Shares out the memory limit among the phases of running statements, without anyone waiting for another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/memory/memory_use.hpp"

namespace scaup {

class MemoryGrant;

/// Knows the grants of all running statements of a database, and how large each may be. Owned by the
/// database; it outlives the grants and must not outlive the tracker. Thread-safe.
///
/// Open grants share what tables and caches leave of the limit, without two parts that stay free: scratch
/// memory, for code that cannot spill and needs little at a time, and headroom, for the minima of grants that
/// will be opened. docs/architecture/memory.md says why nobody has to wait.
///
/// Locks: its mutex is taken before those of the tracker, and never while one of the latter is held.
class MemoryGrants {
 public:
  explicit MemoryGrants(MemoryTracker& memory) : memory_(memory) {}
  MemoryGrants(const MemoryGrants&) = delete;
  MemoryGrants& operator=(const MemoryGrants&) = delete;

  size_t grant_count() const;
  /// The open grants of operators, in the order in which they were opened.
  struct Listing {
    std::string owner;  ///< name of the operator; empty if it is not known
    uint64_t transaction;
    size_t task_count;
    size_t granted_bytes;  ///< what the grant may have now
    size_t used_bytes;     ///< of all grants of the operator
    size_t spilled_bytes;  ///< likewise
  };
  std::vector<Listing> List() const;
  /// The bytes reserved by all grants, used or not.
  size_t held_bytes() const { return held_bytes_.load(std::memory_order_relaxed); }
  /// The part of the limit that grants could have: free memory, their own memory, and what caches can
  /// release. Tables in memory take up the rest.
  size_t AvailableBytes() const;
  /// The bytes of the limit that no grant takes beyond its minimum: scratch memory and headroom.
  size_t margin_bytes() const { return margin_bytes_.load(std::memory_order_relaxed); }

 private:
  friend class MemoryGrant;
  friend class TaskMemory;

  void Open(MemoryGrant& grant, size_t most_tasks);
  size_t ReserveMinima(const MemoryGrant& grant, size_t most_tasks);
  void Finish(MemoryGrant& grant) noexcept;
  void ReleaseMinima(MemoryGrant& grant) noexcept;
  void Close(MemoryGrant& grant) noexcept;
  size_t FairShare() SCAUP_REQUIRES_LOCK(mutex_);
  void FitSizes() SCAUP_REQUIRES_LOCK(mutex_);
  size_t ShareOf(const MemoryGrant& grant);
  bool TryTake(MemoryGrant& grant, size_t size_bytes);
  void AddHeld(MemoryGrant& grant, size_t more_bytes) noexcept;
  void RemoveHeld(MemoryGrant& grant, size_t size_bytes) noexcept;

  MemoryTracker& memory_;
  mutable Mutex mutex_;
  std::vector<MemoryGrant*> grants_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<size_t> held_bytes_{0};
  std::atomic<size_t> margin_bytes_{0};
  std::atomic<size_t> scratch_bytes_{0};
  std::atomic<size_t> unreturned_bytes_{0};  // freed, but malloc may still retain them
};

/// The memory of one phase of a statement: of what a pipeline breaker does between two barriers, such as
/// collecting the runs of a sort, or merging them. Its tasks share it, each through TaskMemory objects.
/// Thread-safe, except that it is opened and destroyed by one thread.
///
/// Each task has a minimum, which is reserved when the grant opens. So a phase that has begun never fails for
/// lack of memory that it could do without.
class MemoryGrant {
 public:
  /// Reserves `least_bytes` for each of `most_tasks` tasks, or of fewer if there is too little memory. Throws
  /// Error(kOutOfMemory, 53200) if there is not enough for one. When further grants open, this one shrinks.
  /// `use`, if not null, counts what the tasks take, and outlives the grant.
  MemoryGrant(MemoryGrants& grants, size_t most_tasks, size_t least_bytes, MemoryUse* use = nullptr);
  /// All its TaskMemory objects have been destroyed before.
  ~MemoryGrant() { grants_.Close(*this); }
  MemoryGrant(const MemoryGrant&) = delete;
  MemoryGrant& operator=(const MemoryGrant&) = delete;

  /// The number of tasks whose minimum is reserved. No more may run at once.
  size_t task_count() const { return task_count_; }
  size_t least_bytes() const { return least_bytes_; }
  /// The bytes that all tasks together may have. The number only ever decreases.
  size_t size_bytes() const { return minima_bytes() + share_bytes_.load(std::memory_order_relaxed); }
  size_t held_bytes() const {
    return minima_bytes() - released_bytes_.load(std::memory_order_relaxed) +
           held_bytes_.load(std::memory_order_relaxed);
  }
  /// Ends the phase: its tasks need their minima no more, and from now on it counts with what it holds.
  void Finish() noexcept { grants_.Finish(*this); }
  bool is_finished() const { return is_finished_.load(std::memory_order_relaxed); }
  /// The part of its size that each task can count on.
  size_t task_bytes() const { return size_bytes() / task_count_; }
  MemoryUse* use() const { return use_; }

 private:
  friend class MemoryGrants;
  friend class TaskMemory;
  friend class TaskSeat;
  size_t minima_bytes() const { return task_count_ * least_bytes_; }

  MemoryGrants& grants_;
  const size_t least_bytes_;
  MemoryUse* const use_;
  size_t task_count_ = 0;
  std::atomic<bool> is_finished_{false};
  std::atomic<size_t> share_bytes_{SIZE_MAX};  // beyond the minima
  std::atomic<size_t> held_bytes_{0};          // beyond the minima
  std::atomic<size_t> minima_left_{0};         // of the minima, not in use by any task
  std::atomic<size_t> released_bytes_{0};      // of the minima, since the phase is finished
  std::atomic<size_t> seats_taken_{0};
  std::atomic<bool> is_wanted_{false};  // A task with less than an equal part could not grow.
};

/// A task's right to use a minimum of a grant, for tasks of which more may come than the grant has minima.
/// Whoever has no seat leaves the work to those that have one. Movable; one thread at a time.
class TaskSeat {
 public:
  TaskSeat() = default;
  /// Takes a seat if one is free.
  explicit TaskSeat(MemoryGrant& grant) {
    if (grant.seats_taken_.fetch_add(1) < grant.task_count_) {
      grant_ = &grant;
    } else {
      grant.seats_taken_.fetch_sub(1);
    }
  }
  TaskSeat(TaskSeat&& other) noexcept : grant_(std::exchange(other.grant_, nullptr)) {}
  TaskSeat& operator=(TaskSeat&& other) noexcept {
    std::swap(grant_, other.grant_);
    return *this;
  }
  ~TaskSeat() { Leave(); }
  bool is_taken() const { return grant_ != nullptr; }
  void Leave() noexcept {
    if (grant_ != nullptr) grant_->seats_taken_.fetch_sub(1);
    grant_ = nullptr;
  }

 private:
  MemoryGrant* grant_ = nullptr;
};

/// The memory of one consumer of a grant, such as one task's share of a hash table, or one sorted run. One
/// thread at a time, which may change; any thread may release memory of its account.
///
///   TaskMemory memory(grant);
///   RowCollection rows(layout, memory.account());
///   for each chunk:
///     if (memory.is_short()) Spill();                 // write the rows to a file, clear them
///     memory.Grow([&] { return size of the chunk's rows; }, [&] { Spill(); });
///     rows.Append(chunk);
///   Spill() ends with memory.GiveBack().
class TaskMemory {
 public:
  /// The least memory that is worth spilling, unless it is needed for the next rows.
  static constexpr size_t kMinSpillBytes = size_t{64} << 10;

  explicit TaskMemory(MemoryGrant& grant) : grant_(grant), account_(&grant.grants_.memory_, grant.use()) {}
  /// REQUIRES: everything reserved from account() was released.
  ~TaskMemory();
  TaskMemory(const TaskMemory&) = delete;
  TaskMemory& operator=(const TaskMemory&) = delete;

  /// The account from which the consumer's data structures reserve. A reservation beyond what was granted
  /// takes from the database's free memory, and throws if there is not enough.
  MemoryTracker& account() { return account_; }

  /// Makes `size_bytes` more available in account(), within the grant or the task's minimum. Returns false if
  /// they are not to be had: the consumer then spills, partitions, or does with less.
  bool TryGrow(size_t size_bytes);
  /// Makes `size_bytes` more available in account(). For a consumer that has nothing to spill: takes memory
  /// that is set aside for others, too. Throws Error(kOutOfMemory, 53200) if there is none.
  void Require(size_t size_bytes);
  /// Grows by bytes(); if that fails, calls spill(), and then requires bytes().
  template <typename Bytes, typename Spill>
  void Grow(const Bytes& bytes, const Spill& spill) {
    if (TryGrow(bytes())) return;
    spill();
    Require(bytes());
  }

  /// Whether the grant holds more than it may, or a task has little because others hold much, and this
  /// consumer holds enough to spill. Asked once per chunk.
  bool is_short();
  /// Whether the consumer uses a part of its task's minimum, which the task needs for what it does next.
  bool uses_least() const { return drawn_bytes_ != 0; }

  /// Returns the unused part of the account.
  void GiveBack() noexcept;
  /// Returns free pages to the system after a structure of many allocations was freed, so that memory
  /// retained by malloc does not count against other consumers. It does so only once enough was freed to pay
  /// for the milliseconds. `kept_bytes` as in ReturnFreePages.
  void GiveBackPages(size_t kept_bytes = 0) noexcept;

  /// Sets how much of the account spilling would not free; 0 at first. A consumer whose task has ended sets
  /// kAll.
  static constexpr size_t kAll = SIZE_MAX;
  void SetFixed(size_t size_bytes) noexcept;

  /// The bytes that spilling would free, if they are so many. Any thread may call it.
  size_t spillable_bytes(size_t least_bytes = kMinSpillBytes) const noexcept {
    const size_t used = account_.used_bytes(), fixed = fixed_bytes_.load(std::memory_order_relaxed);
    const size_t spillable = used < fixed ? 0 : used - fixed;
    return spillable < least_bytes ? 0 : spillable;
  }

 private:
  MemoryGrants& grants() const { return grant_.grants_; }
  bool TryDraw(size_t size_bytes) noexcept;
  void ReturnDrawn(size_t size_bytes) noexcept;
  void Count() noexcept;
  void Report() noexcept;

  MemoryGrant& grant_;
  MemoryTracker account_;
  size_t counted_bytes_ = 0;   // of the account, in held_bytes of the grant
  size_t drawn_bytes_ = 0;     // of the account, from the minima
  size_t reported_bytes_ = 0;  // of the account, in the operator's MemoryUse
  std::atomic<size_t> fixed_bytes_{0};
};

}  // namespace scaup
