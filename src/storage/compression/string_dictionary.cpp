// Dictionary encoding of strings: not there yet.
#include "storage/compression/dictionary.hpp"
#include "storage/compression/encoded_bytes.hpp"

namespace scaup {

std::optional<CompressionEstimate> EstimateStringDictionary(const SegmentInput&, size_t) {
  return std::nullopt;
}
std::optional<CompressedSegment> CompressStringDictionary(const SegmentInput&) { return std::nullopt; }
std::unique_ptr<SegmentDecoder> OpenStringDictionary(std::span<const std::byte>) {
  ThrowCorruptEncoding("no dictionary of strings is known");
}

}  // namespace scaup
