// Strings as they are: what raw.cpp, which serves all types, calls for them.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

/// As CompressionMethod's functions Compress and Open, for PhysicalType::kString.
std::optional<CompressedSegment> CompressRawStrings(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenRawStrings(std::span<const std::byte> header);

}  // namespace scaup
