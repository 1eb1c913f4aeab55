// The method "FSST": strings of a segment as codes of a symbol table that the segment's header holds.
#include "common/throw.hpp"
#include "storage/compression/fsst_decoder.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "storage/compression/methods.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

// Layout. Header: the symbols (AppendFsstSymbols).
// Block: the strings' lengths (AppendStringLengths); the codes of all of them joined, to the block's end.
// A symbol may reach from one string into the next: strings are told apart by their lengths in the text.

namespace {

/// An estimate encodes this much of the sample.
constexpr size_t kEstimateBytes = 64 * 1024;

class Decoder final : public SegmentDecoder {
 public:
  explicit Decoder(std::span<const std::byte> header) : Decoder(EncodedReader(header)) {}

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>&, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    EncodedReader reader(block);
    uint32_t lengths[kVectorSize];
    const uint64_t size_bytes = ReadStringLengths(reader, count, lengths);
    const auto codes = reader.rest();
    // Before room is made for them: no code stands for more than eight bytes.
    if (size_bytes > uint64_t{codes.size()} * kFsstMaxSymbolBytes) {
      ThrowCorruptEncoding("strings longer than their FSST codes");
    }
    output.Reset();
    const size_t room = size_bytes + FsstDecoder::kWriteAheadBytes;
    char* text = output.AllocateString(room);
    decoder_.Decode(codes, text, size_bytes);
    MakeStringRefs({text, room}, lengths, count, output.MutableData<StringRef>());
  }
  size_t size_bytes() const override { return sizeof(*this); }

 private:
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
    for (const auto& block : input.blocks) {
      joined.Assign(block);
      AppendStringLengths(joined.lengths, segment.bytes);
      encoder.Encode(joined.AsBytes(), segment.bytes);
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
