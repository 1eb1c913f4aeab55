// Frame of reference: differences from the block's minimum, bit-packed.
//
// A block has: uint8 width, the minimum as int64 (of UBIGINT as uint64, of 128-bit integers as int128),
// packed differences.
#include <tuple>
#include <utility>

#include "common/throw.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/kernel_type.hpp"

namespace scaup {
namespace {

struct Frame {
  int128_t base;
  unsigned width;
};

template <typename T>
std::pair<int128_t, int128_t> LeastAndGreatest(const std::byte* bytes, size_t count) {
  const T* values = reinterpret_cast<const T*>(bytes);
  T minimum = values[0], maximum = values[0];
  for (size_t i = 1; i < count; i++) {
    minimum = values[i] < minimum ? values[i] : minimum;
    maximum = values[i] > maximum ? values[i] : maximum;
  }
  return {minimum, maximum};
}

/// Returns nullopt if the differences need more than 64 bits.
std::optional<Frame> FrameOf(const KernelTable& kernels, PhysicalType type, const std::byte* values,
                             size_t count) {
  int128_t minimum, maximum;
  if (const auto kernel_type = KernelTypeOf(type)) {
    std::byte low[8], high[8];
    kernels.min_max[static_cast<size_t>(*kernel_type)](values, count, low, high);
    minimum = LoadWordInteger(type, low);
    maximum = LoadWordInteger(type, high);
  } else {
    std::tie(minimum, maximum) = VisitPhysicalType(type, [&]<typename T>() -> std::pair<int128_t, int128_t> {
      if constexpr (std::is_unsigned_v<T> || std::is_same_v<T, int128_t>) {
        return LeastAndGreatest<T>(values, count);
      }
      ThrowInternal("no frames of reference for this type");
    });
  }
  const uint128_t range = static_cast<uint128_t>(maximum) - static_cast<uint128_t>(minimum);
  if (range > ~uint64_t{0}) return std::nullopt;
  return Frame{minimum, WidthOf(static_cast<uint64_t>(range))};
}

size_t BaseBytes(PhysicalType type) { return type == PhysicalType::kInt128 ? 16 : 8; }

void AppendBlock(const KernelTable& kernels, PhysicalType type, const Frame& frame, const std::byte* values,
                 size_t count, std::vector<std::byte>& bytes) {
  AppendNumber(bytes, static_cast<uint8_t>(frame.width));
  if (type != PhysicalType::kInt128) {
    const auto base = static_cast<int64_t>(frame.base);
    AppendNumber(bytes, base);
    AppendPacked(kernels, values, Log2Bytes(type), static_cast<uint64_t>(base), frame.width, count, bytes);
    return;
  }
  AppendNumber(bytes, frame.base);
  // The low word of the difference is the difference of the low words.
  PackingBuffer low;
  auto* words = reinterpret_cast<uint64_t*>(low.bytes);
  const auto* wide = reinterpret_cast<const int128_t*>(values);
  for (size_t i = 0; i < kVectorSize; i++) words[i] = static_cast<uint64_t>(wide[i]);
  AppendPacked(kernels, words, 3, static_cast<uint64_t>(frame.base), frame.width, count, bytes);
}

/// Returns the result of a comparison whose left side is below (order < 0), equal to or above the right side
/// for all values.
bool PassesAll(ScanFilter::Op op, int order) {
  switch (op) {
    case ScanFilter::Op::kEqual: return order == 0;
    case ScanFilter::Op::kNotEqual: return order != 0;
    case ScanFilter::Op::kLess: return order < 0;
    case ScanFilter::Op::kLessEqual: return order <= 0;
    case ScanFilter::Op::kGreater: return order > 0;
    case ScanFilter::Op::kGreaterEqual: return order >= 0;
    case ScanFilter::Op::kIsNull:
    case ScanFilter::Op::kIsNotNull:
    case ScanFilter::Op::kTest: break;
  }
  ThrowInternal("a filter of integers that is no comparison");
}

class FrameDecoder final : public SegmentDecoder {
 public:
  explicit FrameDecoder(PhysicalType type) : type_(type) {}

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const std::shared_ptr<const void>&, Vector& output) const override {
    const Block read = Read(block, count);
    // Width 0 means that all values equal the base.
    if (read.packed.width() == 0) {
      return DecodeConstant(type_, reinterpret_cast<const std::byte*>(&read.base), output);
    }
    output.Reset();
    if (type_ != PhysicalType::kInt128) {
      const auto base = static_cast<uint64_t>(read.base);
      return read.packed.Unpack(kernels, Log2Bytes(type_), base, output.MutableData<std::byte>());
    }
    PackingBuffer low;
    read.packed.Unpack(kernels, 3, 0, low.bytes);
    const auto* words = reinterpret_cast<const uint64_t*>(low.bytes);
    auto* out = output.MutableData<int128_t>();
    for (size_t i = 0; i < count; i++) {
      out[i] = static_cast<int128_t>(static_cast<uint128_t>(read.base) + words[i]);
    }
  }

  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    const Block read = Read(block, count);
    const size_t size = PhysicalSize(type_);
    std::byte* out = output.MutableData<std::byte>() + offset * size;
    // Truncation to the type's size undoes the widening.
    for (const sel_t row : rows) {
      const auto value = static_cast<uint128_t>(read.base) + read.packed.At(row);
      std::memcpy(out, &value, size);
      out += size;
    }
    return true;
  }

  /// Compares in the narrow lanes of the packed differences, if base and width do not decide already.
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
              const ScanFilter& filter, uint8_t* mask) const override {
    if (!filter.is_comparison()) return false;
    const Block read = Read(block, count);
    const int128_t constant = filter.constant.GetInteger();
    const uint128_t difference = static_cast<uint128_t>(constant) - static_cast<uint128_t>(read.base);
    const bool is_below = constant < read.base;
    if (is_below || difference > read.packed.largest() || read.packed.width() == 0) {
      const int order = is_below ? 1 : difference > read.packed.largest() ? -1 : 0;
      std::memset(mask, PassesAll(filter.op, order), count);
      return true;
    }
    // The kernels compare signed integers: half the range is added to both sides.
    const size_t lane = LaneOfWidth(read.packed.width());
    const uint64_t bias = uint64_t{1} << ((8u << lane) - 1);
    const uint64_t wanted = static_cast<uint64_t>(difference) + bias;
    PackingBuffer values;
    read.packed.UnpackLanes(kernels, bias, values.bytes);
    kernels.compare[static_cast<size_t>(filter.op)][lane](values.bytes, &wanted, mask, count, true);
    return true;
  }

 private:
  struct Block {
    int128_t base;
    PackedValues packed;
  };

  Block Read(std::span<const std::byte> block, size_t count) const {
    EncodedReader reader(block);
    const unsigned width = reader.Read<uint8_t>();
    const int128_t base = ReadBase(reader);
    Block read{base, PackedValues(reader.rest(), width, count)};
    if (width > 8 * PhysicalSize(type_)) ThrowCorruptEncoding("a frame is wider than its type");
    // Checked here, so that decoding needs no check per value.
    if (type_ == PhysicalType::kBool && (base < 0 || base > 1 || base + width > 1)) {
      ThrowCorruptEncoding("a boolean is neither true nor false");
    }
    return read;
  }

  int128_t ReadBase(EncodedReader& reader) const {
    if (type_ == PhysicalType::kInt128) return reader.Read<int128_t>();
    if (type_ == PhysicalType::kUInt64) return reader.Read<uint64_t>();
    return reader.Read<int64_t>();
  }

  PhysicalType type_;
};

class FrameOfReference final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kFrameOfReference; }
  bool Supports(PhysicalType type) const override {
    return IsWordInteger(type) || type == PhysicalType::kInt128;
  }
  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    const KernelTable& kernels = KernelsOf(BestKernelLevel());
    FilledBlock filled;
    size_t size = 0;
    for (const SegmentInput::Block& block : sample.blocks) {
      const auto frame = FrameOf(kernels, sample.type, filled.Fill(sample.type, block), block.count);
      if (!frame) return std::nullopt;
      size += 1 + BaseBytes(sample.type) + PackedBytes(frame->width, block.count);
    }
    const double nanoseconds = sample.type == PhysicalType::kInt128 ? 0.6 : 0.1;
    return CompressionEstimate{static_cast<double>(size) * ScaleOfSample(sample, block_count), nanoseconds};
  }
  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    const KernelTable& kernels = KernelsOf(BestKernelLevel());
    CompressedSegment segment{.encoding = encoding()};
    FilledBlock filled;
    for (const SegmentInput::Block& block : input.blocks) {
      const std::byte* values = filled.Fill(input.type, block);
      const auto frame = FrameOf(kernels, input.type, values, block.count);
      if (!frame) return std::nullopt;
      AppendBlock(kernels, input.type, *frame, values, block.count, segment.bytes);
      EndBlock(input, segment);
    }
    return segment;
  }
  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    if (!header.empty() || !Supports(type)) ThrowCorruptEncoding("frames of reference have no header");
    return std::make_unique<FrameDecoder>(type);
  }
};

}  // namespace

const CompressionMethod& FrameOfReferenceMethod() {
  static const FrameOfReference& method = *new FrameOfReference;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
