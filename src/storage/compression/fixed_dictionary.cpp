// Encodes dictionaries of fixed-width values: distinct values by first appearance, codes bit-packed.
//
// The header has: uint32 number of entries, uint8 1 if the last one is NULL, and the entries except NULL. A
// block has: uint8 width, uint32 lowest code, packed differences from it. If values come in some order, codes
// of neighbours are close to each other.
#include <algorithm>

#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/dictionary.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {
namespace {

constexpr size_t kMaxEntries = (size_t{1} << 16) - 1;  // one more may stand for NULL
constexpr size_t kHeaderBytes = 4 + 1;
constexpr size_t kBlockHeaderBytes = 1 + 4;
/// Stands for NULL until the number of other entries is known.
constexpr uint32_t kNullCode = ~uint32_t{0};

/// Returns a hash whose highest bits are the good ones. It is cheap, as it is computed for every value.
template <typename T>
uint64_t HashBits(const T& value) {
  uint64_t words[2] = {0, 0};
  std::memcpy(words, &value, sizeof(T));
  uint64_t hash = words[0] * 0x9e3779b97f4a7c15ULL;
  // Differences in the upper half alone reach few of the highest bits, so it is folded in.
  hash ^= hash >> 32;
  if constexpr (sizeof(T) > 8) hash ^= words[1] * 0xc2b2ae3d27d4eb4fULL;
  return hash * 0x9e3779b97f4a7c15ULL;
}

/// Distinct values in order of appearance, and a hash table of their positions.
template <typename T>
class DistinctValues {
 public:
  DistinctValues() : slots_(size_t{1} << kFirstBits, 0) {}

  /// Returns the code of `value`; adds an entry at its first occurrence.
  uint32_t CodeOf(const T& value) {
    // Neighbours are often equal.
    if (!entries_.empty() && SameBits(entries_[last_], value)) {
      counts_[last_]++;
      return last_;
    }
    size_t slot = HashBits(value) >> shift_;
    while (slots_[slot] != 0 && !SameBits(entries_[slots_[slot] - 1], value)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    if (slots_[slot] == 0) {
      entries_.push_back(value);
      counts_.push_back(0);
      slots_[slot] = static_cast<uint32_t>(entries_.size());
      if (entries_.size() * 2 > slots_.size()) Grow();
      last_ = static_cast<uint32_t>(entries_.size() - 1);
    } else {
      last_ = slots_[slot] - 1;
    }
    counts_[last_]++;
    return last_;
  }

  const std::vector<T>& entries() const { return entries_; }
  /// Returns the number of entries that occurred once.
  size_t CountSingle() const {
    return static_cast<size_t>(std::count(counts_.begin(), counts_.end(), uint32_t{1}));
  }

 private:
  void Grow() {
    slots_.assign(slots_.size() * 4, 0);
    shift_ -= 2;
    for (size_t entry = 0; entry < entries_.size(); entry++) {
      size_t slot = HashBits(entries_[entry]) >> shift_;
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<uint32_t>(entry + 1);
    }
  }

  static constexpr unsigned kFirstBits = 8;

  std::vector<T> entries_;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> slots_;  // entry + 1, or 0 if unused
  unsigned shift_ = 64 - kFirstBits;
  uint32_t last_ = 0;
};

/// Computes the codes of a block's values, repeating the last one up to 1024. Returns false if the dictionary
/// has grown too large.
template <typename T>
bool Encode(const SegmentInput::Block& block, DistinctValues<T>& distinct, uint32_t* codes) {
  const T* values = reinterpret_cast<const T*>(block.values);
  for (size_t i = 0; i < block.count; i++) {
    const bool is_valid = block.validity == nullptr || TestValid(block.validity, i);
    codes[i] = is_valid ? distinct.CodeOf(values[i]) : kNullCode;
  }
  // Repeating a code of the block does not widen the range.
  std::fill(codes + block.count, codes + kVectorSize, codes[block.count - 1]);
  return distinct.entries().size() <= kMaxEntries;
}

bool HasNull(const SegmentInput& input) {
  return std::any_of(input.blocks.begin(), input.blocks.end(), [](const SegmentInput::Block& block) {
    return CountValid(block.validity, block.count) < block.count;
  });
}

struct CodeRange {
  uint32_t lowest;
  unsigned width;
};
CodeRange RangeOf(const KernelTable& kernels, const uint32_t* codes, size_t count) {
  // Codes are far below INT32_MAX, so the signed kernel serves.
  int32_t lowest = 0, highest = 0;
  kernels.min_max[static_cast<size_t>(KernelType::kInt32)](codes, count, &lowest, &highest);
  return {static_cast<uint32_t>(lowest), WidthOf(static_cast<uint64_t>(highest - lowest))};
}

template <typename T>
std::optional<CompressionEstimate> EstimateTyped(const SegmentInput& sample, size_t block_count) {
  const double scale = ScaleOfSample(sample, block_count);
  DistinctValues<T> distinct;
  uint32_t codes[kVectorSize];
  size_t values = 0;
  for (const SegmentInput::Block& block : sample.blocks) {
    if (!Encode(block, distinct, codes)) return std::nullopt;
    values += block.count;
    // If most values are distinct, a dictionary gains nothing.
    if (distinct.entries().size() * 2 > values + kVectorSize / 2) return std::nullopt;
  }
  // Each value that occurred once stands for others that the sample missed (Charikar et al., PODS 2000).
  const auto single = static_cast<double>(distinct.CountSingle());
  const double entries =
      static_cast<double>(distinct.entries().size()) + single * (std::max(scale, 1.0) - 1.0) * 0.5;
  if (entries > static_cast<double>(kMaxEntries)) return std::nullopt;
  const unsigned width = WidthOf(static_cast<uint64_t>(std::max(entries - 1, 0.0)) + HasNull(sample));
  double size = 0;
  for (const SegmentInput::Block& block : sample.blocks) {
    size += static_cast<double>(kBlockHeaderBytes + PackedBytes(width, block.count));
  }
  return CompressionEstimate{kHeaderBytes + entries * sizeof(T) + size * scale, 0.2};
}

template <typename T>
std::optional<CompressedSegment> CompressTyped(const SegmentInput& input) {
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  CompressedSegment segment{.encoding = Encoding::kDictionary};
  DistinctValues<T> distinct;
  // Codes are packed only when all blocks are known, since NULL's code comes last.
  std::vector<uint32_t> all_codes(input.blocks.size() * kVectorSize);
  for (size_t i = 0; i < input.blocks.size(); i++) {
    if (!Encode(input.blocks[i], distinct, &all_codes[i * kVectorSize])) return std::nullopt;
  }
  const auto null_code = static_cast<uint32_t>(distinct.entries().size());
  const bool has_null = HasNull(input);
  if (has_null) std::replace(all_codes.begin(), all_codes.end(), kNullCode, null_code);
  for (size_t i = 0; i < input.blocks.size(); i++) {
    const uint32_t* codes = &all_codes[i * kVectorSize];
    const size_t count = input.blocks[i].count;
    const CodeRange range = RangeOf(kernels, codes, count);
    AppendNumber(segment.bytes, static_cast<uint8_t>(range.width));
    AppendNumber(segment.bytes, range.lowest);
    AppendPacked(kernels, codes, 2, range.lowest, range.width, count, segment.bytes);
    EndBlock(input, segment);
  }
  AppendNumber(segment.header, null_code + has_null);
  AppendNumber(segment.header, static_cast<uint8_t>(has_null));
  AppendBytes(segment.header, std::as_bytes(std::span(distinct.entries())));
  return segment;
}

}  // namespace

std::optional<CompressionEstimate> EstimateFixedDictionary(const SegmentInput& sample, size_t block_count) {
  return VisitBits(sample.type, [&]<typename T>() -> std::optional<CompressionEstimate> {
    if constexpr (std::is_same_v<T, StringRef>) {
      return std::nullopt;
    } else {
      return EstimateTyped<T>(sample, block_count);
    }
  });
}

std::optional<CompressedSegment> CompressFixedDictionary(const SegmentInput& input) {
  return VisitBits(input.type, [&]<typename T>() -> std::optional<CompressedSegment> {
    if constexpr (std::is_same_v<T, StringRef>) {
      return std::nullopt;
    } else {
      return CompressTyped<T>(input);
    }
  });
}

}  // namespace scaup
