// Dictionary encoding: what the method in dictionary.cpp calls for strings and for values of fixed width.
#pragma once

#include "storage/compression/compression.hpp"

namespace scaup {

/// As CompressionMethod's functions of these names, for PhysicalType::kString.
std::optional<CompressionEstimate> EstimateStringDictionary(const SegmentInput& sample, size_t block_count);
std::optional<CompressedSegment> CompressStringDictionary(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenStringDictionary(std::span<const std::byte> header);

/// Estimates a dictionary for all other types. Values are told apart by their bits.
std::optional<CompressionEstimate> EstimateFixedDictionary(const SegmentInput& sample, size_t block_count);
std::optional<CompressedSegment> CompressFixedDictionary(const SegmentInput& input);
std::unique_ptr<SegmentDecoder> OpenFixedDictionary(PhysicalType type, std::span<const std::byte> header);

}  // namespace scaup
