// The values of a block in the form that encoders need: no NULLs, always 1024, compared by their bits.
#pragma once

#include <bit>
#include <cstring>

#include "storage/compression/compression.hpp"

namespace scaup {

/// Fills the gaps of a block at little cost for any encoding. NULLs get the valid value before them, leading
/// ones the first valid value, and the last value is repeated up to 1024. The object is large; reuse it for
/// all blocks.
class FilledBlock {
 public:
  /// Returns the filled values. Valid until the next call, and as long as the block's own memory. Not for
  /// strings.
  const std::byte* Fill(PhysicalType type, const SegmentInput::Block& block);
  template <typename T>
  const T* Fill(PhysicalType type, const SegmentInput::Block& block) {
    return reinterpret_cast<const T*>(Fill(type, block));
  }

 private:
  alignas(64) std::byte values_[kVectorSize * 16];
};

/// Returns whether two values have the same bits, NaN payloads and the sign of zero included.
template <typename T>
bool SameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Returns log2 of the bytes of a value.
inline size_t Log2Bytes(PhysicalType type) {
  return static_cast<size_t>(std::countr_zero(PhysicalSize(type)));
}

/// Returns whether the type is an integer of at most 64 bits, such as BOOLEAN or SMALLINT.
bool IsWordInteger(PhysicalType type);
/// Loads a value of such a type from bytes, which need no alignment.
int64_t LoadWordInteger(PhysicalType type, const std::byte* value);

/// Throws Error(kIo, XX001) for values that later loops could not handle: booleans other than 0 and 1.
void CheckDecodedValues(PhysicalType type, const std::byte* values, size_t count);

/// Makes `output` the constant at `value`, which needs no alignment.
void DecodeConstant(PhysicalType type, const std::byte* value, Vector& output);

/// Ends a block of `segment`. After the first block it reserves memory for all, assuming equal sizes.
void EndBlock(const SegmentInput& input, CompressedSegment& segment);

size_t CountValues(const SegmentInput& input);
/// Returns the factor from an estimate for a sample's blocks to one for the segment.
inline double ScaleOfSample(const SegmentInput& sample, size_t block_count) {
  return sample.blocks.empty() ? 0
                               : static_cast<double>(block_count) / static_cast<double>(sample.blocks.size());
}

}  // namespace scaup
