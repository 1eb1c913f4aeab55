// StoredRowGroup: a row group in the file, whose column metadata is loaded on demand.
#pragma once

#include <memory>
#include <vector>

#include "storage/row_group/row_group.hpp"
#include "storage/row_group/segment_loader.hpp"
#include "storage/row_group/stored_segment.hpp"

namespace scaup {

/// The reference to a stored row group, in a table's directory or in the log.
struct StoredRowGroupPointer {
  uint32_t row_count = 0;
  Extents metadata;                 ///< by column the end of its part (u32 each), then the parts
  std::vector<uint64_t> block_ids;  ///< all blocks of the file that it needs, ascending

  void Write(ByteWriter& writer) const;
  /// Throws Error(kIo, XX001) for contradictory values.
  static StoredRowGroupPointer Read(ByteReader& reader);
};

/// A row group in the file. Immutable. Column metadata is read on demand and cached while memory is free. The
/// row group keeps its blocks from being reused.
class StoredRowGroup final : public RowGroup {
 public:
  /// Holds the blocks that the pointer names. Throws Error(kIo, XX001) if they cannot exist.
  StoredRowGroup(std::shared_ptr<BlockStore> store, std::vector<LogicalType> types,
                 StoredRowGroupPointer pointer, SegmentLoader load_segment);
  ~StoredRowGroup() override;

  std::shared_ptr<const ColumnSegment> column(size_t index) const override;
  bool is_stored() const override { return true; }
  bool is_heavy() const override { return pointer_.block_ids.size() * kFileBlockBytes >= kHeavyBytes; }
  size_t column_count() const { return types_.size(); }
  const StoredRowGroupPointer& pointer() const { return pointer_; }

 private:
  LoadedSegment Load(size_t index) const;

  std::shared_ptr<BlockStore> store_;
  std::vector<LogicalType> types_;
  StoredRowGroupPointer pointer_;
  SegmentLoader load_segment_;
  std::vector<BlockHold> holds_;
  mutable std::vector<MetadataCache::Slot> columns_;
};

/// A stored row group of which some columns were rebuilt in memory. It is on its way into a checkpoint, which
/// writes only these columns. Immutable and thread-safe.
class PartlyStoredRowGroup final : public RowGroup {
 public:
  /// `changed` has an entry per column of the table; null means the column of `base`. `memory` accounts for
  /// the changed columns.
  PartlyStoredRowGroup(std::shared_ptr<const StoredRowGroup> base,
                       std::vector<std::shared_ptr<const MemorySegment>> changed, MemoryReservation memory)
      : RowGroup(base->row_count()),
        base_(std::move(base)),
        changed_(std::move(changed)),
        memory_(std::move(memory)) {}
  std::shared_ptr<const ColumnSegment> column(size_t index) const override {
    if (changed_[index]) return changed_[index];
    return base_->column(index);
  }
  bool is_stored() const override { return false; }
  bool is_heavy() const override { return base_->is_heavy(); }
  bool is_changed(size_t index) const { return changed_[index] != nullptr; }
  const StoredRowGroup& base() const { return *base_; }

 private:
  std::shared_ptr<const StoredRowGroup> base_;
  std::vector<std::shared_ptr<const MemorySegment>> changed_;
  MemoryReservation memory_;
};

}  // namespace scaup
