// The checksum of everything that Scaup keeps in files: XXH3-64. It never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace scaup {

/// XXH3-64 of `bytes`. Where the seed is the checksum of what stands before, checksums form a chain: a part
/// that is right in itself but stands in another place, or is an old state, does not fit.
uint64_t Checksum(std::span<const std::byte> bytes, uint64_t seed = 0);

}  // namespace scaup
