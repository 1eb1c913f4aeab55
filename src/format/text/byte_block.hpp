// Compares 64 bytes of text with a character; the result is a bit mask.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace scaup {

#if defined(__SSE2__)  // SSE2 is part of every x86-64.

class ByteBlock {
 public:
  /// Reads 64 bytes.
  explicit ByteBlock(const char* text)
      : a_(Load(text)), b_(Load(text + 16)), c_(Load(text + 32)), d_(Load(text + 48)) {}
  uint64_t Equals(char c) const {
    const __m128i wanted = _mm_set1_epi8(c);
    return Mask(a_, wanted) | Mask(b_, wanted) << 16 | Mask(c_, wanted) << 32 | Mask(d_, wanted) << 48;
  }
  bool IsAscii() const {
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a_, b_), _mm_or_si128(c_, d_))) == 0;
  }

 private:
  static __m128i Load(const char* text) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text)); }
  static uint64_t Mask(__m128i bytes, __m128i wanted) {
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
  }

  __m128i a_, b_, c_, d_;
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
