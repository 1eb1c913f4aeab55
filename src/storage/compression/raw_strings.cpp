// Strings as they are, one behind the other: decoding copies none of their bytes.
#include "common/throw.hpp"
#include "storage/compression/raw.hpp"
#include "storage/compression/string_lengths.hpp"

namespace scaup {

// Layout. No header. Block: the strings' lengths (AppendStringLengths); their bytes.

namespace {

class Decoder final : public SegmentDecoder {
 public:
  void Decode(std::span<const std::byte> block, size_t count, const KernelTable&,
              const std::shared_ptr<const void>& owner, Vector& output) const override {
    SCAUP_ASSERT(count <= kVectorSize);
    EncodedReader reader(block);
    uint32_t lengths[kVectorSize];
    const uint64_t size_bytes = ReadStringLengths(reader, count, lengths);
    if (size_bytes != reader.rest().size()) ThrowCorruptEncoding("raw strings have a wrong size");
    output.Reset();
    MakeStringRefs({reinterpret_cast<const char*>(reader.rest().data()), size_bytes}, lengths, count,
                   output.MutableData<StringRef>());
    output.KeepAlive(owner);
  }
  bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows, Vector& output,
              size_t offset) const override {
    EncodedReader reader(block);
    uint32_t lengths[kVectorSize];
    const uint64_t size_bytes = ReadStringLengths(reader, count, lengths);
    if (size_bytes != reader.rest().size()) ThrowCorruptEncoding("raw strings have a wrong size");
    GatherStrings({reinterpret_cast<const char*>(reader.rest().data()), size_bytes}, {lengths, count}, rows,
                  0, output, offset);
    return true;
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
  return std::make_unique<Decoder>();
}

}  // namespace scaup
