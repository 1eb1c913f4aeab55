// CRC-32 by zlib where the build has it, else by a table.
#include "format/codec/crc32.hpp"

#ifdef SCAUP_HAVE_ZLIB
#include <zlib.h>
#else
#include <array>
#endif

namespace scaup {

#ifdef SCAUP_HAVE_ZLIB

uint32_t Crc32(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#else

namespace {

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t rest = i;
    for (int bit = 0; bit < 8; bit++) rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    table[i] = rest;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = MakeTable();

}  // namespace

uint32_t Crc32(std::span<const std::byte> bytes) {
  uint32_t sum = ~uint32_t{0};
  for (const std::byte byte : bytes) sum = sum >> 8 ^ kTable[(sum ^ static_cast<uint32_t>(byte)) & 255];
  return ~sum;
}

#endif

}  // namespace scaup
