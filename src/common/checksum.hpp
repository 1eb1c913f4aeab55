// The checksum of all data in Scaup's files: XXH3-64. It is part of the file format and never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace scaup {

/// XXH3-64 of `bytes`. With the preceding part's checksum as the seed, checksums form a chain: it exposes a
/// part that is intact in itself but stands in the wrong place or is outdated.
uint64_t Checksum(std::span<const std::byte> bytes, uint64_t seed = 0);

}  // namespace scaup
