// A growing array whose elements never move, so that readers need no lock.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/check.hpp"

namespace scaup {

/// An array of chunks of doubling size. One thread at a time appends; other threads may read elements below
/// size() meanwhile.
template <typename T>
class StableArray {
 public:
  StableArray() = default;
  ~StableArray() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }
  StableArray(const StableArray&) = delete;
  StableArray& operator=(const StableArray&) = delete;

  size_t size() const { return size_.load(std::memory_order_acquire); }
  /// REQUIRES: this thread has seen size() above `index`.
  const T& operator[](size_t index) const {
    SCAUP_ASSERT(index < size_.load(std::memory_order_relaxed));
    return *Place(index);
  }

  void Append(const T& value) {
    const size_t index = size_.load(std::memory_order_relaxed);
    const size_t chunk = ChunkOf(index);
    if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr)
      chunks_[chunk].store(new T[kFirst << chunk], std::memory_order_relaxed);
    *Place(index) = value;
    size_.store(index + 1, std::memory_order_release);
  }

 private:
  static constexpr size_t kFirst = 64;  // elements of chunk 0; chunk c has kFirst << c

  static size_t ChunkOf(size_t index) { return static_cast<size_t>(std::bit_width(index / kFirst + 1)) - 1; }
  T* Place(size_t index) const {
    const size_t chunk = ChunkOf(index);
    return chunks_[chunk].load(std::memory_order_relaxed) + (index - ((kFirst << chunk) - kFirst));
  }

  std::atomic<size_t> size_ = 0;
  std::array<std::atomic<T*>, 32> chunks_{};
};

}  // namespace scaup
