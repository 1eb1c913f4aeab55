// The FSST method: the strings of a segment as codes of a symbol table in the segment's header.
#include <algorithm>
#include <memory>

#include "common/throw.hpp"
#include "storage/compression/fsst_decoder.hpp"
#include "storage/compression/fsst_encoder.hpp"
#include "storage/compression/methods.hpp"
#include "storage/compression/string_lengths.hpp"
#include "storage/filter/element_test.hpp"
#include "type/packed_value.hpp"
#include "vector/string_search.hpp"

namespace scaup {

// Layout. The header has the symbols (AppendFsstSymbols). A block has: the lengths of the strings
// (AppendStringLengths); u8 number of strings per group, 1 to 16; the number of code bytes of each group (as
// lengths); the concatenated codes of all groups, up to the block's end. A symbol may extend from one string
// of a group into the next: strings are separated by their lengths in the text.

namespace {

/// An estimate encodes this much of the sample.
constexpr size_t kEstimateBytes = 64 * 1024;
/// The maximum number of strings in a group. To read a single string, the ones before it in its group must be
/// skipped. So a group has only as many strings as make some hundred bytes of text, which is enough to hide
/// the cost of storing the length of its codes.
constexpr size_t kMostGroupRows = 16;
constexpr size_t kGroupBytes = 128;
/// The lengths of a block lie within this many bytes of its beginning.
constexpr size_t kMostHeadBytes = 2 * MostStringLengthsBytes(kVectorSize) + 1;

size_t GroupRowsFor(const JoinedStrings& strings) {
  const size_t count = std::max<size_t>(1, strings.lengths.size());
  size_t rows = kMostGroupRows;
  while (rows > 1 && rows / 2 * strings.size_bytes >= kGroupBytes * count) rows /= 2;
  return rows;
}

/// The number of strings per group, and the number of code bytes of each group.
struct Groups {
  Groups(EncodedReader& reader, size_t count) : rows(ReadRows(reader)), code_bytes(reader, CountOf(count)) {}
  /// Returns the number of groups for `count` strings.
  size_t CountOf(size_t count) const { return (count + rows - 1) / rows; }
  static size_t ReadRows(EncodedReader& reader) {
    const size_t rows = reader.Read<uint8_t>();
    if (rows < 1 || rows > kMostGroupRows) ThrowCorruptEncoding("an FSST group of an impossible size");
    return rows;
  }
  size_t rows;
  StringLengths code_bytes;
};

class FsstSegmentDecoder final : public SegmentDecoder {
 public:
  explicit FsstSegmentDecoder(std::span<const std::byte> header)
      : FsstSegmentDecoder(EncodedReader(header)) {}

  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>&, Vector& output) const override {
    const Strings strings(block, count);
    output.Reset();
    char* text = output.AllocateString(strings.room());
    decoder_.Decode(strings.codes, text, strings.size_bytes);
    MakeStringRefs({text, strings.room()}, strings.lengths, count, output.MutableData<StringRef>());
  }
  /// Tests whether lists contain an element, without making values of lists that do not.
  bool Filter(std::span<const std::byte> block, size_t count, const KernelTable&, const ScanFilter& filter,
              uint8_t* mask) const override {
    const ElementTest* test = ElementTest::Of(filter);
    if (test == nullptr) return false;
    const Strings strings(block, count);
    const auto text = std::make_unique_for_overwrite<char[]>(strings.room());
    decoder_.Decode(strings.codes, text.get(), strings.size_bytes);
    test->EvaluateJoined({text.get(), strings.size_bytes}, {strings.lengths, count}, mask);
    return true;
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    JoinedBlockBytes joined(block);
    return GatherFrom(joined, count, rows, output, offset);
  }
  bool GatherFrom(BlockBytes& block, size_t count, std::span<const sel_t> rows, Vector& output,
                  size_t offset) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    static_assert(kMostHeadBytes <= kMostPlaceBytes);
    // Reads the lengths only; the codes of other groups stay unread.
    const auto head = block.Read(0, std::min(block.size(), kMostHeadBytes));
    EncodedReader reader(head);
    const StringLengths lengths(reader, count);
    const Groups groups(reader, count);
    uint64_t code_begin = head.size() - reader.rest().size();
    std::vector<char> text;
    for (size_t next_group = 0; !rows.empty();) {
      const size_t group = rows[0] / groups.rows, first = group * groups.rows;
      code_begin += groups.code_bytes.Sum(next_group, group);
      next_group = group;
      const uint64_t code_bytes = groups.code_bytes[group];
      // Lengths come from the file; the sum must stay within the block.
      if (code_begin + code_bytes > block.size()) ThrowCorruptEncoding("FSST codes of the wrong size");
      const auto behind = std::lower_bound(rows.begin(), rows.end(), first + groups.rows);
      const auto wanted = rows.first(static_cast<size_t>(behind - rows.begin()));
      GatherGroup(block.Read(code_begin, code_bytes), lengths, first, wanted, text, output, offset);
      offset += wanted.size();
      rows = rows.subspan(wanted.size());
    }
    return true;
  }
  std::optional<BytePlace> PlaceOf(std::span<const std::byte> head, size_t count, sel_t row) const override {
    EncodedReader reader(head);
    const StringLengths lengths(reader, count);
    const Groups groups(reader, count);
    const size_t group = row / groups.rows;
    return BytePlace{head.size() - reader.rest().size() + groups.code_bytes.Sum(0, group),
                     groups.code_bytes[group]};
  }
  void GatherRow(std::span<const std::byte> head, size_t count, sel_t row, std::span<const std::byte> bytes,
                 Vector& output, size_t offset) const override {
    EncodedReader reader(head);
    const StringLengths lengths(reader, count);
    const size_t group_rows = Groups::ReadRows(reader);
    std::vector<char> text;
    GatherGroup(bytes, lengths, row / group_rows * group_rows, {&row, 1}, text, output, offset);
  }
  size_t size_bytes() const override { return sizeof(*this); }

 private:
  /// A block's lengths and codes. Throws Error(kIo, XX001).
  struct Strings {
    Strings(std::span<const std::byte> block, size_t count) {
      SCAUP_ASSERT(count <= kVectorSize);
      EncodedReader reader(block);
      size_bytes = ReadStringLengths(reader, count, lengths);
      const Groups groups(reader, count);
      codes = reader.rest();
      if (groups.code_bytes.Sum(0, groups.CountOf(count)) != codes.size())
        ThrowCorruptEncoding("FSST codes of the wrong size");
      CheckSize(codes, size_bytes);
    }
    /// Returns the bytes that decoding may write to.
    size_t room() const { return size_bytes + FsstDecoder::kWriteAheadBytes; }
    uint64_t size_bytes;
    std::span<const std::byte> codes;
    uint32_t lengths[kVectorSize];
  };

  /// Decodes the strings of a group from the first to the last wanted one. `first` is the group's first
  /// string.
  void GatherGroup(std::span<const std::byte> codes, const StringLengths& all_lengths, size_t first,
                   std::span<const sel_t> wanted, std::vector<char>& text, Vector& output,
                   size_t offset) const {
    uint32_t lengths[kMostGroupRows];
    const size_t passed_bytes = all_lengths.Sum(first, wanted.front());
    const size_t kept = wanted.back() + 1 - wanted.front();
    const size_t kept_bytes = all_lengths.Read(wanted.front(), wanted.front() + kept, lengths);
    CheckSize(codes, uint64_t{passed_bytes} + kept_bytes);
    // Usually this buffer is large enough.
    char some_text[4096];
    char* target = some_text;
    const size_t room = FsstDecoder::MostPartBytes(kept_bytes);
    if (room > sizeof(some_text)) {
      text.resize(room);
      target = text.data();
    }
    target += decoder_.DecodePart(codes, passed_bytes, target, kept_bytes);
    GatherStrings({target, kept_bytes}, {lengths, kept}, wanted, wanted.front(), output, offset);
  }
  /// Checked before memory is allocated: a code stands for at most eight bytes.
  static void CheckSize(std::span<const std::byte> codes, uint64_t size_bytes) {
    if (size_bytes > uint64_t{codes.size()} * kFsstMaxSymbolBytes)
      ThrowCorruptEncoding("strings longer than their FSST codes");
  }

  explicit FsstSegmentDecoder(EncodedReader&& reader) : decoder_(reader) {
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
    // Without text there are no symbols to learn.
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
    return std::make_unique<FsstSegmentDecoder>(header);
  }

 private:
  static constexpr double kNanosecondsPerString = 1.5;
  static constexpr double kNanosecondsPerByte = 0.3;

  /// Returns nullopt beyond the 4 GiB limit of a segment.
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
      const size_t group_rows = GroupRowsFor(joined);
      AppendNumber(segment.bytes, static_cast<uint8_t>(group_rows));
      codes.clear();
      group_bytes.clear();
      auto text = joined.AsBytes();
      for (size_t first = 0; first < joined.lengths.size(); first += group_rows) {
        const size_t end = std::min(first + group_rows, joined.lengths.size());
        size_t size_bytes = 0;
        for (size_t i = first; i < end; i++) size_bytes += joined.lengths[i];
        const size_t before = codes.size();
        // Each group is encoded on its own, so that it can be decoded on its own.
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
  static const Method& method = *new Method;  // Never destroyed, see CONTRIBUTING.md.
  return method;
}

}  // namespace scaup
