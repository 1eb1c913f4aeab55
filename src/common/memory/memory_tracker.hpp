// The memory account: every allocation that grows with data is reserved against one limit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/memory/memory_shortage.hpp"

namespace scaup {

/// An owner of memory that can be released on demand, such as a cache. Owned by the code that adds it to a
/// tracker.
class MemoryReclaimer {
 public:
  virtual ~MemoryReclaimer() = default;
  /// Frees about `wanted_bytes`, or as much as possible, releases them to the tracker, and returns how many.
  /// Any thread that reserves may call it, with locks held. Therefore it takes only locks under which no
  /// thread reserves, and reserves nothing itself.
  virtual size_t Reclaim(size_t wanted_bytes) noexcept = 0;
  /// The bytes that could be freed, roughly. Any thread may call it; the same rules hold.
  virtual size_t reclaimable_bytes() const noexcept = 0;
};

class MemoryUse;

/// A memory account of a database, or of a part of one. Database owns its account; all others borrow it.
/// Thread-safe.
///
/// Locks: Reserve and Release may be called with any lock held, except those that a reclaimer takes.
class MemoryTracker {
 public:
  explicit MemoryTracker(size_t limit_bytes);
  /// Creates a sub-account. Its limit begins at 0, grows by what it takes from `parent` on demand, and
  /// shrinks by TakeUnused. Only one thread at a time may reserve or take; any thread may release.
  /// `use` is borrowed.
  explicit MemoryTracker(MemoryTracker* parent, MemoryUse* use = nullptr);
  ~MemoryTracker();
  MemoryTracker(const MemoryTracker&) = delete;
  MemoryTracker& operator=(const MemoryTracker&) = delete;

  /// Reserves `size_bytes`. If that passes the limit, the reclaimers are asked first. If that does not help,
  /// throws Error(kOutOfMemory) and reserves nothing.
  void Reserve(size_t size_bytes) {
    if (!TryReserveFree(size_bytes)) ReserveOrThrow(size_bytes);
  }
  /// Like Reserve, but returns false instead of throwing.
  bool TryReserve(size_t size_bytes);
  /// Like TryReserve, but only if `margin_bytes` of the limit stay free, not counting what reclaimers release
  /// for it.
  bool TryReserveLeaving(size_t size_bytes, size_t margin_bytes);
  /// Reserves `size_bytes` if they are free, without asking any reclaimer. Refuses while a shortage is
  /// simulated.
  bool TryReserveFree(size_t size_bytes) noexcept {
    // Compare-and-swap instead of add-and-undo: a large request that is refused must not make small ones of
    // other threads fail.
    size_t used = used_bytes_.load(std::memory_order_relaxed);
    while (true) {
      const size_t limit = limit_bytes_.load(std::memory_order_relaxed);
      if (size_bytes > limit || used > limit - size_bytes) return false;
      if (used_bytes_.compare_exchange_weak(used, used + size_bytes, std::memory_order_relaxed)) return true;
    }
  }
  void Release(size_t size_bytes) noexcept { used_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed); }

  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  size_t limit_bytes() const {
    const size_t limit = limit_bytes_.load(std::memory_order_relaxed);
    return limit != 0 || !shortage_ ? limit : shortage_->limit_bytes();
  }
  /// The bytes that can be reserved without asking a reclaimer.
  size_t free_bytes() const {
    const size_t limit = limit_bytes(), used = used_bytes();
    return used < limit ? limit - used : 0;
  }
  /// Sets the limit. If more is in use, the reclaimers free what they can; the rest stays in use.
  void SetLimit(size_t limit_bytes);

  /// For tests: simulates until the next call that memory is short at random points; `seed` 0 ends it.
  /// Requests are refused there although the limit has room for them, after the reclaimers have freed as
  /// much. An account that ever did so checks that everything was released when it ends.
  void SimulateShortage(uint64_t seed);
  /// The shortage that is simulated; null if there is none.
  MemoryShortage* shortage() const {
    return limit_bytes_.load(std::memory_order_relaxed) == 0 ? shortage_.get() : nullptr;
  }

  /// For sub-accounts: lowers the limit to what is in use, and returns by how much. The caller releases the
  /// bytes.
  size_t TakeUnused() noexcept;
  /// For sub-accounts: raises the limit by memory that the caller has reserved from the parent.
  void AddLimit(size_t size_bytes) noexcept { limit_bytes_.fetch_add(size_bytes, std::memory_order_relaxed); }

  /// Adds a reclaimer. Reclaimers are asked in the order in which they were added.
  void AddReclaimer(MemoryReclaimer& reclaimer);
  /// Removes a reclaimer after a running call of it has ended. Do not call it with a lock held that others
  /// hold while they reserve.
  void RemoveReclaimer(MemoryReclaimer& reclaimer) noexcept;
  /// The bytes that all reclaimers could free, roughly.
  size_t ReclaimableBytes() const noexcept;

  /// The counters of the operator to which the account belongs; null if it is no operator's.
  MemoryUse* use() const { return use_; }

 private:
  struct Reclaimers;

  void ReserveOrThrow(size_t size_bytes);
  bool ReserveFromParent(size_t size_bytes, bool may_throw);
  size_t Reclaim(size_t wanted_bytes) noexcept;

  std::atomic<size_t> used_bytes_{0};
  // While a shortage is simulated: 0, so that no request is served without asking for it.
  std::atomic<size_t> limit_bytes_;
  MemoryTracker* parent_ = nullptr;
  MemoryUse* const use_ = nullptr;
  std::unique_ptr<Reclaimers> reclaimers_;    // null for sub-accounts
  std::unique_ptr<MemoryShortage> shortage_;  // null for sub-accounts
};

/// A reservation that is released by the destructor. Movable; one thread at a time.
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

  /// Changes the reserved amount to `size_bytes`. On failure throws Error(kOutOfMemory) and changes nothing.
  void Resize(size_t size_bytes);
  /// Like Resize, but returns false if the memory is not there, or less than `margin_bytes` of the limit
  /// would stay free. Not for sub-accounts.
  bool TryResize(size_t size_bytes, size_t margin_bytes);
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
