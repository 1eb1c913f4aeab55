// Constant encoding: a block of equal values is stored as that value.
#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {
namespace {

bool AllSame(PhysicalType type, const std::byte* values, size_t count) {
  // Compares the values with themselves shifted by one, in a single memcmp.
  const size_t size = PhysicalSize(type);
  return count < 2 || std::memcmp(values, values + size, (count - 1) * size) == 0;
}

class ConstantDecoder final : public SegmentDecoder {
 public:
  explicit ConstantDecoder(PhysicalType type) : type_(type) {}
  void Decode(std::span<const std::byte> block, size_t, const KernelTable&,
              const std::shared_ptr<const void>&, Vector& output) const override {
    DecodeConstant(type_, ValueOf(block), output);
  }
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    // Copied for alignment.
    alignas(16) std::byte value[16];
    std::memcpy(value, ValueOf(block), block.size());
    uint8_t passes = 0;
    EvaluateScanFilter(kernels, filter, type_, value, nullptr, 1, &passes);
    std::memset(mask, passes, count);
    return true;
  }

 private:
  const std::byte* ValueOf(std::span<const std::byte> block) const {
    if (block.size() != PhysicalSize(type_)) ThrowCorruptEncoding("a constant block has a wrong size");
    return block.data();
  }

  PhysicalType type_;
};

class Constant final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kConstant; }
  bool Supports(PhysicalType type) const override { return type != PhysicalType::kString; }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    FilledBlock filled;
    for (const SegmentInput::Block& block : sample.blocks) {
      if (!AllSame(sample.type, filled.Fill(sample.type, block), block.count)) return std::nullopt;
    }
    return CompressionEstimate{static_cast<double>(block_count * PhysicalSize(sample.type)), 0};
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    CompressedSegment segment{.encoding = encoding()};
    FilledBlock filled;
    for (const SegmentInput::Block& block : input.blocks) {
      const std::byte* values = filled.Fill(input.type, block);
      // The sample was constant, but another block is not.
      if (!AllSame(input.type, values, block.count)) return std::nullopt;
      AppendBytes(segment.bytes, {values, PhysicalSize(input.type)});
      EndBlock(input, segment);
    }
    return segment;
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    if (!header.empty() || !Supports(type)) ThrowCorruptEncoding("constant blocks have no header");
    return std::make_unique<ConstantDecoder>(type);
  }
};

}  // namespace

const CompressionMethod& ConstantMethod() {
  static const Constant& method = *new Constant;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
