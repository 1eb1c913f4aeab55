// Blocks of bit-packed integers: the kernels work on whole blocks, so short ones go through a padded copy.
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

void PackedValues::UnpackLanes(const KernelTable& kernels, uint64_t base, void* out) const {
  const size_t whole = PackedBytes(width_, kVectorSize);
  if (packed_.size() == whole) return kernels.unpack[width_](packed_.data(), base, out);
  PackingBuffer padded;
  std::memcpy(padded.bytes, packed_.data(), packed_.size());
  std::memset(padded.bytes + packed_.size(), 0, whole - packed_.size());
  kernels.unpack[width_](padded.bytes, base, out);
}

void PackedValues::Unpack(const KernelTable& kernels, size_t log2_bytes, uint64_t base, void* out) const {
  const size_t lane = LaneOfWidth(width_);
  if (lane == log2_bytes) return UnpackLanes(kernels, base, out);
  if (lane > log2_bytes) ThrowCorruptEncoding("bit-packed values are wider than their type");
  // Two passes, the first over the narrowest lanes, beat one over wide lanes: more values to a register.
  PackingBuffer narrow;
  UnpackLanes(kernels, 0, narrow.bytes);
  kernels.widen[lane][log2_bytes](narrow.bytes, base, out);
}

}  // namespace scaup
