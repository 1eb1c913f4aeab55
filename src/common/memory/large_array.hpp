// An uninitialized array of any size for trivially copyable elements that are written once.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "common/memory/large_memory.hpp"

namespace scaup {

/// An array whose elements are not initialized. Large ones use huge pages. Its memory is not accounted for.
/// The constructor throws std::bad_alloc. One thread at a time, unless the elements' own rules allow more.
template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  explicit LargeArray(size_t count) : size_bytes_(count * sizeof(T)) {
    data_ = static_cast<T*>(is_large() ? static_cast<void*>(AllocateLarge(size_bytes_))
                                       : std::malloc(size_bytes_ == 0 ? 1 : size_bytes_));
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~LargeArray() {
    if (is_large()) {
      FreeLarge(reinterpret_cast<std::byte*>(data_), size_bytes_);
    } else {
      std::free(data_);
    }
  }
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  bool is_large() const { return size_bytes_ >= kLargeMemoryBytes; }

  T* data_;
  size_t size_bytes_;
};

}  // namespace scaup
