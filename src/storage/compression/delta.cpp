// Delta encoding: differences of neighbours minus the block's smallest difference, bit-packed.
//
// A block has: uint8 width, int64 start, int64 smallest difference, packed rest. Value i is start plus the
// first i + 1 differences, modulo the type. The order is the plain one, not FastLanes' transposed one: scans
// want rows in order, and differences of true neighbours are smallest. Prefix sums run inside registers
// instead.
#include <algorithm>
#include <limits>

#include "common/throw.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

struct Deltas {
  uint64_t start;
  int64_t smallest;
  unsigned width;
};

/// Computes 1024 differences out[i] = values[i] - values[i - 1], modulo the type. The first one, and those
/// past `count`, get the smallest of the others, which packs to zero.
template <typename T>
Deltas FindDeltas(const T* values, size_t count, T* out) {
  T smallest = std::numeric_limits<T>::max(), largest = std::numeric_limits<T>::min();
  for (size_t i = 1; i < count; i++) {
    const T delta = static_cast<T>(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1]));
    out[i] = delta;
    smallest = std::min(smallest, delta);
    largest = std::max(largest, delta);
  }
  if (count < 2) smallest = largest = 0;
  out[0] = smallest;
  for (size_t i = std::max<size_t>(count, 1); i < kVectorSize; i++) out[i] = smallest;
  const uint64_t range = static_cast<uint64_t>(int64_t{largest}) - static_cast<uint64_t>(int64_t{smallest});
  // Start is one difference before the first value, so that all values follow the same rule.
  return {static_cast<uint64_t>(values[0]) - static_cast<uint64_t>(smallest), smallest, WidthOf(range)};
}

/// Calls use(deltas, differences) for a block.
template <typename Use>
void WithDeltas(PhysicalType type, const std::byte* values, size_t count, Use&& use) {
  VisitBits(type, [&]<typename T>() {  // Differences wrap, so that signs do not matter.
    if constexpr (std::is_integral_v<T>) {
      alignas(64) T out[kVectorSize];
      const Deltas deltas = FindDeltas(reinterpret_cast<const T*>(values), count, out);
      use(deltas, out);
    }
  });
}

class DeltaDecoder final : public SegmentDecoder {
 public:
  explicit DeltaDecoder(PhysicalType type) : type_(type) {}
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    EncodedReader reader(block);
    const unsigned width = reader.Read<uint8_t>();
    const auto start = reader.Read<uint64_t>();
    const auto smallest = reader.Read<uint64_t>();
    const PackedValues packed(reader.rest(), width, count);
    output.Reset();
    auto* out = output.MutableData<std::byte>();
    const size_t log2_bytes = Log2Bytes(type_), log2_sums = Log2OfSums(width);
    // The sums may need the full width of the type: one pass in that type.
    if (log2_sums >= log2_bytes) {
      packed.Unpack(kernels, log2_bytes, smallest, out);
      return kernels.prefix_sum[log2_bytes](out, start);
    }
    // Sums of the packed rest fit narrower integers, which are faster. The smallest difference, which every
    // step adds, is a ramp.
    PackingBuffer sums;
    packed.Unpack(kernels, log2_sums, 0, sums.bytes);
    if (width > 0) kernels.prefix_sum[log2_sums](sums.bytes, 0);
    kernels.add_ramp[log2_sums][log2_bytes](sums.bytes, start + smallest, smallest, out);
  }

 private:
  /// Returns log2 of the bytes of integers that hold sums of 1024 numbers of `width` bits.
  static size_t Log2OfSums(unsigned width) { return width == 0 ? 0 : width <= 6 ? 1 : width <= 22 ? 2 : 3; }

  PhysicalType type_;
};

class Delta final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kDelta; }
  bool Supports(PhysicalType type) const override {
    return IsWordInteger(type) && type != PhysicalType::kBool;
  }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    FilledBlock filled;
    size_t size = 0;
    for (const SegmentInput::Block& block : sample.blocks) {
      WithDeltas(sample.type, filled.Fill(sample.type, block), block.count,
                 [&](const Deltas& deltas, const auto*) {
                   size += kHeaderBytes + PackedBytes(deltas.width, block.count);
                 });
    }
    return CompressionEstimate{static_cast<double>(size) * ScaleOfSample(sample, block_count), 0.3};
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    const KernelTable& kernels = KernelsOf(BestKernelLevel());
    CompressedSegment segment{.encoding = encoding()};
    FilledBlock filled;
    for (const SegmentInput::Block& block : input.blocks) {
      WithDeltas(input.type, filled.Fill(input.type, block), block.count,
                 [&](const Deltas& deltas, const auto* differences) {
                   AppendNumber(segment.bytes, static_cast<uint8_t>(deltas.width));
                   AppendNumber(segment.bytes, deltas.start);
                   AppendNumber(segment.bytes, deltas.smallest);
                   AppendPacked(kernels, differences, Log2Bytes(input.type),
                                static_cast<uint64_t>(deltas.smallest), deltas.width, block.count,
                                segment.bytes);
                 });
      EndBlock(input, segment);
    }
    return segment;
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    if (!header.empty() || !Supports(type)) ThrowCorruptEncoding("differences have no header");
    return std::make_unique<DeltaDecoder>(type);
  }

 private:
  static constexpr size_t kHeaderBytes = 1 + 8 + 8;
};

}  // namespace

const CompressionMethod& DeltaMethod() {
  static const Delta& method = *new Delta;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
