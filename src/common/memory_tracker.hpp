// Accounts every allocation that grows with data against one limit.
#pragma once

#include <atomic>
#include <cstddef>

namespace scaup {

/// The memory account of one database. Thread-safe. Owned by Database; everything else borrows it.
class MemoryTracker {
 public:
  explicit MemoryTracker(size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  MemoryTracker(const MemoryTracker&) = delete;
  MemoryTracker& operator=(const MemoryTracker&) = delete;

  /// Accounts `size_bytes` more. Throws Error(kOutOfMemory) and accounts nothing when that passes the limit.
  void Reserve(size_t size_bytes);
  void Release(size_t size_bytes) noexcept { used_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed); }

  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  size_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  void SetLimit(size_t limit_bytes) { limit_bytes_.store(limit_bytes, std::memory_order_relaxed); }

 private:
  std::atomic<size_t> used_bytes_{0};
  std::atomic<size_t> limit_bytes_;
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
