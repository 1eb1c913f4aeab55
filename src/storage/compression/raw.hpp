// Raw encoding of strings, called by raw.cpp, which serves all types.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

/// These work as CompressionMethod's Compress and Open, for PhysicalType::kString.
std::optional<CompressedSegment> CompressRawStrings(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenRawStrings(std::span<const std::byte> header);

}  // namespace scaup
