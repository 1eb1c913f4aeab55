// Conversion of integers to decimal digits, a word at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "type/text/string_ref.hpp"

namespace scaup {

/// Eight characters '0'.
inline constexpr uint64_t kZeros = 0x3030303030303030ULL;
inline constexpr uint32_t kEightDigits = 100000000;

/// Returns the eight decimal digits of a number below 10^8, the most significant one in the lowest byte. It
/// splits the number into halves, quarters and eighths, side by side in one word.
inline uint64_t EightDigits(uint32_t value) {
  const uint64_t fours = value / 10000 | uint64_t{value % 10000} << 32;
  const uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007fULL;
  const uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  const uint64_t tens = ((pairs * 103) >> 10) & 0x000f000f000f000fULL;
  return tens | (pairs - 10 * tens) << 8;
}

/// The number of leading zeros among the eight digits; at most 7, so that 0 has one digit.
inline unsigned LeadingZeros(uint64_t eight_digits) {
  return static_cast<unsigned>(std::countr_zero(eight_digits | uint64_t{1} << 56)) / 8;
}

/// Formats an integer. The text is short enough to be inline.
inline StringRef ShortIntegerText(int32_t value) {
  const uint64_t magnitude = value < 0 ? -int64_t{value} : int64_t{value};
  const uint64_t low = EightDigits(static_cast<uint32_t>(magnitude % kEightDigits));
  unsigned __int128 text = low | kZeros;
  uint64_t length = 8;
  if (magnitude < kEightDigits) {
    const unsigned leading = LeadingZeros(low);
    text >>= 8 * leading;
    length -= leading;
  } else {
    const uint64_t high = EightDigits(static_cast<uint32_t>(magnitude / kEightDigits));
    const unsigned leading = LeadingZeros(high);
    text = text << (8 * (8 - leading)) | (high | kZeros) >> (8 * leading);
    length += 8 - leading;
  }
  if (value < 0) {
    text = text << 8 | '-';
    length++;
  }
  const auto first = static_cast<uint32_t>(text);
  return std::bit_cast<StringRef>(
      std::array<uint64_t, 2>{length | uint64_t{first} << 32, static_cast<uint64_t>(text >> 32)});
}

}  // namespace scaup
