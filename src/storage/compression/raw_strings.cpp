// Raw encoding of strings: concatenated; decoding copies none of their bytes.
#include "common/throw.hpp"
#include "storage/compression/raw.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

// Layout. There is no header. A block has the lengths of the strings (AppendStringLengths) and their bytes.

namespace {

class RawStringDecoder final : public SegmentDecoder {
 public:
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>& owner, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    EncodedReader reader(block);
    uint32_t lengths[kVectorSize];
    const uint64_t size_bytes = ReadStringLengths(reader, count, lengths);
    // Tested before the references are made, which rely on it.
    if (size_bytes != reader.rest().size()) ThrowCorruptEncoding("raw strings have a wrong size");
    output.Reset();
    MakeStringRefs({reinterpret_cast<const char*>(reader.rest().data()), size_bytes}, lengths, count,
                   output.MutableData<StringRef>());
    output.KeepAlive(owner);
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    JoinedBlockBytes joined(block);
    return GatherFrom(joined, count, rows, output, offset);
  }
  bool GatherFrom(BlockBytes& block, size_t count, std::span<const sel_t> rows, Vector& output,
                  size_t offset) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    // Only the lengths and the wanted strings are read.
    const auto head = block.Read(0, std::min(block.size(), MostStringLengthsBytes(count)));
    EncodedReader reader(head);
    const StringLengths lengths(reader, count);
    uint64_t at = head.size() - reader.rest().size();
    auto* strings = output.MutableData<StringRef>() + offset;
    size_t index = 0;
    for (const sel_t row : rows) {
      at += lengths.Sum(index, row);
      index = row;
      const uint64_t length = lengths[row];
      // Lengths come from the file; the sum must stay within the block.
      if (at + length > block.size()) ThrowCorruptEncoding("raw strings have a wrong size");
      const auto bytes = block.Read(at, length);
      *strings++ = output.AddString({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return true;
  }
  std::optional<BytePlace> PlaceOf(std::span<const std::byte> head, size_t count, sel_t row) const override {
    EncodedReader reader(head);
    const StringLengths lengths(reader, count);
    return BytePlace{head.size() - reader.rest().size() + lengths.Sum(0, row), lengths[row]};
  }
  void GatherRow(std::span<const std::byte>, size_t, sel_t, std::span<const std::byte> bytes, Vector& output,
                 size_t offset) const override {
    output.MutableData<StringRef>()[offset] =
        output.AddString({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
};

}  // namespace

std::optional<CompressedSegment> CompressRawStrings(const SegmentInput& input) {
  CompressedSegment segment;
  segment.encoding = Encoding::kRaw;
  JoinedStrings joined;
  for (const auto& block : input.blocks) {
    joined.Assign(block);
    AppendStringLengths(joined.lengths, segment.bytes);
    AppendBytes(segment.bytes, joined.AsBytes());
    if (!EndStringBlock(input, segment)) return std::nullopt;
  }
  return segment;
}

std::unique_ptr<SegmentDecoder> OpenRawStrings(std::span<const std::byte> header) {
  if (!header.empty()) ThrowCorruptEncoding("raw strings have no header");
  return std::make_unique<RawStringDecoder>();
}

}  // namespace scaup
