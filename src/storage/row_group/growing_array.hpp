// Arrays that versions of a segment share: each version sees more elements than the one before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace scaup {

/// The right to append behind the elements that are in use, so that each element is written once. A writer
/// that wants to continue after the first `used` elements gets the right if no other writer has had it;
/// otherwise it must copy the array. Thread-safe.
class GrowthRight {
 public:
  /// Takes the right. The maker of the array has it from the start.
  bool Take(size_t used) { return used_.compare_exchange_strong(used, kTaken, std::memory_order_acquire); }
  /// Returns the right, with `used` elements in use. A right that is never returned stays taken for good.
  void GiveBack(size_t used) { used_.store(used, std::memory_order_release); }

 private:
  static constexpr size_t kTaken = SIZE_MAX;
  std::atomic<size_t> used_{kTaken};
};

/// An array of `capacity` elements, not initialized, that versions of a segment share.
template <typename T>
class GrowingArray {
 public:
  explicit GrowingArray(size_t capacity)
      : owner_(std::shared_ptr<T[]>(new T[capacity])),
        elements_(static_cast<T*>(owner_.get())),
        capacity_(capacity) {}
  /// Uses memory that `owner` owns.
  GrowingArray(std::shared_ptr<void> owner, T* elements, size_t capacity)
      : owner_(std::move(owner)), elements_(elements), capacity_(capacity) {}
  T* data() { return elements_; }
  const T* data() const { return elements_; }
  size_t capacity() const { return capacity_; }
  GrowthRight right;

 private:
  std::shared_ptr<void> owner_;
  T* elements_;
  size_t capacity_;
};

}  // namespace scaup
