// VersionBlock: the versions of 1024 rows, which are in-place changes and their before-images.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "storage/version/block_rows.hpp"
#include "storage/version/value_list.hpp"
#include "transaction/transaction.hpp"
#include "vector/filter/zone_map.hpp"

namespace scaup {

/// One change that a transaction made to rows of a block. It stays in the block's chain until no transaction
/// can need it.
struct VersionRecord {
  struct Image {
    uint32_t column;
    ValueList before;  ///< by row of `rows`
  };
  std::shared_ptr<const CommitStamp> stamp;
  BlockRows rows;
  std::vector<Image> images;  ///< empty if the rows were deleted
  size_t size_bytes = 0;
};
using VersionRecords = std::list<VersionRecord>;

/// The newest values of some rows of one column. They replace the values in the row group.
struct ColumnOverlay {
  ColumnOverlay(uint32_t column_in, PhysicalType type) : column(column_in), values(type) {}
  uint32_t column;
  std::vector<uint16_t> rows;  ///< ascending
  ValueList values;            ///< by row
  /// By row: 1 until compaction has put the value into the row group.
  std::vector<uint8_t> is_dirty;
  /// The zone map of all values that were ever inserted, to widen the row group's zone maps.
  ZoneMap zone;
};

/// The writing transaction, and the table's name for messages. Borrowed.
struct VersionWriter {
  ReadView view;
  std::shared_ptr<const CommitStamp> stamp;
  std::string_view table_name;
};

/// The versions of one block of 1024 rows: the newest state in place, with a chain of before-images, newest
/// first. After Neumann, Mühlbauer, Kemper, "Fast Serializable Multi-Version Concurrency Control" (SIGMOD
/// 2015). The caller holds `mutex`.
class VersionBlock {
 public:
  explicit VersionBlock(MemoryTracker& memory) : memory_(memory) {}

  /// Marks rows as deleted. Throws Error(kTransaction, 40001) if a transaction that the writer does not see
  /// has changed one of them, and Error(kOutOfMemory). If it throws, nothing has changed.
  VersionRecords::iterator Delete(const VersionWriter& writer, const std::vector<sel_t>& rows)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Replaces values. `rows` is parallel to every column's `new_values` and `old_values`. The old values are
  /// those that the writer sees, and `zone` covers the new ones. Throws as Delete does.
  struct ColumnChange {
    uint32_t column;
    ValueList new_values;
    ValueList old_values;
    ZoneMap zone;
  };
  VersionRecords::iterator Update(const VersionWriter& writer, const std::vector<sel_t>& rows,
                                  std::vector<ColumnChange> changes) SCAUP_REQUIRES_LOCK(mutex);
  /// Undoes a record, which must be the newest of its rows, and removes it.
  void TakeBack(VersionRecords::iterator record) noexcept SCAUP_REQUIRES_LOCK(mutex);
  /// Removes a record that every transaction sees.
  void Forget(VersionRecords::iterator record) noexcept SCAUP_REQUIRES_LOCK(mutex);
  /// Marks rows as deleted for all readers, without a record. For loading.
  void LoadDeleted(const std::vector<sel_t>& rows) SCAUP_REQUIRES_LOCK(mutex);

  /// Sets mask[i - begin] to 1 for the rows of [begin, end) that are deleted for `view`, and leaves other
  /// entries as they are. Returns false if there are none.
  bool ReadDeleted(const ReadView& view, size_t begin, size_t end, uint8_t* mask) const
      SCAUP_REQUIRES_LOCK(mutex);
  /// Reads what `view` sees of rows [begin, end) in a column and the row group does not have. The values go
  /// to `values` from row `count` on, in ascending row order; `rows` gets each row, less `begin`, plus
  /// `offset`.
  void ReadColumn(const ReadView& view, uint32_t column, size_t begin, size_t end, size_t offset, sel_t* rows,
                  Vector& values, size_t& count) const SCAUP_REQUIRES_LOCK(mutex);
  /// Returns whether a transaction that `view` does not see has deleted the row or changed one of `columns`
  /// in it.
  bool HasUnseen(const ReadView& view, sel_t row, std::span<const size_t> columns) const
      SCAUP_REQUIRES_LOCK(mutex);
  /// Returns whether any version of a row has certain values in `columns`. It considers the versions that are
  /// visible to transactions with a start of `settled` or later. has_value(i, list, k) tests value k of
  /// `list` for columns[i]. It is not called for columns that are the same in all known versions; these count
  /// as matching.
  using HasValue = std::function<bool(size_t, const ValueList&, size_t)>;
  bool AnyVersion(sel_t row, std::span<const size_t> columns, Timestamp settled,
                  const HasValue& has_value) const SCAUP_REQUIRES_LOCK(mutex);
  /// Returns the zone map of all values ever inserted for a column; null if there are none.
  const ZoneMap* OverlayZone(uint32_t column) const SCAUP_REQUIRES_LOCK(mutex);
  /// Returns how many values of rows [begin, end) are not in a row group yet, and adds their columns to
  /// `columns`.
  size_t CountDirty(size_t begin, size_t end, std::vector<uint32_t>& columns) const
      SCAUP_REQUIRES_LOCK(mutex);
  /// Notes that compaction has put what `view` sees of rows [begin, end) into a row group.
  void MarkClean(const ReadView& view, size_t begin, size_t end) noexcept SCAUP_REQUIRES_LOCK(mutex);
  /// Drops overlay values that compaction has put into row groups and that no record concerns. Call it when
  /// no transaction reads the older row groups.
  void DropClean() noexcept SCAUP_REQUIRES_LOCK(mutex);
  /// Removes all versions of rows from `begin` on, as if they had never existed. No record may concern them.
  void DropFrom(size_t begin) noexcept SCAUP_REQUIRES_LOCK(mutex);
  /// Returns whether the block adds nothing to the row group.
  bool IsEmpty() const SCAUP_REQUIRES_LOCK(mutex) {
    return records_.empty() && overlays_.empty() && !deleted_;
  }
  bool has_records() const SCAUP_REQUIRES_LOCK(mutex) { return !records_.empty(); }
  bool has_deleted() const SCAUP_REQUIRES_LOCK(mutex) { return deleted_ != nullptr; }

  mutable Mutex mutex;

 private:
  void CheckConflict(const VersionWriter& writer, const BlockRows& rows) const SCAUP_REQUIRES_LOCK(mutex);
  ColumnOverlay* FindOverlay(uint32_t column) SCAUP_REQUIRES_LOCK(mutex);
  const ColumnOverlay* FindOverlay(uint32_t column) const SCAUP_REQUIRES_LOCK(mutex);
  ColumnOverlay& RequireOverlay(uint32_t column, PhysicalType type) SCAUP_REQUIRES_LOCK(mutex);
  void DropEmptyOverlays() noexcept SCAUP_REQUIRES_LOCK(mutex);
  size_t SizeBytes() const SCAUP_REQUIRES_LOCK(mutex);
  VersionRecords::iterator Link(VersionRecords record) SCAUP_REQUIRES_LOCK(mutex);

  MemoryReservation memory_ SCAUP_GUARDED_BY(mutex);
  VersionRecords records_ SCAUP_GUARDED_BY(mutex);  // newest first
  std::vector<ColumnOverlay> overlays_ SCAUP_GUARDED_BY(mutex);
  // A bit for each deleted row; null if there is none.
  std::unique_ptr<ValidityWord[]> deleted_ SCAUP_GUARDED_BY(mutex);
  size_t record_bytes_ SCAUP_GUARDED_BY(mutex) = 0;
};

}  // namespace scaup
