// Encodes dictionaries of strings: distinct strings by first appearance, codes bit-packed.
#include "storage/compression/string_dictionary.hpp"

#include <algorithm>
#include <cmath>

#include "storage/compression/bit_packing.hpp"
#include "storage/compression/block_values.hpp"
#include "storage/compression/dictionary.hpp"
#include "storage/compression/distinct_strings.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

namespace {

/// If a larger share of a sample occurs only once, codes save little.
constexpr double kMaxSingleShare = 0.5;
/// Less text than this is not worth a symbol table.
constexpr size_t kLeastFsstBytes = 4096;
/// FSST must compress the text at least to this ratio.
constexpr double kMaxFsstRatio = 0.8;
constexpr double kDecodeNanoseconds = 0.2;

bool IsNull(const SegmentInput::Block& block, size_t row) {
  return block.validity != nullptr && !TestValid(block.validity, row);
}

bool HasNulls(const SegmentInput& input) {
  return std::any_of(input.blocks.begin(), input.blocks.end(), [](const SegmentInput::Block& block) {
    return CountValid(block.validity, block.count) != block.count;
  });
}

/// Frequencies of the strings in a sample.
struct SampleCounts {
  size_t rows = 0;
  size_t distinct = 0;
  size_t single = 0;          ///< that occur once
  size_t distinct_bytes = 0;  ///< of all distinct strings
};

SampleCounts CountSample(const SegmentInput& sample) {
  SampleCounts counts;
  DistinctStrings distinct;
  std::vector<uint32_t> occurrences;
  for (const auto& block : sample.blocks) {
    const auto* strings = reinterpret_cast<const StringRef*>(block.values);
    counts.rows += block.count;
    for (size_t row = 0; row < block.count; row++) {
      if (IsNull(block, row)) continue;
      const uint32_t code = distinct.CodeOf(strings[row]);
      if (code == occurrences.size()) occurrences.push_back(0);
      occurrences[code]++;
    }
  }
  counts.distinct = occurrences.size();
  counts.single = static_cast<size_t>(std::count(occurrences.begin(), occurrences.end(), 1u));
  for (const StringRef& string : distinct.strings()) counts.distinct_bytes += string.size();
  return counts;
}

/// Writes the header; the layout is in string_dictionary.hpp.
std::vector<std::byte> MakeHeader(const std::vector<StringRef>& entries, bool has_null) {
  std::vector<std::byte> header;
  JoinedStrings joined;
  joined.Assign(entries);
  std::vector<std::byte> compressed;
  if (joined.size_bytes >= kLeastFsstBytes) {
    SegmentInput input{PhysicalType::kString, {}};
    for (size_t row = 0; row < entries.size(); row += kVectorSize) {
      const auto count = static_cast<uint32_t>(std::min(kVectorSize, entries.size() - row));
      input.blocks.push_back({reinterpret_cast<const std::byte*>(entries.data() + row), nullptr, count});
    }
    const FsstEncoder encoder = TrainFsst(input);
    AppendFsstSymbols(encoder.symbols(), compressed);
    encoder.Encode(joined.AsBytes(), compressed);
  }
  // Decoding FSST costs time whenever the segment is opened, so a small gain does not pay.
  const bool use_fsst =
      joined.size_bytes >= kLeastFsstBytes &&
      static_cast<double>(compressed.size()) < kMaxFsstRatio * static_cast<double>(joined.size_bytes);
  AppendNumber(header, static_cast<uint32_t>(entries.size() + has_null));
  AppendNumber(header, static_cast<uint8_t>((has_null ? StringDictionaryLayout::kHasNull : 0) |
                                            (use_fsst ? StringDictionaryLayout::kUsesFsst : 0)));
  AppendStringLengths(joined.lengths, header);
  AppendBytes(header, use_fsst ? std::span<const std::byte>(compressed) : joined.AsBytes());
  return header;
}

}  // namespace

std::optional<CompressionEstimate> EstimateStringDictionary(const SegmentInput& sample, size_t block_count) {
  const SampleCounts counts = CountSample(sample);
  if (counts.distinct == 0) return std::nullopt;
  const auto sampled = static_cast<double>(counts.rows);
  const auto rows = sampled * static_cast<double>(block_count) / static_cast<double>(sample.blocks.size());
  const auto single = static_cast<double>(counts.single);
  // A sample that covers the segment needs no extrapolation.
  if (single > kMaxSingleShare * sampled && rows > sampled) return std::nullopt;
  // Charikar et al.'s estimator: strings that occurred once stand for more like them.
  const auto distinct = static_cast<double>(counts.distinct);
  const double expected = std::sqrt(rows / sampled) * single + (distinct - single);
  if (expected > static_cast<double>(kMaxStringEntries)) return std::nullopt;
  const double entry_bytes = 1 + static_cast<double>(counts.distinct_bytes) / distinct;
  const double code_bits = std::ceil(std::log2(expected + 1));
  return CompressionEstimate{.size_bytes = expected * entry_bytes + rows * code_bits / 8,
                             .decode_nanoseconds = kDecodeNanoseconds};
}

std::optional<CompressedSegment> CompressStringDictionary(const SegmentInput& input) {
  const bool has_null = HasNulls(input);
  DistinctStrings distinct;
  // NULL's code is known only when all strings are.
  constexpr uint32_t kNullCode = UINT32_MAX;
  std::vector<uint32_t> codes(input.blocks.size() * kVectorSize, 0);
  for (size_t i = 0; i < input.blocks.size(); i++) {
    const auto& block = input.blocks[i];
    const auto* strings = reinterpret_cast<const StringRef*>(block.values);
    uint32_t* block_codes = codes.data() + i * kVectorSize;
    for (size_t row = 0; row < block.count; row++) {
      block_codes[row] = IsNull(block, row) ? kNullCode : distinct.CodeOf(strings[row]);
    }
    if (distinct.strings().size() + has_null > kMaxStringEntries) return std::nullopt;
  }
  CompressedSegment segment;
  segment.encoding = Encoding::kDictionary;
  segment.header = MakeHeader(distinct.strings(), has_null);
  const auto null_code = static_cast<uint32_t>(distinct.strings().size());
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  for (size_t i = 0; i < input.blocks.size(); i++) {
    const size_t count = input.blocks[i].count;
    uint32_t* block_codes = codes.data() + i * kVectorSize;
    std::replace(block_codes, block_codes + count, kNullCode, null_code);
    const auto [lowest, highest] = std::minmax_element(block_codes, block_codes + count);
    const uint32_t base = *lowest;
    const unsigned width = WidthOf(*highest - base);
    // Repeats the base behind the end of a short block; it packs to zero.
    std::fill(block_codes + count, block_codes + kVectorSize, base);
    AppendNumber(segment.bytes, static_cast<uint8_t>(width));
    AppendNumber(segment.bytes, base);
    AppendPacked(kernels, block_codes, 2, base, width, count, segment.bytes);
    EndBlock(input, segment);
  }
  return segment;
}

}  // namespace scaup
