// Raw encoding: values as in memory, used in place.
#include "storage/compression/raw.hpp"

#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

bool IsAligned(PhysicalType type, const std::byte* values) {
  return VisitBits(type, [&]<typename T>() { return reinterpret_cast<uintptr_t>(values) % alignof(T) == 0; });
}

class RawDecoder final : public SegmentDecoder {
 public:
  explicit RawDecoder(PhysicalType type) : type_(type) {}
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>& owner, Vector& output) const override {
    if (block.size() != count * PhysicalSize(type_)) ThrowCorruptEncoding("raw values have a wrong size");
    // Booleans other than 0 and 1 would break kernels.
    CheckDecodedValues(type_, block.data(), count);
    // Without an owner, or unaligned, the values are copied.
    if (owner != nullptr && IsAligned(type_, block.data())) {
      return output.ReferenceFlat(block.data(), nullptr, owner);
    }
    output.Reset();
    std::memcpy(output.MutableData<std::byte>(), block.data(), block.size());
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const size_t size = PhysicalSize(type_);
    if (block.size() != count * size) ThrowCorruptEncoding("raw values have a wrong size");
    std::byte* out = output.MutableData<std::byte>() + offset * size;
    for (const sel_t row : rows) {
      CheckDecodedValues(type_, block.data() + row * size, 1);
      std::memcpy(out, block.data() + row * size, size);
      out += size;
    }
    return true;
  }

 private:
  PhysicalType type_;
};

size_t SizeOfStrings(const SegmentInput& sample) {
  size_t size = 0;
  for (const SegmentInput::Block& block : sample.blocks) {
    const auto* strings = reinterpret_cast<const StringRef*>(block.values);
    for (size_t row = 0; row < block.count; row++) {
      const bool valid = block.validity == nullptr || TestValid(block.validity, row);
      size += sizeof(uint32_t) + (valid ? strings[row].size() : 0);
    }
  }
  return size;
}

class Raw final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kRaw; }
  bool Supports(PhysicalType) const override { return true; }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    const bool is_string = sample.type == PhysicalType::kString;
    const size_t size = is_string ? SizeOfStrings(sample) : CountValues(sample) * PhysicalSize(sample.type);
    return CompressionEstimate{static_cast<double>(size) * ScaleOfSample(sample, block_count),
                               is_string ? 1.0 : 0.02};
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    if (input.type == PhysicalType::kString) return CompressRawStrings(input);
    CompressedSegment segment{.encoding = encoding()};
    const size_t size = PhysicalSize(input.type);
    FilledBlock filled;
    for (const SegmentInput::Block& block : input.blocks) {
      AppendBytes(segment.bytes, {filled.Fill(input.type, block), block.count * size});
      EndBlock(input, segment);
    }
    return segment;
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    if (type == PhysicalType::kString) return OpenRawStrings(header);
    if (!header.empty()) ThrowCorruptEncoding("raw values have no header");
    return std::make_unique<RawDecoder>(type);
  }
};

}  // namespace

const CompressionMethod& RawMethod() {
  static const Raw& method = *new Raw;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
