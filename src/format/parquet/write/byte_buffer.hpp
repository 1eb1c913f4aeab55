// Bytes that grow, accounted for.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "common/check.hpp"
#include "common/memory/memory_tracker.hpp"

namespace scaup {

/// Bytes of a row group that is being written. kPadding readable bytes follow them, so that loops may load
/// whole words. Movable; one thread at a time.
class ByteBuffer {
 public:
  static constexpr size_t kPadding = 16;

  /// `memory` is borrowed.
  explicit ByteBuffer(MemoryTracker& memory) : memory_(&memory), reservation_(memory) {}
  ByteBuffer(ByteBuffer&& other) noexcept
      : memory_(other.memory_),
        reservation_(std::move(other.reservation_)),
        data_(std::move(other.data_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    memory_ = other.memory_;
    data_ = std::move(other.data_);
    reservation_ = std::move(other.reservation_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  MemoryTracker& memory() const { return *memory_; }
  const std::byte* data() const { return data_.get(); }
  std::byte* data() { return data_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  template <typename T>
  const T* As() const {
    return reinterpret_cast<const T*>(data_.get());
  }
  /// Appends bytes for the caller to fill. Throws Error(kOutOfMemory).
  std::byte* Extend(size_t size_bytes) {
    if (capacity_ - size_ < size_bytes) Grow(size_bytes);
    std::byte* const begin = data_.get() + size_;
    size_ += size_bytes;
    return begin;
  }
  void Append(const void* bytes, size_t size_bytes) {
    if (size_bytes != 0) std::memcpy(Extend(size_bytes), bytes, size_bytes);
  }
  template <typename T>
  void AppendValue(const T& value) {
    std::memcpy(Extend(sizeof(T)), &value, sizeof(T));
  }
  /// Appends an unsigned number, seven bits a byte, lowest first.
  void AppendVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) AppendValue(static_cast<uint8_t>(value | 0x80));
    AppendValue(static_cast<uint8_t>(value));
  }
  /// Drops all bytes behind the first `size_bytes`. Retains the memory. REQUIRES: size_bytes <= size().
  void Truncate(size_t size_bytes) {
    SCAUP_ASSERT(size_bytes <= size_);
    size_ = size_bytes;
  }
  void Clear() { size_ = 0; }
  /// Gives the memory back.
  void Release() { *this = ByteBuffer(*memory_); }

 private:
  void Grow(size_t size_bytes);

  MemoryTracker* memory_;
  MemoryReservation reservation_;
  std::unique_ptr<std::byte[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace scaup
