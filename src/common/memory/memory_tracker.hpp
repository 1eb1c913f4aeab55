// Accounts every allocation that grows with data against one limit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace scaup {

class MemoryKeeper;

/// Holds memory that it can do without, as a cache does. Owned by whoever adds it to a tracker.
class MemoryReclaimer {
 public:
  virtual ~MemoryReclaimer() = default;
  /// Frees about `wanted_bytes`, or what it can, and releases them to the tracker; returns how many. Comes
  /// from any thread that reserves, which may hold locks: takes only locks under which nobody reserves, and
  /// does not reserve itself.
  virtual size_t Reclaim(size_t wanted_bytes) noexcept = 0;
  /// About what it could free. Any thread, under the same rules.
  virtual size_t reclaimable_bytes() const noexcept = 0;
};

/// A memory account: of one database, or of a part of it. Thread-safe. The database's is owned by Database;
/// everything else borrows it.
///
/// Locks: Reserve and Release may be called with any lock held, except those that a reclaimer takes.
class MemoryTracker {
 public:
  explicit MemoryTracker(size_t limit_bytes);
  /// A sub-account: its limit begins at 0, grows by what it takes from `parent` when it is short, and shrinks
  /// by GiveBack. Only one thread at a time may reserve from it or give back; any may release.
  explicit MemoryTracker(MemoryTracker* parent);
  ~MemoryTracker();
  MemoryTracker(const MemoryTracker&) = delete;
  MemoryTracker& operator=(const MemoryTracker&) = delete;

  /// Accounts `size_bytes` more. Where that passes the limit the reclaimers are asked first; throws
  /// Error(kOutOfMemory) and accounts nothing when that does not help.
  void Reserve(size_t size_bytes) {
    if (!TryReserveFree(size_bytes)) ReserveOrThrow(size_bytes);
  }
  /// As Reserve, but false where that throws.
  bool TryReserve(size_t size_bytes);
  /// Accounts `size_bytes` more if they are free: nobody is asked for any.
  bool TryReserveFree(size_t size_bytes) noexcept {
    // Compare-and-swap rather than add-and-undo: a large refused request must not make small ones of other
    // threads fail.
    size_t used = used_bytes_.load(std::memory_order_relaxed);
    while (true) {
      const size_t limit = limit_bytes();
      if (size_bytes > limit || used > limit - size_bytes) return false;
      if (used_bytes_.compare_exchange_weak(used, used + size_bytes, std::memory_order_relaxed)) return true;
    }
  }
  void Release(size_t size_bytes) noexcept {
    // Sequentially consistent, as the watches' count is: either the watcher sees the memory or we see it.
    used_bytes_.fetch_sub(size_bytes);
    if (watch_count_.load() != 0) WakeWatches();
  }

  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  size_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  /// The bytes that can be reserved without asking anybody.
  size_t free_bytes() const {
    const size_t limit = limit_bytes(), used = used_bytes();
    return used < limit ? limit - used : 0;
  }
  /// Sets the limit. Memory in use above a lower limit stays in use, after the reclaimers have freed what
  /// they can.
  void SetLimit(size_t limit_bytes);

  /// Sub-accounts: returns to the parent what is not in use.
  void GiveBack() noexcept;
  /// Sub-accounts: raises the limit by memory that the caller has reserved from the parent.
  void AddLimit(size_t size_bytes) noexcept { limit_bytes_.fetch_add(size_bytes, std::memory_order_relaxed); }

  /// Reclaimers are asked in the order in which they were added.
  void AddReclaimer(MemoryReclaimer& reclaimer);
  /// Waits until a running call of it has ended. Not to be called with a lock held that others hold while
  /// they reserve.
  void RemoveReclaimer(MemoryReclaimer& reclaimer) noexcept;
  /// About what all of them could free.
  size_t ReclaimableBytes() const noexcept;
  /// Sets the keeper, which is asked for the little that is missing after all reclaimers; null for none. No
  /// thread may reserve while one is set or taken away.
  void SetKeeper(MemoryKeeper* keeper) noexcept;

  /// Ends all Wait()s of watches, as a release does.
  void WakeWatches() noexcept;

 private:
  friend class MemoryReleaseWatch;
  struct Pressure;

  void ReserveOrThrow(size_t size_bytes);
  bool WaitForLittle(size_t size_bytes);
  bool ReserveFromParent(size_t size_bytes, bool may_throw);
  size_t Reclaim(size_t wanted_bytes) noexcept;

  std::atomic<size_t> used_bytes_{0};
  std::atomic<size_t> limit_bytes_;
  std::atomic<uint32_t> watch_count_{0};
  MemoryTracker* parent_ = nullptr;
  std::unique_ptr<Pressure> pressure_;  // What is needed only when memory is short.
};

/// Lets a thread wait for memory. One thread; must not outlive the tracker.
class MemoryReleaseWatch {
 public:
  explicit MemoryReleaseWatch(MemoryTracker& tracker);
  ~MemoryReleaseWatch();
  MemoryReleaseWatch(const MemoryReleaseWatch&) = delete;
  MemoryReleaseWatch& operator=(const MemoryReleaseWatch&) = delete;

  /// Returns when something was released since the construction or the last Wait, which it tells, or after
  /// `milliseconds`.
  bool Wait(uint32_t milliseconds);

 private:
  MemoryTracker& tracker_;
  uint64_t seen_ = 0;
};

/// A part of the account, given back when it dies. Movable; one thread at a time.
class MemoryReservation {
 public:
  explicit MemoryReservation(MemoryTracker& tracker) : tracker_(&tracker) {}
  MemoryReservation(MemoryReservation&& other) noexcept
      : tracker_(other.tracker_), size_bytes_(other.size_bytes_) {
    other.size_bytes_ = 0;
  }
  MemoryReservation& operator=(MemoryReservation&& other) noexcept {
    Reset();
    tracker_ = other.tracker_;
    size_bytes_ = other.size_bytes_;
    other.size_bytes_ = 0;
    return *this;
  }
  ~MemoryReservation() { Reset(); }

  /// Makes the reserved amount exactly `size_bytes`. Throws Error(kOutOfMemory) and changes nothing on
  /// failure.
  void Resize(size_t size_bytes);
  void Reset() noexcept {
    if (size_bytes_ != 0) tracker_->Release(size_bytes_);
    size_bytes_ = 0;
  }
  size_t size_bytes() const { return size_bytes_; }

 private:
  MemoryTracker* tracker_;
  size_t size_bytes_ = 0;
};

}  // namespace scaup
