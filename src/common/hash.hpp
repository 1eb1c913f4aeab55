// Hash functions of values and keys. They never change: sketches of distinct values in files hold them
// (docs/file-format.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace scaup {

/// Mixes 64 bits so that every output bit depends on every input bit.
inline uint64_t HashInteger(uint64_t value) {
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93ULL;
  value ^= value >> 32;
  return value;
}

/// Combines `seed` with the hash of a further key column.
inline uint64_t CombineHashes(uint64_t seed, uint64_t hash) {
  const uint64_t mixed = ((seed << 23 | seed >> 41) ^ hash) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ mixed >> 32;
}

/// XXH3-64 of a byte string.
uint64_t HashBytes(const void* data, size_t size_bytes);

/// The hash of NULL, the same for every type, because NULLs form one group.
inline constexpr uint64_t kNullHash = 0xbf58476d1ce4e5b9ULL;

}  // namespace scaup
