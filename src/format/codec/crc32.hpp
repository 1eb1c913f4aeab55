// The checksum CRC-32 of gzip, by which Parquet checks pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace scaup {

uint32_t Crc32(std::span<const std::byte> bytes);

}  // namespace scaup
