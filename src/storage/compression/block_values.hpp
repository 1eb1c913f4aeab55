// The values of a block as an encoder sees them: no NULLs, always 1024, compared by their bits.
#pragma once

#include <bit>
#include <cstring>

#include "storage/compression/compression.hpp"

namespace scaup {

/// A block's values where NULLs are the valid value before them (the first ones the first valid one) and what
/// is missing to 1024 repeats the last: nothing that costs any encoding. Large: keep one for all blocks.
class FilledBlock {
 public:
  /// Valid until the next call, and as long as the block's own memory. Not for strings.
  const std::byte* Fill(PhysicalType type, const SegmentInput::Block& block);
  template <typename T>
  const T* Fill(PhysicalType type, const SegmentInput::Block& block) {
    return reinterpret_cast<const T*>(Fill(type, block));
  }

 private:
  alignas(64) std::byte values_[kVectorSize * 16];
};

/// NaNs with their payloads and the sign of zero count.
template <typename T>
bool SameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// log2 of the bytes of a value.
inline size_t Log2Bytes(PhysicalType type) {
  return static_cast<size_t>(std::countr_zero(PhysicalSize(type)));
}

/// BOOLEAN, SMALLINT, ...: an integer of at most 64 bits.
bool IsWordInteger(PhysicalType type);
/// A value of such a type from its bytes, which need no alignment.
int64_t LoadWordInteger(PhysicalType type, const std::byte* value);

/// Throws Error(kIo, XX001) for values that would break loops over them: booleans other than 0 and 1.
void CheckDecodedValues(PhysicalType type, const std::byte* values, size_t count);

/// Makes `output` the constant at `value`, which needs no alignment.
void DecodeConstant(PhysicalType type, const std::byte* value, Vector& output);

/// Notes that a block of `segment` is complete. After the first one there is room for all, if they are alike.
void EndBlock(const SegmentInput& input, CompressedSegment& segment);

size_t CountValues(const SegmentInput& input);
/// From an estimate for the blocks of a sample to one for the segment.
inline double ScaleOfSample(const SegmentInput& sample, size_t block_count) {
  return sample.blocks.empty() ? 0
                               : static_cast<double>(block_count) / static_cast<double>(sample.blocks.size());
}

}  // namespace scaup
