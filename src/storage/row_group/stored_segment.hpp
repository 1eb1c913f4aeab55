// StoredSegment: a segment in the file, in compressed blocks that are located by metadata in memory.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/buffer/block_store.hpp"
#include "storage/compression/compression.hpp"
#include "storage/row_group/column_segment.hpp"

namespace scaup {

/// The metadata for reading a segment.
struct SegmentMetadata {
  struct Block {
    uint32_t end = 0;  ///< end of its bytes, relative to the end of the segment's header
    ZoneMap zone;
  };
  Encoding encoding = Encoding::kConstant;
  uint32_t header_bytes = 0;  ///< the header, shared by all blocks, stands first
  ZoneMap zone;
  std::vector<Block> blocks;
  Extents extents;

  /// Writes the bytes that docs/file-format.md describes.
  void Write(PhysicalType type, ByteWriter& writer) const;
  /// Reads them; `row_count` is the row group's. Throws Error(kIo, XX001).
  static SegmentMetadata Read(PhysicalType type, uint32_t row_count, ByteReader& reader);
};

/// The size of the validity bits at the head of a block. They are present if some, but not all, of its values
/// are NULL and the encoding does not store NULLs itself. The encoded values follow. A block of only NULLs
/// has no bytes.
inline constexpr size_t kStoredValidityBytes = kVectorSize / 8;

/// A compressed segment. Accounts for its memory as long as it lives.
class StoredSegment final : public ColumnSegment {
 public:
  StoredSegment(std::shared_ptr<BlockStore> store, LogicalType type, SegmentMetadata metadata)
      : store_(std::move(store)),
        type_(type),
        metadata_(std::move(metadata)),
        reservation_(store_->memory()),
        decoder_memory_(store_->memory()) {
    zone_ = metadata_.zone;
    reservation_.Resize(size_bytes());
  }
  const ZoneMap& block_zone(size_t block) const override { return metadata_.blocks[block].zone; }
  std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const override;
  SegmentSummary Summarize() const override;
  Extents extents() const override { return metadata_.extents; }
  void Prefetch() const override;
  const SegmentMetadata& metadata() const { return metadata_; }
  const LogicalType& type() const { return type_; }
  BlockStore& store() const { return *store_; }
  /// Returns the bytes in memory.
  size_t size_bytes() const;
  /// Returns the decoder that an earlier reader has opened and cached; null if there is none.
  std::shared_ptr<const SegmentDecoder> decoder() const;
  /// Returns the cached decoder for callers that own the segment; it stays as long as the segment.
  const SegmentDecoder* kept_decoder() const { return kept_decoder_.load(std::memory_order_acquire); }
  /// Caches a decoder that was costly to open. `memory` accounts for what it holds.
  void KeepDecoder(std::shared_ptr<const SegmentDecoder> decoder, MemoryReservation memory) const;

 private:
  std::shared_ptr<BlockStore> store_;
  LogicalType type_;
  SegmentMetadata metadata_;
  MemoryReservation reservation_;
  mutable Mutex decoder_mutex_;
  // Once set, it stays.
  mutable std::shared_ptr<const SegmentDecoder> decoder_ SCAUP_GUARDED_BY(decoder_mutex_);
  mutable std::atomic<const SegmentDecoder*> kept_decoder_{nullptr};
  mutable MemoryReservation decoder_memory_ SCAUP_GUARDED_BY(decoder_mutex_);
};

}  // namespace scaup
