// The layout of ALP's blocks, and their decoder.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

/// The layout of ALP. There is no header. A block has: u8 exponent, u8 factor (DecimalShape), u8 width, u16
/// number of exceptions, i64 least integer; the integers minus the least, bit-packed; the rows of the
/// exceptions as u16; the values of the exceptions. Alternatively a block is u8 kRawBlock and the values.
struct AlpLayout {
  static constexpr uint8_t kRawBlock = 255;
  static constexpr size_t kBlockHeaderBytes = 3 + sizeof(uint16_t) + sizeof(int64_t);
  /// Integers are below 2^51 in magnitude.
  static constexpr unsigned kMaxWidth = 52;
};

std::unique_ptr<SegmentDecoder> OpenAlp(PhysicalType type, std::span<const std::byte> header);

}  // namespace scaup
