// Blocks of 128 differences from their least one, in four groups of 32 with a bit width each.
#include "format/parquet/write/delta_encoder.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "scaup/type.hpp"

namespace scaup {

namespace {

constexpr size_t kDeltaBlock = 128, kDeltaGroups = 4, kDeltaGroup = kDeltaBlock / kDeltaGroups;

uint64_t Zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}

/// Packs 32 numbers of up to 64 bits.
void PackGroup(const uint64_t* values, uint32_t bit_width, ByteBuffer& out) {
  std::byte* to = out.Extend(kDeltaGroup * bit_width / 8);
  uint128_t word = 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < kDeltaGroup; i++) {
    word |= static_cast<uint128_t>(values[i]) << bits;
    bits += bit_width;
    for (; bits >= 32; bits -= 32, word >>= 32) {
      const auto low = static_cast<uint32_t>(word);
      std::memcpy(to, &low, sizeof(low));
      to += sizeof(low);
    }
  }
}

/// Differences wrap in the type of the values, as readers add them up in it.
template <typename T>
void EncodeDeltas(const T* values, size_t count, ByteBuffer& out) {
  using U = std::make_unsigned_t<T>;
  out.AppendVarint(kDeltaBlock);
  out.AppendVarint(kDeltaGroups);
  out.AppendVarint(count);
  out.AppendVarint(Zigzag(count == 0 ? 0 : values[0]));
  for (size_t begin = 1; begin < count; begin += kDeltaBlock) {
    const size_t size = std::min(kDeltaBlock, count - begin);
    T deltas[kDeltaBlock];
    T least = std::numeric_limits<T>::max();
    for (size_t i = 0; i < size; i++) {
      deltas[i] = static_cast<T>(static_cast<U>(values[begin + i]) - static_cast<U>(values[begin + i - 1]));
      least = std::min(least, deltas[i]);
    }
    uint64_t offsets[kDeltaBlock] = {};
    uint8_t widths[kDeltaGroups] = {};
    for (size_t i = 0; i < size; i++) {
      const U offset = static_cast<U>(static_cast<U>(deltas[i]) - static_cast<U>(least));
      offsets[i] = offset;
      uint8_t& width = widths[i / kDeltaGroup];
      width = std::max(width, static_cast<uint8_t>(std::bit_width(offset)));
    }
    out.AppendVarint(Zigzag(least));
    out.Append(widths, sizeof(widths));
    // Groups without values have no bytes, and no width.
    for (size_t group = 0; group * kDeltaGroup < size; group++)
      PackGroup(offsets + group * kDeltaGroup, widths[group], out);
  }
}

}  // namespace

void AppendDeltas(const int32_t* values, size_t count, ByteBuffer& out) { EncodeDeltas(values, count, out); }
void AppendDeltas(const int64_t* values, size_t count, ByteBuffer& out) { EncodeDeltas(values, count, out); }

}  // namespace scaup
