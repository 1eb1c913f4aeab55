// MD5 after RFC 1321.
#include "md5.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace scaup::test {
namespace {

constexpr std::array<std::array<int, 4>, 4> kShifts{
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

std::array<uint32_t, 64> MakeSines() {
  std::array<uint32_t, 64> sines;
  for (size_t i = 0; i < 64; i++) {
    sines[i] =
        static_cast<uint32_t>(std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
  }
  return sines;
}

void AddBlock(const unsigned char* block, std::array<uint32_t, 4>& state) {
  static const std::array<uint32_t, 64> kSines = MakeSines();
  std::array<uint32_t, 16> words;
  for (size_t i = 0; i < 16; i++) {
    words[i] = static_cast<uint32_t>(block[i * 4]) | static_cast<uint32_t>(block[i * 4 + 1]) << 8 |
               static_cast<uint32_t>(block[i * 4 + 2]) << 16 | static_cast<uint32_t>(block[i * 4 + 3]) << 24;
  }
  auto [a, b, c, d] = state;
  for (size_t i = 0; i < 64; i++) {
    const size_t round = i / 16;
    uint32_t mixed;
    size_t word;
    if (round == 0) {
      mixed = (b & c) | (~b & d);
      word = i;
    } else if (round == 1) {
      mixed = (d & b) | (~d & c);
      word = (5 * i + 1) % 16;
    } else if (round == 2) {
      mixed = b ^ c ^ d;
      word = (3 * i + 5) % 16;
    } else {
      mixed = c ^ (b | ~d);
      word = 7 * i % 16;
    }
    const uint32_t turned = std::rotl(a + mixed + kSines[i] + words[word], kShifts[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

std::string Md5(std::string_view bytes) {
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const uint64_t bits = static_cast<uint64_t>(bytes.size()) * 8;
  for (int i = 0; i < 8; i++) padded += static_cast<char>(bits >> (8 * i));
  std::array<uint32_t, 4> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (size_t begin = 0; begin < padded.size(); begin += 64) {
    AddBlock(reinterpret_cast<const unsigned char*>(padded.data()) + begin, state);
  }
  std::string hex;
  for (const uint32_t word : state) {
    for (int i = 0; i < 4; i++) {
      const uint32_t byte = word >> (8 * i) & 0xff;
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
  }
  return hex;
}

}  // namespace scaup::test
