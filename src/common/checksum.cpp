// The checksum of all data in Scaup's files.
#include "common/checksum.hpp"

// xxHash is compiled into this file, because other libraries of the host may export copies of it under the
// same names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

uint64_t Checksum(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace scaup
