// The dictionary method: dispatches to the implementation for the type.
#include "storage/compression/dictionary.hpp"

#include "storage/compression/methods.hpp"

namespace scaup {
namespace {

class DictionaryEncoding final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kDictionary; }
  bool Supports(PhysicalType) const override { return true; }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    if (sample.type == PhysicalType::kString) return EstimateStringDictionary(sample, block_count);
    return EstimateFixedDictionary(sample, block_count);
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    return input.type == PhysicalType::kString ? CompressStringDictionary(input)
                                               : CompressFixedDictionary(input);
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    return type == PhysicalType::kString ? OpenStringDictionary(header) : OpenFixedDictionary(type, header);
  }
};

}  // namespace

const CompressionMethod& DictionaryMethod() {
  static const DictionaryEncoding& method = *new DictionaryEncoding;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
