// UUIDs, stored as 128 bits with the highest bit inverted, so that signed integers have the order of UUIDs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Converts between the 128 bits of a UUID, its first digit highest, and the stored integer.
constexpr int128_t UuidFromBits(uint128_t bits) {
  return static_cast<int128_t>(bits ^ (static_cast<uint128_t>(1) << 127));
}
constexpr uint128_t UuidBits(int128_t stored) {
  return static_cast<uint128_t>(stored) ^ (static_cast<uint128_t>(1) << 127);
}
/// A UUID of version 4 (RFC 9562) from 122 random bits of the two words.
constexpr int128_t RandomUuid(uint64_t high, uint64_t low) {
  high = (high & ~uint64_t{0xF000}) | 0x4000;
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{1} << 63);
  return UuidFromBits(static_cast<uint128_t>(high) << 64 | low);
}
/// A UUID of version 7: the time since 1970 in units of 1/4096 of a millisecond, and 62 random bits.
constexpr int128_t TimedUuid(uint64_t time, uint64_t low) {
  const uint64_t high = (time >> 12) << 16 | 0x7000 | (time & 0xFFF);
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{1} << 63);
  return UuidFromBits(static_cast<uint128_t>(high) << 64 | low);
}

/// Parses 32 hex digits of either case. As in PostgreSQL, a hyphen may follow each group of four, and braces
/// may enclose all.
bool ParseUuid(std::string_view text, int128_t& stored);
/// Writes "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"; returns the number of bytes, 36.
size_t FormatUuid(int128_t stored, char* out);

}  // namespace scaup
