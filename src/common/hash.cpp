// Byte string hashing with XXH3.
#include "common/hash.hpp"

// xxHash is compiled into this file, because other libraries of the host may export copies of it under the
// same names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scaup {

uint64_t HashBytes(const void* data, size_t size_bytes) { return XXH3_64bits(data, size_bytes); }

}  // namespace scaup
