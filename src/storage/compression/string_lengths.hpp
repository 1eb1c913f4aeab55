// The lengths of a block's strings, shared by all string encodings, and StringRefs made from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "storage/compression/compression.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

/// The strings of a block, concatenated, with NULLs as empty strings. Reused for many blocks.
struct JoinedStrings {
  /// This many bytes may be read behind the last string, so that readers can take eight at a time.
  static constexpr size_t kReadAheadBytes = 8;

  std::vector<char> bytes;  ///< size_bytes bytes, then kReadAheadBytes zeros
  std::vector<uint32_t> lengths;
  size_t size_bytes = 0;

  void Assign(const SegmentInput::Block& block);
  void Assign(std::span<const StringRef> strings);
  std::span<const std::byte> AsBytes() const {
    return {reinterpret_cast<const std::byte*>(bytes.data()), size_bytes};
  }
};

/// Ends a block of `input` in `segment`. Returns false beyond the 4 GiB limit of a segment.
bool EndStringBlock(const SegmentInput& input, CompressedSegment& segment);

/// Appends lengths. Layout: u32 least length; u8 bytes per length (0, 1, 2 or 4); the lengths minus the
/// least.
void AppendStringLengths(std::span<const uint32_t> lengths, std::vector<std::byte>& bytes);
/// Returns the maximum number of bytes that AppendStringLengths writes.
constexpr size_t MostStringLengthsBytes(size_t count) {
  return sizeof(uint32_t) + 1 + count * sizeof(uint32_t);
}
/// Lengths that AppendStringLengths wrote, for readers that need only some of them. Refers to the reader's
/// bytes.
class StringLengths {
 public:
  /// Takes `count` lengths from the reader. Throws Error(kIo, XX001).
  StringLengths(EncodedReader& reader, size_t count);
  /// Reads lengths [begin, end); returns their sum. Throws Error(kIo, XX001).
  uint64_t Read(size_t begin, size_t end, uint32_t* lengths) const;
  /// Returns the sum of lengths [begin, end).
  uint64_t Sum(size_t begin, size_t end) const;
  uint64_t operator[](size_t index) const;

 private:
  uint32_t least_;
  uint8_t width_;
  const std::byte* bytes_;
};
/// Reads `count` lengths; returns their sum. Throws Error(kIo, XX001).
uint64_t ReadStringLengths(EncodedReader& reader, size_t count, uint32_t* lengths);

/// Makes StringRefs to strings that are concatenated in `bytes`. The bytes must not move as long as strings
/// that are too long to be inline are in use. REQUIRES: the lengths' sum is at most bytes.size(). It is
/// fastest if a few bytes more can be read behind the last string.
void MakeStringRefs(std::span<const char> bytes, const uint32_t* lengths, size_t count, StringRef* strings);

/// Copies the strings of some rows to `output` from row `offset` on. `bytes` has the concatenated strings of
/// row `first_row` and following, and `lengths` their lengths; `rows` ascend.
/// REQUIRES: the lengths' sum is at most bytes.size().
void GatherStrings(std::span<const char> bytes, std::span<const uint32_t> lengths,
                   std::span<const sel_t> rows, size_t first_row, Vector& output, size_t offset);

}  // namespace scaup
