// Strings as they are: not there yet.
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/raw.hpp"

namespace scaup {

std::optional<CompressedSegment> CompressRawStrings(const SegmentInput&) { return std::nullopt; }
std::unique_ptr<SegmentDecoder> OpenRawStrings(std::span<const std::byte>) {
  ThrowCorruptEncoding("no raw strings are known");
}

}  // namespace scaup
