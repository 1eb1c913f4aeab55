// Sixty-four bytes of text as bit masks: one bit per byte that equals a character.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scaup {

#if defined(__SSE2__)  // Part of every x86-64.

class ByteBlock {
 public:
  /// Reads 64 bytes.
  explicit ByteBlock(const char* text) {
    for (int i = 0; i < 4; i++) parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text) + i);
  }
  uint64_t Equals(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
      mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(parts_[i], wanted)))) << (16 * i);
    }
    return mask;
  }
  bool IsAscii() const {
    const __m128i all = _mm_or_si128(_mm_or_si128(parts_[0], parts_[1]), _mm_or_si128(parts_[2], parts_[3]));
    return _mm_movemask_epi8(all) == 0;
  }

 private:
  __m128i parts_[4];
};

#else

class ByteBlock {
 public:
  explicit ByteBlock(const char* text) : text_(text) {}
  uint64_t Equals(char c) const {
    uint64_t mask = 0;
    for (int word = 0; word < 8; word++) {
      uint8_t equal[8];
      for (int i = 0; i < 8; i++) equal[i] = text_[word * 8 + i] == c;
      uint64_t bytes = 0;
      for (int i = 0; i < 8; i++) bytes |= static_cast<uint64_t>(equal[i]) << i;
      mask |= bytes << (8 * word);
    }
    return mask;
  }
  bool IsAscii() const {
    uint8_t all = 0;
    for (int i = 0; i < 64; i++) all |= static_cast<uint8_t>(text_[i]);
    return all < 0x80;
  }

 private:
  const char* text_;
};

#endif

}  // namespace scaup
