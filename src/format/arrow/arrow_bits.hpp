// Conversion between bytes of 0 and 1 and bits, eight at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scaup {

/// Packs eight bytes of 0 or 1 into the bits of one byte, the first byte lowest. The product moves each
/// byte's bit to its place in the highest byte; none of the 64 partial products overlap.
inline uint8_t PackEightBytes(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return static_cast<uint8_t>((word * 0x0102040810204080ULL) >> 56);
}

/// Writes (count + 7) / 8 bytes, zero beyond `count`, and returns how many bits are set. With `flip`, bits
/// are set for the bytes that are 0.
inline size_t PackBits(const uint8_t* bytes, size_t count, bool flip, uint8_t* bits) {
  const uint8_t mask = flip ? 0xFF : 0;
  size_t set = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const auto packed = static_cast<uint8_t>(PackEightBytes(bytes + i) ^ mask);
    bits[i / 8] = packed;
    set += static_cast<size_t>(std::popcount(packed));
  }
  if (i < count) {
    uint8_t packed = 0;
    for (size_t j = i; j < count; j++)
      packed |= static_cast<uint8_t>(((bytes[j] != 0) != flip ? 1 : 0) << (j - i));
    bits[i / 8] = packed;
    set += static_cast<size_t>(std::popcount(packed));
  }
  return set;
}

}  // namespace scaup
