// Parses and formats UUIDs.
#include "type/uuid.hpp"

namespace scaup {

namespace {

constexpr int kDigits = 32;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool ParseUuid(std::string_view text, int128_t& stored) {
  if (!text.empty() && text.front() == '{') {
    if (text.size() < 2 || text.back() != '}') return false;
    text = text.substr(1, text.size() - 2);
  }
  uint128_t bits = 0;
  size_t next = 0;
  for (int i = 0; i < kDigits; i++) {
    if (i > 0 && i % 4 == 0 && next < text.size() && text[next] == '-') next++;
    const int digit = next < text.size() ? HexDigit(text[next++]) : -1;
    if (digit < 0) return false;
    bits = bits << 4 | static_cast<uint128_t>(digit);
  }
  if (next != text.size()) return false;
  stored = UuidFromBits(bits);
  return true;
}

size_t FormatUuid(int128_t stored, char* out) {
  const uint128_t bits = UuidBits(stored);
  const char* const begin = out;
  for (int i = 0; i < kDigits; i++) {
    if (i == 8 || i == 12 || i == 16 || i == 20) *out++ = '-';
    *out++ = "0123456789abcdef"[static_cast<unsigned>(bits >> (124 - 4 * i)) & 15];
  }
  return static_cast<size_t>(out - begin);
}

}  // namespace scaup
