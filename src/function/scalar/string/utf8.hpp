// Characters of UTF-8 text: counting them and finding where the n-th begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace scaup {

/// True when no byte is above 127, so that characters are bytes.
inline bool IsAscii(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080ULL) != 0) return false;
  }
  unsigned char bits = 0;
  for (; i < text.size(); i++) bits |= static_cast<unsigned char>(text[i]);
  return bits < 128;
}

/// Every byte that does not continue a character begins one.
inline bool BeginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

inline size_t CountCharacters(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  size_t count = text.size();
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & (kOnes << 7)) == 0) continue;
    const uint64_t continuing = (word >> 7) & ~(word >> 6) & kOnes;
    count -= (continuing * kOnes) >> 56;
  }
  for (; i < text.size(); i++) count -= BeginsCharacter(text[i]) ? 0 : 1;
  return count;
}

/// The byte offset at which character `index` (from 0) begins, or text.size() when there are not so many.
inline size_t OffsetOfCharacter(std::string_view text, size_t index) {
  size_t offset = 0;
  for (; offset < text.size(); offset++) {
    if (BeginsCharacter(text[offset]) && index-- == 0) return offset;
  }
  return text.size();
}

/// Bytes of the character that begins at `offset`; at least 1. REQUIRES: offset < text.size().
inline size_t CharacterLength(std::string_view text, size_t offset) {
  size_t end = offset + 1;
  while (end < text.size() && !BeginsCharacter(text[end])) end++;
  return end - offset;
}

/// The first `count` characters of `text`, or all of it.
inline std::string_view FirstCharacters(std::string_view text, size_t count) {
  return text.substr(0, OffsetOfCharacter(text, count));
}

}  // namespace scaup
