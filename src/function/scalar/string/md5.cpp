// md5: the MD5 sum of a text (RFC 1321) in hexadecimal. For checksums; not secure against attackers.
#include <bit>
#include <cmath>
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr uint8_t kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

/// The constants of the standard: floor(2^32 * |sin(i + 1)|).
struct SineTable {
  uint32_t words[64];
  SineTable() {
    for (int i = 0; i < 64; i++)
      words[i] = static_cast<uint32_t>(std::floor(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
  }
};

uint32_t LoadWord(const unsigned char* bytes) {
  return static_cast<uint32_t>(bytes[0]) | static_cast<uint32_t>(bytes[1]) << 8 |
         static_cast<uint32_t>(bytes[2]) << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

void AddBlock(uint32_t (&state)[4], const unsigned char* block) {
  static const SineTable sines;
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (unsigned i = 0; i < 64; i++) {
    const unsigned round = i / 16;
    uint32_t mixed;
    unsigned word;
    switch (round) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = (7 * i) % 16;
        break;
    }
    mixed += a + sines.words[i] + LoadWord(block + word * 4);
    a = d;
    d = c;
    c = b;
    b += std::rotl(mixed, kShifts[round][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void Md5(std::string_view text, unsigned char (&sum)[16]) {
  uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const size_t whole = text.size() / 64 * 64;
  for (size_t offset = 0; offset < whole; offset += 64) AddBlock(state, bytes + offset);
  // The rest, a one bit, zeros, and the length in bits fill one or two blocks.
  unsigned char tail[128] = {};
  const size_t rest = text.size() - whole;
  if (rest > 0) std::memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t tail_size = rest < 56 ? 64 : 128;
  const uint64_t bits = uint64_t{text.size()} * 8;
  for (unsigned i = 0; i < 8; i++) tail[tail_size - 8 + i] = static_cast<unsigned char>(bits >> (8 * i));
  for (size_t offset = 0; offset < tail_size; offset += 64) AddBlock(state, tail + offset);
  for (unsigned i = 0; i < 16; i++) sum[i] = static_cast<unsigned char>(state[i / 4] >> (8 * (i % 4)));
}

void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    unsigned char sum[16];
    Md5(text.view(), sum);
    char hex[32];
    for (size_t i = 0; i < 16; i++) {
      hex[i * 2] = "0123456789abcdef"[sum[i] >> 4];
      hex[i * 2 + 1] = "0123456789abcdef"[sum[i] & 15];
    }
    return result.AddString({hex, sizeof(hex)});
  });
}

/// The bytes from `begin` on as a number, the first one the lowest.
template <size_t kBegin>
void NumberKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, uint64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    unsigned char sum[16];
    Md5(text.view(), sum);
    uint64_t number = 0;
    for (size_t i = 8; i > 0; i--) number = number << 8 | sum[kBegin + i - 1];
    return number;
  });
}

}  // namespace

ScalarFunctionList Md5Functions() {
  ScalarFunctionList list;
  for (const bool is_upper : {false, true}) {
    list.push_back(
        {.name = is_upper ? "md5_number_upper" : "md5_number_lower",
         .argument_types = {TypeId::kVarchar},
         .return_type = TypeId::kUBigInt,
         .kernel = is_upper ? &NumberKernel<0> : &NumberKernel<8>,
         .description = is_upper ? "The first eight bytes of the MD5 sum as a number, lowest byte first."
                                 : "The last eight bytes of the MD5 sum as a number, lowest byte first.",
         .example = is_upper ? "md5_number_upper('scaup')" : "md5_number_lower('scaup')",
         .can_fail = false});
  }
  for (const TypeId type : {TypeId::kVarchar, TypeId::kBlob}) {
    list.push_back({.name = "md5",
                    .argument_types = {type},
                    .return_type = TypeId::kVarchar,
                    .kernel = &Kernel,
                    .description = "The MD5 sum in hexadecimal.",
                    .example = "md5('scaup')",
                    .can_fail = false});
  }
  return list;
}

}  // namespace scaup
