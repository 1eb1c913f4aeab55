// The interface of compression methods for column segments, and their registry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/encoding.hpp"
#include "storage/compression/encoded_bytes.hpp"
#include "type/scan_filter.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A column of a row group to be compressed, in blocks of 1024 values; only the last block may be shorter.
/// Borrowed. NULL values may hold anything: a method encodes whatever costs least, and decoding returns
/// unspecified values for them, though strings must be valid to read. Blocks of only NULLs are not passed to
/// a method.
struct SegmentInput {
  struct Block {
    const std::byte* values = nullptr;       ///< `count` values as in a flat vector; strings as StringRef
    const ValidityWord* validity = nullptr;  ///< null if there are no NULLs
    uint32_t count = 0;
  };
  PhysicalType type;
  std::vector<Block> blocks;
};

/// A compressed segment. The blocks are consecutive in `bytes`, and each can be decoded without the others.
struct CompressedSegment {
  Encoding encoding = Encoding::kRaw;
  std::vector<std::byte> header;     ///< shared by all blocks, such as a dictionary; may be empty
  std::vector<std::byte> bytes;      ///< of all blocks
  std::vector<uint32_t> block_ends;  ///< end of each block in `bytes`
};

/// The estimated result of a method for a segment, based on a sample.
struct CompressionEstimate {
  double size_bytes = 0;          ///< of the whole segment
  double decode_nanoseconds = 0;  ///< for one value, approximately
};

/// A range of bytes within a block.
struct BytePlace {
  uint64_t begin = 0;
  uint64_t size_bytes = 0;
};
/// A row's value can be located from at most this many bytes at the beginning of its block.
inline constexpr size_t kMostPlaceBytes = 8 * kVectorSize + 16;

/// Decodes the blocks of one segment. Immutable and thread-safe; owns what it has made of the segment's
/// header.
class SegmentDecoder {
 public:
  virtual ~SegmentDecoder() = default;
  /// Decodes the block's `count` values into `output`, which must be released or reset. The result is flat,
  /// or a constant or dictionary vector where the encoding gives one. It has no NULLs, which the caller adds
  /// (but see encodes_nulls). `owner` keeps `block` alive; `output` may retain it, so that strings need no
  /// copy.
  /// Throws Error(kIo, XX001) if the bytes cannot be a block of this encoding. Never reads outside of them.
  virtual void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                      const std::shared_ptr<const void>& owner, Vector& output) const = 0;
  /// Decodes some rows of the block, in ascending order, into the flat `output` from row `offset` on; string
  /// bytes are copied. The cost depends on `rows` rather than `count`. NULLs are the caller's, but see
  /// encodes_nulls. Returns false if the encoding does not support this; the caller then decodes the block.
  virtual bool Gather(std::span<const std::byte> block, size_t count, std::span<const sel_t> rows,
                      Vector& output, size_t offset) const {
    (void)block, (void)count, (void)rows, (void)output, (void)offset;
    return false;
  }
  /// Gathers rows of a block that need not be read as a whole.
  virtual bool GatherFrom(BlockBytes& block, size_t count, std::span<const sel_t> rows, Vector& output,
                          size_t offset) const {
    return Gather(block.Read(0, block.size()), count, rows, output, offset);
  }
  /// Returns the bytes of the block that hold the value of row `row`. `head` is the block, or kMostPlaceBytes
  /// of its beginning. Returns nullopt if the encoding cannot tell.
  virtual std::optional<BytePlace> PlaceOf(std::span<const std::byte> head, size_t count, sel_t row) const {
    (void)head, (void)count, (void)row;
    return std::nullopt;
  }
  /// Gathers that row; `bytes` are those that PlaceOf has returned.
  virtual void GatherRow(std::span<const std::byte> head, size_t count, sel_t row,
                         std::span<const std::byte> bytes, Vector& output, size_t offset) const {
    (void)head, (void)count, (void)row, (void)bytes, (void)output, (void)offset;
    ThrowCorruptEncoding("an encoding that does not say where its values are");
  }
  /// Sets mask[row] to 1 if the value passes `filter`, else to 0, without decoding the whole block. `filter`
  /// is never a NULL test. Returns false if the encoding does not support this; the caller then decodes the
  /// block. NULLs are the caller's.
  virtual bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                      const ScanFilter& filter, uint8_t* mask) const {
    (void)block, (void)count, (void)kernels, (void)filter, (void)mask;
    return false;
  }
  /// Returns the dictionary that decoded vectors refer to; null if there is none.
  virtual const Dictionary* dictionary() const { return nullptr; }
  /// Returns true if that dictionary has an entry for NULL, its last one, marked in its validity, to which
  /// NULL rows refer. The caller then adds no NULLs to a dictionary vector.
  virtual bool encodes_nulls() const { return false; }
  /// Sets mask[row] to entry_mask[code of row], where entry_mask tells for each dictionary entry whether it
  /// passes a filter. So the filter is evaluated once for all blocks. Returns false if the encoding does not
  /// support this.
  virtual bool FilterByEntries(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                               const uint8_t* entry_mask, uint8_t* mask) const {
    (void)block, (void)count, (void)kernels, (void)entry_mask, (void)mask;
    return false;
  }
  /// Returns the bytes of memory that the decoder owns besides the header.
  virtual size_t size_bytes() const { return 0; }
};

/// One encoding. Stateless and thread-safe; each has a single object.
class CompressionMethod {
 public:
  virtual ~CompressionMethod() = default;
  virtual Encoding encoding() const = 0;
  virtual bool Supports(PhysicalType type) const = 0;
  /// Estimates size and decoding cost from `sample`, some blocks of a segment of `block_count`. Returns
  /// nullopt if the method cannot represent the values or is not worth trying.
  virtual std::optional<CompressionEstimate> Estimate(const SegmentInput& sample,
                                                      size_t block_count) const = 0;
  /// Compresses all blocks. Returns nullopt if it turns out to be impossible, as for a dictionary that grew
  /// too large.
  virtual std::optional<CompressedSegment> Compress(const SegmentInput& input) const = 0;
  /// Opens a decoder. Throws Error(kIo, XX001) for a header that Compress cannot have made.
  virtual std::unique_ptr<SegmentDecoder> Open(PhysicalType type,
                                               std::span<const std::byte> header) const = 0;
};

/// Returns all methods, ascending by number.
std::span<const CompressionMethod* const> AllCompressionMethods();
/// Returns null for a number that no method has.
const CompressionMethod* FindCompressionMethod(Encoding encoding);

/// Compresses a segment by the method that the compression advisor chooses from a sample. The score weighs
/// size against decoding cost (Harizopoulos et al., VLDB 2006, section 4). `forced` is used if it can
/// represent the values; otherwise the advisor decides.
CompressedSegment CompressSegment(const SegmentInput& input, std::optional<Encoding> forced = std::nullopt);

}  // namespace scaup
