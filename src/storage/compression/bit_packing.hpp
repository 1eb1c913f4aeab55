// Blocks of unsigned integers, bit-packed in FastLanes' layout: sizes, and packing and unpacking with checks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vector/kernel_table.hpp"

namespace scaup {

/// Memory for 1024 integers of up to 64 bits, as the kernels want it.
struct alignas(64) PackingBuffer {
  std::byte bytes[kVectorSize * sizeof(uint64_t)];
};

/// Bits that hold all numbers up to `largest`.
constexpr unsigned WidthOf(uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

/// Bytes of `count` <= 1024 packed values of `width` <= 64 bits. A short block leaves out the rows of words
/// that none of its values touches.
constexpr size_t PackedBytes(unsigned width, size_t count) {
  const size_t lane_bits = size_t{8} << LaneOfWidth(width);
  const size_t lanes = kVectorSize / lane_bits;
  const size_t bits_per_lane = (count + lanes - 1) / lanes * width;
  return (bits_per_lane + lane_bits - 1) / lane_bits * 128;
}

/// Appends PackedBytes(width, count) bytes. `values` are 1024 integers of 1 << log2_bytes bytes, from which
/// `base` is taken first: what is left must have at most `width` bits in the first `count`.
void AppendPacked(const KernelTable& kernels, const void* values, size_t log2_bytes, uint64_t base,
                  unsigned width, size_t count, std::vector<std::byte>& bytes);

/// Bit-packed values inside a block whose size was checked. Borrows the bytes; a value.
class PackedValues {
 public:
  /// Throws Error(kIo, XX001) unless `width` <= 64 and `packed` has PackedBytes(width, count) bytes.
  PackedValues(std::span<const std::byte> packed, unsigned width, size_t count);

  unsigned width() const { return width_; }
  /// The largest value of this width.
  uint64_t largest() const { return width_ == 0 ? 0 : ~uint64_t{0} >> (64 - width_); }
  /// out[i] = base + value i, modulo the type, for 1024 values (those past a short block's end may be
  /// anything up to base + largest()), in integers of 1 << log2_bytes bytes, not narrower than the lane.
  void Unpack(const KernelTable& kernels, size_t log2_bytes, uint64_t base, void* out) const;
  /// Unpacks into integers of 1 << LaneOfWidth(width) bytes: the cheapest way.
  void UnpackLanes(const KernelTable& kernels, uint64_t base, void* out) const;
  /// Value `index`, which is below the block's count.
  uint64_t At(size_t index) const;

 private:
  std::span<const std::byte> packed_;
  unsigned width_;
};

}  // namespace scaup
