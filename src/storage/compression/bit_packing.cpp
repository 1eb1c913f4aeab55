// Packs and unpacks blocks: the kernels need whole blocks, so short ones go through a padded copy.
#include "storage/compression/bit_packing.hpp"

#include <cstring>

#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

void AppendPacked(const KernelTable& kernels, const void* values, size_t log2_bytes, uint64_t base,
                  unsigned width, size_t count, std::vector<std::byte>& bytes) {
  if (width == 0) return;
  const size_t lane = LaneOfWidth(width);
  PackingBuffer residuals;
  kernels.narrow[log2_bytes][lane](values, base, residuals.bytes);
  // The kernel writes a whole block; the surplus is cut off again.
  const size_t begin = bytes.size(), wanted = PackedBytes(width, count),
               whole = PackedBytes(width, kVectorSize);
  bytes.resize(begin + whole);
  kernels.pack[lane](residuals.bytes, width, bytes.data() + begin);
  bytes.resize(begin + wanted);
}

PackedValues::PackedValues(std::span<const std::byte> packed, unsigned width, size_t count)
    : packed_(packed), width_(width) {
  if (width > 64 || packed.size() != PackedBytes(width, count)) {
    ThrowCorruptEncoding("bit-packed values have a wrong size");
  }
}

uint64_t PackedValues::At(size_t index) const {
  if (width_ == 0) return 0;
  constexpr size_t kRowBytes = 128;
  const size_t lane_bytes = size_t{1} << LaneOfWidth(width_);
  const size_t lane_bits = 8 * lane_bytes, lanes = kRowBytes / lane_bytes;
  const size_t bit = index / lanes * width_, shift = bit % lane_bits;
  const std::byte* word = packed_.data() + bit / lane_bits * kRowBytes + index % lanes * lane_bytes;
  uint64_t low = 0, high = 0;
  // The value may cross into the next word of its lane.
  std::memcpy(&low, word, lane_bytes);
  if (shift + width_ <= lane_bits) return low >> shift & largest();
  std::memcpy(&high, word + kRowBytes, lane_bytes);
  return (low >> shift | high << (lane_bits - shift)) & largest();
}

void PackedValues::UnpackLanes(const KernelTable& kernels, uint64_t base, void* out) const {
  const size_t whole = PackedBytes(width_, kVectorSize);
  if (packed_.size() == whole) return kernels.unpack[width_](packed_.data(), base, out);
  // Padding with zeros gives valid, if meaningless, values behind the end.
  PackingBuffer padded;
  std::memcpy(padded.bytes, packed_.data(), packed_.size());
  std::memset(padded.bytes + packed_.size(), 0, whole - packed_.size());
  kernels.unpack[width_](padded.bytes, base, out);
}

void PackedValues::Unpack(const KernelTable& kernels, size_t log2_bytes, uint64_t base, void* out) const {
  const size_t lane = LaneOfWidth(width_);
  if (lane == log2_bytes) return UnpackLanes(kernels, base, out);
  if (lane > log2_bytes) ThrowCorruptEncoding("bit-packed values are wider than their type");
  // Two passes are faster than one over wide lanes, as the first one has more values per register.
  PackingBuffer narrow;
  UnpackLanes(kernels, 0, narrow.bytes);
  kernels.widen[lane][log2_bytes](narrow.bytes, base, out);
}

}  // namespace scaup
