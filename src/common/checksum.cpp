// The checksum of everything that Scaup keeps in files.
#include "common/checksum.hpp"

// Compiled into this file: other libraries of a host carry copies of xxHash of their own under the same
// names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

uint64_t Checksum(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace scaup
