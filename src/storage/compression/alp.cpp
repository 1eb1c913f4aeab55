// Encodes numbers with ALP: each block as integers of the shape that suits it best, minus the least.
#include "storage/compression/alp.hpp"

#include <algorithm>

#include "common/hash.hpp"
#include "storage/compression/alp_decimals.hpp"
#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "storage/compression/methods.hpp"

namespace scaup {

namespace {

/// A segment's candidate shapes come from this many values of this many blocks; a block tries them on as many
/// of its values.
constexpr size_t kSampleBlocks = 8;
constexpr size_t kSampleValues = 32;
constexpr size_t kMaxCandidates = 5;
/// If ALP takes more than this share of the raw size, it is not worth trying.
constexpr double kMaxRatio = 0.95;
constexpr double kDecodeNanoseconds = 0.25;

/// Samples the non-NULL values of a block. The distances are irregular, as values of a series may be alike at
/// regular ones.
template <typename T>
std::vector<T> SampleOf(const SegmentInput::Block& block) {
  const T* values = reinterpret_cast<const T*>(block.values);
  const size_t valid_count = CountValid(block.validity, block.count);
  const size_t step = std::max<size_t>(1, valid_count / kSampleValues);
  std::vector<T> sample;
  size_t valid_row = 0, wanted = 0;
  for (size_t row = 0; row < block.count && sample.size() < kSampleValues; row++) {
    if (block.validity != nullptr && !TestValid(block.validity, row)) continue;
    if (valid_row++ != wanted) continue;
    sample.push_back(values[row]);
    wanted = sample.size() * step + HashInteger(sample.size()) % step;
  }
  return sample;
}

/// Returns the best shapes of some blocks, the most frequent first.
template <typename T>
std::vector<DecimalShape> FindCandidates(const SegmentInput& input) {
  struct Votes {
    DecimalShape shape;
    size_t count;
  };
  std::vector<Votes> votes;
  const size_t step = std::max<size_t>(1, input.blocks.size() / kSampleBlocks);
  for (size_t i = 0; i < input.blocks.size(); i += step) {
    // Trying all shapes is expensive, so only a few blocks do it.
    const std::vector<T> sample = SampleOf<T>(input.blocks[i]);
    const DecimalShape shape = BestShape(std::span<const T>(sample));
    const auto known =
        std::find_if(votes.begin(), votes.end(), [&](const Votes& other) { return other.shape == shape; });
    if (known == votes.end()) {
      votes.push_back({shape, 1});
    } else {
      known->count++;
    }
  }
  std::stable_sort(votes.begin(), votes.end(),
                   [](const Votes& a, const Votes& b) { return a.count > b.count; });
  votes.resize(std::min(votes.size(), kMaxCandidates));
  std::vector<DecimalShape> candidates;
  for (const Votes& vote : votes) candidates.push_back(vote.shape);
  return candidates;
}

/// The integers of a block. Exceptions and NULLs are replaced by the first exact integer, which costs least.
template <typename T>
struct EncodedBlock {
  alignas(64) int64_t digits[kVectorSize];
  std::vector<uint16_t> exceptions;
  int64_t least = 0;
  unsigned width = 0;

  void Encode(const T* values, const SegmentInput::Block& block, DecimalShape shape) {
    const DecimalScale scale(shape);
    uint8_t is_exact[kVectorSize];
    for (size_t row = 0; row < kVectorSize; row++) {
      const double rounded = scale.Digits(values[row]);
      is_exact[row] = scale.IsExact(values[row], rounded);
      digits[row] = is_exact[row] ? static_cast<int64_t>(rounded) : 0;
    }
    exceptions.clear();
    // The filler lies within the range of the others, so it does not widen the block.
    const uint8_t* first = std::find(is_exact, is_exact + kVectorSize, 1);
    const int64_t filler = first == is_exact + kVectorSize ? 0 : digits[first - is_exact];
    for (size_t row = 0; row < kVectorSize; row++) {
      if (is_exact[row]) continue;
      digits[row] = filler;
      const bool is_value =
          row < block.count && (block.validity == nullptr || TestValid(block.validity, row));
      if (is_value) exceptions.push_back(static_cast<uint16_t>(row));
    }
    const auto [low, high] = std::minmax_element(digits, digits + kVectorSize);
    least = *low;
    width = WidthOf(static_cast<uint64_t>(*high - *low));
  }
};

template <typename T>
void AppendBlock(const SegmentInput::Block& block, std::span<const DecimalShape> candidates,
                 const KernelTable& kernels, FilledBlock& filled, EncodedBlock<T>& encoded,
                 std::vector<std::byte>& bytes) {
  constexpr PhysicalType kType = sizeof(T) == sizeof(float) ? PhysicalType::kFloat : PhysicalType::kDouble;
  const T* values = filled.Fill<T>(kType, block);
  DecimalShape shape = candidates.front();
  // With a single candidate there is nothing to choose.
  if (candidates.size() > 1) {
    const std::vector<T> sample = SampleOf<T>(block);
    shape = BestShape(std::span<const T>(sample), candidates);
  }
  encoded.Encode(values, block, shape);
  const size_t exception_count = encoded.exceptions.size();
  const size_t raw_bytes = block.count * sizeof(T);
  // Too many exceptions make ALP larger than the values themselves.
  if (PackedBytes(encoded.width, block.count) + exception_count * (sizeof(uint16_t) + sizeof(T)) +
          AlpLayout::kBlockHeaderBytes >=
      raw_bytes) {
    AppendNumber(bytes, AlpLayout::kRawBlock);
    return AppendBytes(bytes, {reinterpret_cast<const std::byte*>(values), raw_bytes});
  }
  AppendNumber(bytes, shape.exponent);
  AppendNumber(bytes, shape.factor);
  AppendNumber(bytes, static_cast<uint8_t>(encoded.width));
  AppendNumber(bytes, static_cast<uint16_t>(exception_count));
  AppendNumber(bytes, encoded.least);
  AppendPacked(kernels, encoded.digits, 3, static_cast<uint64_t>(encoded.least), encoded.width, block.count,
               bytes);
  for (const uint16_t row : encoded.exceptions) AppendNumber(bytes, row);
  // Values go last, so that positions are contiguous for the search in Gather.
  for (const uint16_t row : encoded.exceptions) AppendNumber(bytes, values[row]);
}

template <typename T>
CompressedSegment CompressBlocks(const SegmentInput& input) {
  CompressedSegment segment;
  segment.encoding = Encoding::kAlp;
  if (input.blocks.empty()) return segment;
  const std::vector<DecimalShape> candidates = FindCandidates<T>(input);
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  FilledBlock filled;
  EncodedBlock<T> encoded;
  for (const auto& block : input.blocks) {
    AppendBlock<T>(block, candidates, kernels, filled, encoded, segment.bytes);
    EndBlock(input, segment);
  }
  return segment;
}

class Method final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kAlp; }
  bool Supports(PhysicalType type) const override {
    return type == PhysicalType::kFloat || type == PhysicalType::kDouble;
  }

  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    // Compressing the sample is exact and cheap enough; the shapes are searched on few values.
    const auto segment = Compress(sample);
    const auto size_bytes = static_cast<double>(segment->bytes.size());
    const auto raw_bytes = static_cast<double>(CountValues(sample) * PhysicalSize(sample.type));
    if (size_bytes > kMaxRatio * raw_bytes) return std::nullopt;
    return CompressionEstimate{.size_bytes = size_bytes * ScaleOfSample(sample, block_count),
                               .decode_nanoseconds = kDecodeNanoseconds};
  }

  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    return input.type == PhysicalType::kFloat ? CompressBlocks<float>(input) : CompressBlocks<double>(input);
  }

  std::unique_ptr<SegmentDecoder> Open(PhysicalType type, std::span<const std::byte> header) const override {
    return OpenAlp(type, header);
  }
};

}  // namespace

const CompressionMethod& AlpMethod() {
  static const Method& method = *new Method;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
