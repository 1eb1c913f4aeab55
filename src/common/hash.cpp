// Byte string hashing with XXH3.
#include "common/hash.hpp"

#include <xxhash.h>

namespace scaup {

uint64_t HashBytes(const void* data, size_t size_bytes) { return XXH3_64bits(data, size_bytes); }

}  // namespace scaup
