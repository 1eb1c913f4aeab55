// Text forms of 128-bit integers.
#include "type/number/int128.hpp"

#include <charconv>
#include <cstring>

namespace scaup {

namespace {

constexpr uint64_t kTenTo18 = 1'000'000'000'000'000'000;

// Writes exactly 18 digits, padded with zeros.
void FormatPadded(uint64_t value, char* out) {
  for (int i = 17; i >= 0; i--) {
    out[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

}  // namespace

size_t FormatInt128(int128_t value, char* out) {
  char* cursor = out;
  uint128_t rest = static_cast<uint128_t>(value);
  if (value < 0) {
    *cursor++ = '-';
    rest = 0 - rest;
  }
  // Groups of 18 digits fit into 64 bits, so that few 128-bit divisions are needed.
  uint64_t groups[3];
  int count = 0;
  do {
    groups[count++] = static_cast<uint64_t>(rest % kTenTo18);
    rest /= kTenTo18;
  } while (rest != 0);
  cursor = std::to_chars(cursor, cursor + 20, groups[--count]).ptr;
  while (count > 0) {
    FormatPadded(groups[--count], cursor);
    cursor += 18;
  }
  return static_cast<size_t>(cursor - out);
}

std::string ToString(int128_t value) {
  char buffer[48];
  return std::string(buffer, FormatInt128(value, buffer));
}

bool ParseInt128(std::string_view text, int128_t& result) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  const uint128_t limit = static_cast<uint128_t>(kInt128Max) + (negative ? 1 : 0);
  uint128_t value = 0;
  for (const char c : text) {
    const unsigned digit = static_cast<unsigned char>(c) - unsigned{'0'};
    if (digit > 9 || value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  result = static_cast<int128_t>(negative ? 0 - value : value);
  return true;
}

double Int128ToDouble(int128_t value) { return static_cast<double>(value); }

}  // namespace scaup
