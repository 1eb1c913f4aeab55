// A segment in the file: compressed blocks, found by metadata that is in memory.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/compression/compression.hpp"
#include "storage/row_group/column_segment.hpp"

namespace scaup {

/// The metadata that is needed to read a segment.
struct SegmentMetadata {
  struct Block {
    uint32_t end = 0;  ///< where its bytes end, from the end of the segment's header on
    ZoneMap zone;
  };
  Encoding encoding = Encoding::kConstant;
  uint32_t header_bytes = 0;  ///< what all blocks share; stands first
  ZoneMap zone;
  std::vector<Block> blocks;
  Extents extents;

  /// Byte layout in docs/file-format.md.
  void Write(PhysicalType type, ByteWriter& writer) const;
  /// `row_count`: of the row group. Throws Error(kIo, XX001).
  static SegmentMetadata Read(PhysicalType type, uint32_t row_count, ByteReader& reader);
};

/// The bytes of a block: 128 bytes of validity, if some of its values are NULL, not all, and the encoding
/// does not itself say which; then what the encoding made. Nothing if all are NULL.
inline constexpr size_t kStoredValidityBytes = kVectorSize / 8;

/// Accounts its memory as long as it lives.
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
  /// Bytes in memory.
  size_t size_bytes() const;
  /// The decoder that an earlier reader has opened and cached; null if none was.
  std::shared_ptr<const SegmentDecoder> decoder() const;
  /// The cached decoder, for callers that own the segment: it stays as long as that does.
  const SegmentDecoder* kept_decoder() const { return kept_decoder_.load(std::memory_order_acquire); }
  /// For a decoder that took work to open. `memory`: what it holds.
  void KeepDecoder(std::shared_ptr<const SegmentDecoder> decoder, MemoryReservation memory) const;

 private:
  std::shared_ptr<BlockStore> store_;
  LogicalType type_;
  SegmentMetadata metadata_;
  MemoryReservation reservation_;
  mutable std::mutex decoder_mutex_;
  mutable std::shared_ptr<const SegmentDecoder> decoder_;  // Once there, it stays.
  mutable std::atomic<const SegmentDecoder*> kept_decoder_{nullptr};
  mutable MemoryReservation decoder_memory_;
};

}  // namespace scaup
