// The encodings of a column on disk: what every compression method does, and the list of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/compression/encoded_bytes.hpp"
#include "type/scan_filter.hpp"
#include "vector/kernel_table.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// How the values of a segment are kept. The numbers are in files and never change.
enum class Encoding : uint8_t {
  kConstant = 1,          ///< every value of a block is the same
  kRunLength = 2,         ///< runs of equal values
  kFrameOfReference = 3,  ///< differences to the block's minimum, bit-packed in FastLanes' layout
  kDelta = 4,             ///< differences between neighbours, bit-packed in FastLanes' layout
  kDictionary = 5,        ///< bit-packed codes into a dictionary of the segment
  kFsst = 6,              ///< strings by a table of up to 255 symbols (Boncz, Neumann, Leis, VLDB 2020)
  kAlp = 7,               ///< doubles as decimals (Afroozeh, Kuffo, Boncz, SIGMOD 2023)
  kRaw = 8,               ///< as in memory; strings as offsets and bytes
};

/// "constant", "run length", ... as PRAGMA storage_info shows them.
std::string_view EncodingName(Encoding encoding);

/// One column of a row group to be compressed: blocks of 1024 values, of which only the last may be shorter.
/// Borrowed. Values that are NULL may hold anything; a method chooses what costs it least, and what it gives
/// back for them is unspecified (strings: valid to read). A block that is all NULL is not given to a method.
struct SegmentInput {
  struct Block {
    const std::byte* values = nullptr;       ///< `count` values as in a flat vector; strings as StringRef
    const ValidityWord* validity = nullptr;  ///< null: no NULLs
    uint32_t count = 0;
  };
  PhysicalType type;
  std::vector<Block> blocks;
};

/// A compressed segment. Blocks stand one after the other in `bytes`; every one decodes without the others.
struct CompressedSegment {
  Encoding encoding = Encoding::kRaw;
  std::vector<std::byte> header;     ///< what all blocks share, such as a dictionary; may be empty
  std::vector<std::byte> bytes;      ///< the blocks
  std::vector<uint32_t> block_ends;  ///< by block of the input: where it ends in `bytes`
};

/// The estimated result of a method for a segment, judged from a sample.
struct CompressionEstimate {
  double size_bytes = 0;          ///< of the whole segment
  double decode_nanoseconds = 0;  ///< for one value, roughly
};

/// Where in a block something is.
struct BytePlace {
  uint64_t begin = 0;
  uint64_t size_bytes = 0;
};
/// Where a row's value is, a block's first bytes tell: so many at most.
inline constexpr size_t kMostPlaceBytes = 8 * kVectorSize + 16;

/// Reads the blocks of one segment. Immutable and thread-safe; keeps what it made of the segment's header.
class SegmentDecoder {
 public:
  virtual ~SegmentDecoder() = default;
  /// Makes `output` (after Release or Reset) the block's `count` values: flat, or a constant or dictionary
  /// vector where the encoding gives one, without NULLs: those the caller lays over it (but see
  /// encodes_nulls). `owner` keeps `block` alive and may be kept by `output`, so that strings need no copy.
  /// Throws Error(kIo, XX001) when the bytes cannot be a block of this encoding: never reads outside them.
  virtual void Decode(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                      const std::shared_ptr<const void>& owner, Vector& output) const = 0;
  /// Puts the values of some rows of the block, whose numbers ascend, into `output` from row `offset` on,
  /// which is flat and has room; bytes of strings are copied. What it costs hangs on `rows`, not on `count`.
  /// NULLs are the caller's matter, but see encodes_nulls. False: the encoding cannot; decode instead.
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
  /// Which bytes of a block hold the value of row `row`, as `head` tells: the block, or kMostPlaceBytes of
  /// its beginning. None: the encoding does not say.
  virtual std::optional<BytePlace> PlaceOf(std::span<const std::byte> head, size_t count, sel_t row) const {
    (void)head, (void)count, (void)row;
    return std::nullopt;
  }
  /// Gather of that row. `bytes`: those.
  virtual void GatherRow(std::span<const std::byte> head, size_t count, sel_t row,
                         std::span<const std::byte> bytes, Vector& output, size_t offset) const {
    (void)head, (void)count, (void)row, (void)bytes, (void)output, (void)offset;
    ThrowCorruptEncoding("an encoding that does not say where its values are");
  }
  /// mask[row] = 1 where the value passes `filter` (never a NULL test), else 0, without
  /// decoding all of the block. False: the encoding cannot; decode instead. NULLs are the caller's matter.
  virtual bool Filter(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                      const ScanFilter& filter, uint8_t* mask) const {
    (void)block, (void)count, (void)kernels, (void)filter, (void)mask;
    return false;
  }
  /// The dictionary that vectors of Decode refer to; null where there is none.
  virtual const Dictionary* dictionary() const { return nullptr; }
  /// True where that dictionary has an entry for NULL (its last, and marked in its validity) and rows that
  /// are NULL refer to it: then the caller lays no NULLs over a dictionary vector.
  virtual bool encodes_nulls() const { return false; }
  /// mask[row] = entry_mask[code of row], where entry_mask says of every entry of dictionary() whether it
  /// passes a filter: what serves all blocks is then evaluated once. False: the encoding cannot.
  virtual bool FilterByEntries(std::span<const std::byte> block, size_t count, const KernelTable& kernels,
                               const uint8_t* entry_mask, uint8_t* mask) const {
    (void)block, (void)count, (void)kernels, (void)entry_mask, (void)mask;
    return false;
  }
  /// Bytes of memory that this decoder holds besides the header.
  virtual size_t size_bytes() const { return 0; }
};

/// One encoding. Stateless and thread-safe; there is one object of each.
class CompressionMethod {
 public:
  virtual ~CompressionMethod() = default;
  virtual Encoding encoding() const = 0;
  virtual bool Supports(PhysicalType type) const = 0;
  /// Estimates the cost, from `sample`, some blocks of a segment of `block_count`; nullopt where the method
  /// cannot represent the values, or is not worth trying.
  virtual std::optional<CompressionEstimate> Estimate(const SegmentInput& sample,
                                                      size_t block_count) const = 0;
  /// Compresses all blocks; nullopt where it turns out that it cannot (a dictionary that grew too large).
  virtual std::optional<CompressedSegment> Compress(const SegmentInput& input) const = 0;
  /// Throws Error(kIo, XX001) for a header that no Compress made.
  virtual std::unique_ptr<SegmentDecoder> Open(PhysicalType type,
                                               std::span<const std::byte> header) const = 0;
};

/// All methods by ascending number.
std::span<const CompressionMethod* const> AllCompressionMethods();
/// By the name that EncodingName gives, in lower case; nullopt for other text.
std::optional<Encoding> EncodingFromName(std::string_view name);
/// Null for a number that no method has.
const CompressionMethod* FindCompressionMethod(Encoding encoding);

/// Chooses by sample and compresses: the compression advisor. The score is size weighed against the cost of
/// decoding (Harizopoulos et al., VLDB 2006, section 4). `forced`: that encoding where it can represent the
/// values, else what the advisor thinks best.
CompressedSegment CompressSegment(const SegmentInput& input, std::optional<Encoding> forced = std::nullopt);

}  // namespace scaup
