// A vector that may be large: new elements are not initialized, and large buffers use huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "common/memory/large_memory.hpp"

namespace scaup {

/// An allocator for trivially copyable elements. Throws std::bad_alloc. Its memory is not accounted for.
/// Thread-safe.
template <typename T>
struct LargeAllocator {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
  using value_type = T;

  LargeAllocator() = default;
  template <typename U>
  explicit LargeAllocator(const LargeAllocator<U>&) noexcept {}

  static T* allocate(size_t count) {
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    if (!IsLarge(count)) return static_cast<T*>(::operator new(count * sizeof(T)));
    std::byte* data = AllocateLarge(count * sizeof(T));
    if (data == nullptr) throw std::bad_alloc();
    return reinterpret_cast<T*>(data);
  }
  static void deallocate(T* data, size_t count) noexcept {
    if (IsLarge(count)) return FreeLarge(reinterpret_cast<std::byte*>(data), count * sizeof(T));
    ::operator delete(data);
  }
  // Default-initializes an element, so that it stays uninitialized.
  template <typename U>
  static void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <typename U, typename... Arguments>
  static void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }

 private:
  static bool IsLarge(size_t count) { return count * sizeof(T) >= kLargeMemoryBytes; }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace scaup
