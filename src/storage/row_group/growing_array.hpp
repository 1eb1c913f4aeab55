// Memory that versions of a segment share, each seeing more of it: rows are added behind what others read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace scaup {

/// The right to write behind the elements that are in use. Every element is written once: a writer that wants
/// to go on after the first `used` ones gets the right only if no other writer had it, and makes a copy
/// otherwise. Thread-safe.
class GrowthRight {
 public:
  /// The maker of the memory has the right to begin with.
  bool Take(size_t used) { return used_.compare_exchange_strong(used, kTaken, std::memory_order_acquire); }
  /// Gives it back with `used` elements in use. Who does not give it back leaves it taken for good.
  void GiveBack(size_t used) { used_.store(used, std::memory_order_release); }

 private:
  static constexpr size_t kTaken = SIZE_MAX;
  std::atomic<size_t> used_{kTaken};
};

/// Room for `capacity` elements, made without a value. Shared by versions of a segment.
template <typename T>
class GrowingArray {
 public:
  explicit GrowingArray(size_t capacity)
      : owner_(std::shared_ptr<T[]>(new T[capacity])),
        elements_(static_cast<T*>(owner_.get())),
        capacity_(capacity) {}
  /// Uses memory that `owner` keeps.
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
