// Dictionary encoding: the implementations for strings and for fixed-width values.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

/// These work as the functions of CompressionMethod, for PhysicalType::kString.
std::optional<CompressionEstimate> EstimateStringDictionary(const SegmentInput& sample, size_t block_count);
std::optional<CompressedSegment> CompressStringDictionary(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenStringDictionary(std::span<const std::byte> header);

/// These serve all other types. Values are distinguished by their bits.
std::optional<CompressionEstimate> EstimateFixedDictionary(const SegmentInput& sample, size_t block_count);
std::optional<CompressedSegment> CompressFixedDictionary(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenFixedDictionary(PhysicalType type, std::span<const std::byte> header);

}  // namespace scaup
