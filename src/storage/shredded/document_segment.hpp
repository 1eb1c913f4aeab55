// DocumentSegment: the shredded documents of a row group in the file.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "document/document_shapes.hpp"
#include "document/shredding_policy.hpp"
#include "storage/row_group/stored_segment.hpp"

namespace scaup {

/// A physical attribute, whose values are a column of the row group.
struct StoredAttribute {
  AttributeId id;
  AttributeType type;
};

/// The first byte of a column's metadata, in place of an encoding, if the column is a DocumentSegment.
inline constexpr uint8_t kDocumentsMark = 0;

/// The metadata for reading the documents of a row group.
struct DocumentMetadata {
  /// The parts: those that every row group has, then one for each physical attribute.
  enum Part : size_t { kShapes, kShapesOfRows, kDirectory, kValues, kFirstColumn };

  ShreddingPolicy policy;  ///< by which the physical attributes were chosen
  uint64_t shape_count = 0;
  uint64_t value_count = 0;               ///< values in the reservoir
  std::vector<StoredAttribute> physical;  ///< ids ascend
  std::vector<SegmentMetadata> parts;

  static LogicalType TypeOf(const std::vector<StoredAttribute>& physical, size_t part);
  /// Writes the bytes that docs/file-format.md describes.
  void Write(ByteWriter& writer) const;
};

/// The segment that takes the place of a collection's record segment. Its parts are loaded on demand; the
/// metadata cache drops the whole segment when it is unused and memory is short. Immutable and thread-safe.
class DocumentSegment final : public ColumnSegment {
 public:
  /// Decodes `metadata`, which Write has made. `block_ids` are the blocks of the file that it may refer to,
  /// ascending. Throws Error(kIo, XX001).
  DocumentSegment(std::shared_ptr<BlockStore> store, uint32_t row_count, std::vector<std::byte> metadata,
                  std::vector<uint64_t> block_ids);

  const ZoneMap& block_zone(size_t block) const override {
    return (block + 1) * kVectorSize <= zone_.row_count ? full_zone_ : last_zone_;
  }
  std::unique_ptr<SegmentReader> MakeReader(const KernelTable& kernels) const override;
  SegmentSummary Summarize() const override;
  Extents extents() const override;
  void Prefetch() const override;

  const ShreddingPolicy& policy() const { return policy_; }
  size_t row_count() const { return zone_.row_count; }
  size_t value_count() const { return value_count_; }
  const std::vector<StoredAttribute>& physical() const { return physical_; }
  /// Returns the index among physical(); nullopt if the attribute is not physical.
  std::optional<size_t> FindPhysical(AttributeId id) const;
  std::shared_ptr<const StoredSegment> part(size_t part) const;
  const DocumentShapes& shapes() const;
  /// Returns the attributes of a shape that may have values in the reservoir. REQUIRES: shapes() was called.
  std::span<const AttributeId> ReservoirOf(ShapeId shape) const {
    SCAUP_ASSERT(shape + size_t{1} < reservoir_begins_.size());
    const uint32_t begin = reservoir_begins_[shape];
    return std::span(reservoir_ids_).subspan(begin, reservoir_begins_[shape + 1] - begin);
  }
  /// Returns the bytes in memory right after construction.
  size_t size_bytes() const;

 private:
  std::shared_ptr<const StoredSegment> Load(size_t part) const;
  size_t RowsOf(size_t part) const;

  std::shared_ptr<BlockStore> store_;
  std::vector<std::byte> metadata_;
  std::vector<uint64_t> block_ids_;
  MemoryReservation reservation_;
  ZoneMap full_zone_, last_zone_;
  ShreddingPolicy policy_;
  size_t shape_count_ = 0;
  size_t value_count_ = 0;
  std::vector<StoredAttribute> physical_;
  std::vector<uint32_t> part_ends_;  // in metadata_, relative to parts_begin_
  size_t parts_begin_ = 0;
  mutable Mutex mutex_;
  mutable std::vector<std::shared_ptr<const StoredSegment>> parts_ SCAUP_GUARDED_BY(mutex_);
  mutable std::unique_ptr<const DocumentShapes> shapes_ SCAUP_GUARDED_BY(mutex_);
  // Set together with shapes_ and never changed, so that whoever has the shapes reads them without the mutex.
  mutable std::vector<AttributeId> reservoir_ids_;
  mutable std::vector<uint32_t> reservoir_begins_;
  mutable MemoryReservation shapes_memory_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
