// sha1 (FIPS 180-4) of a text or BLOB.
#include <bit>
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr size_t kSha1BlockBytes = 64;
constexpr size_t kSha1Words = 5;

void AddSha1Block(uint32_t (&state)[kSha1Words], const unsigned char* block) {
  uint32_t schedule[80];
  for (unsigned i = 0; i < 16; i++) {
    schedule[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 |
                  uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  }
  for (unsigned i = 16; i < 80; i++)
    schedule[i] = std::rotl(schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16], 1);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (unsigned i = 0; i < 80; i++) {
    // Four functions of 20 rounds each: choice, parity, majority, parity.
    const uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                           : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                           : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                    : (b ^ c ^ d) + 0xca62c1d6;
    const uint32_t next = std::rotl(a, 5) + mixed + e + schedule[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

void Sha1(std::string_view text, char* hex) {
  uint32_t state[kSha1Words] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const size_t whole = text.size() / kSha1BlockBytes * kSha1BlockBytes;
  for (size_t offset = 0; offset < whole; offset += kSha1BlockBytes) AddSha1Block(state, bytes + offset);
  // The rest, a one bit, zeros, and the length in bits fill one or two blocks.
  unsigned char tail[2 * kSha1BlockBytes] = {};
  const size_t rest = text.size() - whole;
  if (rest > 0) std::memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t tail_size = rest < kSha1BlockBytes - 8 ? kSha1BlockBytes : 2 * kSha1BlockBytes;
  const uint64_t bits = uint64_t{text.size()} * 8;
  for (unsigned i = 0; i < 8; i++) tail[tail_size - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  for (size_t offset = 0; offset < tail_size; offset += kSha1BlockBytes) AddSha1Block(state, tail + offset);
  for (unsigned i = 0; i < 8 * kSha1Words; i++)
    hex[i] = "0123456789abcdef"[state[i / 8] >> (4 * (7 - i % 8)) & 15];
}

void Sha1Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    char hex[8 * kSha1Words];
    Sha1(text.view(), hex);
    return result.AddString({hex, sizeof(hex)});
  });
}

}  // namespace

ScalarFunctionList Sha1Functions() {
  ScalarFunctionList list;
  for (const TypeId type : {TypeId::kVarchar, TypeId::kBlob}) {
    list.push_back({.name = "sha1",
                    .argument_types = {type},
                    .return_type = TypeId::kVarchar,
                    .kernel = &Sha1Kernel,
                    .description = "The SHA-1 sum in hexadecimal.",
                    .example = "sha1('scaup')",
                    .can_fail = false});
  }
  return list;
}

}  // namespace scaup
