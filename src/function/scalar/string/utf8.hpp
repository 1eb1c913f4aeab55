// Characters of UTF-8 text: counting them, and finding the n-th.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "common/check.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

/// Sixteen bytes in a SIMD register.
using ByteBlock = uint8_t __attribute__((vector_size(16)));

/// Calls visit(position, T()) such that words of type T at these positions cover `size` bytes, possibly
/// twice. The words are blocks of sixteen bytes, or smaller ones for short texts. Similar sizes take the same
/// branches, which helps branch prediction.
template <typename Visit>
inline void VisitWords(size_t size, Visit&& visit) {
  if (size > 64) {
    for (size_t position = 0; position + 16 <= size; position += 16) visit(position, ByteBlock());
    visit(size - 16, ByteBlock());
  } else if (size >= 16) {
    visit(0, ByteBlock());
    if (size > 32) {
      visit(16, ByteBlock());
      visit(size - 32, ByteBlock());
    }
    visit(size - 16, ByteBlock());
  } else if (size >= 8) {
    visit(0, uint64_t());
    visit(size - 8, uint64_t());
  } else if (size >= 4) {
    visit(0, uint32_t());
    visit(size - 4, uint32_t());
  } else {
    for (size_t position = 0; position < size; position++) visit(position, uint8_t());
  }
}

/// Accumulates words to determine whether all bytes are ASCII.
class AsciiCheck {
 public:
  void See(ByteBlock block) { blocks_ |= block; }
  void See(uint64_t word) { words_ |= word; }
  bool all() const {
    uint64_t halves[2];
    std::memcpy(halves, &blocks_, sizeof(blocks_));
    return ((halves[0] | halves[1] | words_) & 0x8080808080808080ULL) == 0;
  }

 private:
  ByteBlock blocks_ = {};
  uint64_t words_ = 0;
};

/// Whether all bytes are ASCII, so that characters are bytes.
inline bool IsAscii(std::string_view text) {
  AsciiCheck check;
  VisitWords(text.size(), [&](size_t position, auto word) {
    std::memcpy(&word, text.data() + position, sizeof(word));
    check.See(word);
  });
  return check.all();
}

inline size_t CountCharacters(std::string_view text) {
  if (IsAscii(text)) return text.size();
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  size_t count = text.size();
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    const uint64_t continuing = (word >> 7) & ~(word >> 6) & kOnes;
    count -= (continuing * kOnes) >> 56;
  }
  for (; i < text.size(); i++) count -= BeginsCharacter(text[i]) ? 0 : 1;
  return count;
}

/// The byte offset of character `index` (from 0), or text.size() if there are fewer characters.
inline size_t OffsetOfCharacter(std::string_view text, size_t index) {
  size_t offset = 0;
  for (; offset < text.size(); offset++) {
    if (BeginsCharacter(text[offset]) && index-- == 0) return offset;
  }
  return text.size();
}

/// The first `count` characters of `text`, or all of it.
inline std::string_view FirstCharacters(std::string_view text, size_t count) {
  return text.substr(0, OffsetOfCharacter(text, count));
}

}  // namespace scaup
