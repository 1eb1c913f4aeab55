// The method Alp: not there yet.
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"

namespace scaup {
namespace {

class Alp final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kAlp; }
  bool Supports(PhysicalType) const override { return false; }
  std::optional<CompressionEstimate> Estimate(const SegmentInput&, size_t) const override {
    return std::nullopt;
  }
  std::optional<CompressedSegment> Compress(const SegmentInput&) const override { return std::nullopt; }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType, std::span<const std::byte>) const override {
    ThrowCorruptEncoding("not a known encoding");
  }
};

}  // namespace

const CompressionMethod& AlpMethod() {
  static const Alp method;
  return method;
}

}  // namespace scaup
