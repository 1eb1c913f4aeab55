// Bit-packed blocks of unsigned integers in FastLanes' layout: sizes, packing, and checked unpacking.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vector/kernel_table.hpp"

namespace scaup {

/// Memory for 1024 integers of up to 64 bits, aligned for the kernels.
struct alignas(64) PackingBuffer {
  std::byte bytes[kVectorSize * sizeof(uint64_t)];
};

/// Returns the number of bits that hold all numbers up to `largest`.
constexpr unsigned WidthOf(uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

/// Returns the bytes of `count` <= 1024 packed values of `width` <= 64 bits. A short block omits the rows of
/// words that none of its values touches.
constexpr size_t PackedBytes(unsigned width, size_t count) {
  const size_t lane_bits = size_t{8} << LaneOfWidth(width);
  const size_t lanes = kVectorSize / lane_bits;
  const size_t bits_per_lane = (count + lanes - 1) / lanes * width;
  return (bits_per_lane + lane_bits - 1) / lane_bits * 128;
}

/// Packs values and appends PackedBytes(width, count) bytes. `values` are 1024 integers of 1 << log2_bytes
/// bytes. `base` is subtracted first; of the first `count` differences, none may have more than `width` bits.
void AppendPacked(const KernelTable& kernels, const void* values, size_t log2_bytes, uint64_t base,
                  unsigned width, size_t count, std::vector<std::byte>& bytes);

/// The bit-packed values of a block, with a checked size. Borrows the bytes. A value type.
class PackedValues {
 public:
  /// Throws Error(kIo, XX001) unless `width` <= 64 and `packed` has PackedBytes(width, count) bytes.
  PackedValues(std::span<const std::byte> packed, unsigned width, size_t count);

  unsigned width() const { return width_; }
  /// Returns the largest value of this width.
  uint64_t largest() const { return width_ == 0 ? 0 : ~uint64_t{0} >> (64 - width_); }
  /// Sets out[i] to base + value i, modulo the type, for 1024 values. The integers have 1 << log2_bytes
  /// bytes, at least the lane's. Values past the end of a short block are arbitrary numbers up to base +
  /// largest().
  void Unpack(const KernelTable& kernels, size_t log2_bytes, uint64_t base, void* out) const;
  /// Unpacks into integers of 1 << LaneOfWidth(width) bytes, which is fastest.
  void UnpackLanes(const KernelTable& kernels, uint64_t base, void* out) const;
  /// Returns value `index`, which must be below the block's count.
  uint64_t At(size_t index) const;

 private:
  std::span<const std::byte> packed_;
  unsigned width_;
};

}  // namespace scaup
