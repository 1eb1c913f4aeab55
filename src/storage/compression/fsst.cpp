// The method "FSST": strings of a segment as codes of a symbol table that the segment's header holds.
#include <algorithm>

#include "common/throw.hpp"
#include "storage/compression/fsst_decoder.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "storage/compression/methods.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

// Layout. Header: the symbols (AppendFsstSymbols).
// Block: the strings' lengths (AppendStringLengths); how many bytes the codes of each group of 16 strings
// take (the same); the codes of all of them joined, to the block's end. A symbol may reach from one string
// into the next of its group: strings are told apart by their lengths in the text.

namespace {

/// An estimate encodes this much of the sample.
constexpr size_t kEstimateBytes = 64 * 1024;
/// Who wants a single string decodes its group.
constexpr size_t kGroupRows = 16;
constexpr size_t kMostGroups = kVectorSize / kGroupRows;

class Decoder final : public SegmentDecoder {
 public:
  explicit Decoder(std::span<const std::byte> header) : Decoder(EncodedReader(header)) {}

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>&, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    EncodedReader reader(block);
    uint32_t lengths[kVectorSize], group_bytes[kMostGroups];
    const uint64_t size_bytes = ReadStringLengths(reader, count, lengths);
    const auto codes = TakeCodes(reader, count, group_bytes);
    CheckSize(codes, size_bytes);
    output.Reset();
    const size_t room = size_bytes + FsstDecoder::kWriteAheadBytes;
    char* text = output.AllocateString(room);
    decoder_.Decode(codes, text, size_bytes);
    MakeStringRefs({text, room}, lengths, count, output.MutableData<StringRef>());
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    EncodedReader reader(block);
    const StringLengths all_lengths(reader, count);
    uint32_t group_bytes[kMostGroups];
    const auto all_codes = TakeCodes(reader, count, group_bytes);
    std::vector<char> text;
    size_t code_begin = 0;
    for (size_t group = 0; group * kGroupRows < count && !rows.empty(); group++) {
      const size_t first = group * kGroupRows, end = std::min(first + kGroupRows, count);
      const auto codes = all_codes.subspan(code_begin, group_bytes[group]);
      code_begin += codes.size();
      if (rows[0] >= end) continue;
      const auto wanted =
          rows.first(static_cast<size_t>(std::lower_bound(rows.begin(), rows.end(), end) - rows.begin()));
      uint32_t lengths[kGroupRows];
      const uint64_t size_bytes = all_lengths.Read(first, end, lengths);
      CheckSize(codes, size_bytes);
      text.resize(size_bytes + FsstDecoder::kWriteAheadBytes);
      decoder_.Decode(codes, text.data(), size_bytes);
      GatherStrings(text, {lengths, end - first}, wanted, first, output, offset);
      offset += wanted.size();
      rows = rows.subspan(wanted.size());
    }
    return true;
  }
  size_t size_bytes() const override { return sizeof(*this); }

 private:
  /// What stands behind the strings' lengths: sizes of the groups, and their codes.
  static std::span<const std::byte> TakeCodes(EncodedReader& reader, size_t count, uint32_t* group_bytes) {
    const uint64_t code_bytes = ReadStringLengths(reader, (count + kGroupRows - 1) / kGroupRows, group_bytes);
    if (code_bytes != reader.rest().size()) ThrowCorruptEncoding("FSST codes of the wrong size");
    return reader.rest();
  }
  /// Before room is made for them: no code stands for more than eight bytes.
  static void CheckSize(std::span<const std::byte> codes, uint64_t size_bytes) {
    if (size_bytes > uint64_t{codes.size()} * kFsstMaxSymbolBytes)
      ThrowCorruptEncoding("strings longer than their FSST codes");
  }

  explicit Decoder(EncodedReader&& reader) : decoder_(reader) {
    if (!reader.rest().empty()) ThrowCorruptEncoding("an FSST header with more than symbols");
  }

  FsstDecoder decoder_;
};

class Method final : public CompressionMethod {
 public:
  Encoding encoding() const override { return Encoding::kFsst; }
  bool Supports(PhysicalType type) const override { return type == PhysicalType::kString; }

  std::optional<CompressionEstimate> Estimate(const SegmentInput& sample, size_t block_count) const override {
    SegmentInput tried{sample.type, {}};
    size_t text_bytes = 0;
    JoinedStrings joined;
    for (const auto& block : sample.blocks) {
      if (text_bytes >= kEstimateBytes) break;
      joined.Assign(block);
      text_bytes += joined.size_bytes;
      tried.blocks.push_back(block);
    }
    if (text_bytes == 0) return std::nullopt;
    const FsstEncoder encoder = TrainFsst(sample);
    const auto compressed = CompressWith(encoder, tried);
    if (!compressed) return std::nullopt;
    size_t row_count = 0;
    for (const auto& block : tried.blocks) row_count += block.count;
    CompressionEstimate estimate;
    estimate.size_bytes = static_cast<double>(compressed->header.size()) +
                          static_cast<double>(compressed->bytes.size()) * static_cast<double>(block_count) /
                              static_cast<double>(tried.blocks.size());
    estimate.decode_nanoseconds = kNanosecondsPerString + kNanosecondsPerByte *
                                                              static_cast<double>(text_bytes) /
                                                              static_cast<double>(row_count);
    return estimate;
  }

  std::optional<CompressedSegment> Compress(const SegmentInput& input) const override {
    return CompressWith(TrainFsst(input), input);
  }

  std::unique_ptr<SegmentDecoder> Open(PhysicalType, std::span<const std::byte> header) const override {
    return std::make_unique<Decoder>(header);
  }

 private:
  static constexpr double kNanosecondsPerString = 1.5;
  static constexpr double kNanosecondsPerByte = 0.3;

  /// Nullopt past the 4 GiB that a segment can have.
  static std::optional<CompressedSegment> CompressWith(const FsstEncoder& encoder,
                                                       const SegmentInput& input) {
    CompressedSegment segment;
    segment.encoding = Encoding::kFsst;
    AppendFsstSymbols(encoder.symbols(), segment.header);
    JoinedStrings joined;
    std::vector<std::byte> codes;
    std::vector<uint32_t> group_bytes;
    for (const auto& block : input.blocks) {
      joined.Assign(block);
      AppendStringLengths(joined.lengths, segment.bytes);
      codes.clear();
      group_bytes.clear();
      auto text = joined.AsBytes();
      for (size_t first = 0; first < joined.lengths.size(); first += kGroupRows) {
        const size_t end = std::min(first + kGroupRows, joined.lengths.size());
        size_t size_bytes = 0;
        for (size_t i = first; i < end; i++) size_bytes += joined.lengths[i];
        const size_t before = codes.size();
        encoder.Encode(text.first(size_bytes), codes);
        text = text.subspan(size_bytes);
        group_bytes.push_back(static_cast<uint32_t>(codes.size() - before));
      }
      AppendStringLengths(group_bytes, segment.bytes);
      AppendBytes(segment.bytes, codes);
      if (!EndStringBlock(input, segment)) return std::nullopt;
    }
    return segment;
  }
};

}  // namespace

const CompressionMethod& FsstMethod() {
  static const Method method;
  return method;
}

}  // namespace scaup
