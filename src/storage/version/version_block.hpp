// The versions of 1024 rows: what was changed in place, and how it was before.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/filter/zone_map.hpp"
#include "storage/version/value_list.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// One change that one transaction made to rows of a block. In the block's chain until nobody can need it.
struct VersionRecord {
  struct Image {
    uint32_t column;
    ValueList before;  ///< by row of `rows`
  };
  std::shared_ptr<const CommitStamp> stamp;
  std::vector<sel_t> rows;    ///< in the block, ascending
  std::vector<Image> images;  ///< none: the rows were deleted
  size_t size_bytes = 0;
};
using VersionRecords = std::list<VersionRecord>;

/// The newest values of some rows of one column, which stand in the place of those in the row group.
struct ColumnOverlay {
  ColumnOverlay(uint32_t column_in, PhysicalType type) : column(column_in), values(type) {}
  uint32_t column;
  std::vector<sel_t> rows;  ///< ascending
  ValueList values;         ///< by row
  /// By row: 1 until a fold has put the value into the row group.
  std::vector<uint8_t> is_dirty;
  /// The zone of all values that were ever put in, so that zone maps of the row group can be mended.
  ZoneMap zone;
};

/// The writer, and the table for messages. Borrowed.
struct VersionWriter {
  ReadView view;
  std::shared_ptr<const CommitStamp> stamp;
  std::string_view table_name;
};

/// Every function that says nothing else is called with `mutex` held.
/// After Neumann, Mühlbauer, Kemper, "Fast Serializable Multi-Version Concurrency Control" (SIGMOD 2015): the
/// newest state is in place, before-images hang off it, newest first.
class VersionBlock {
 public:
  explicit VersionBlock(MemoryTracker& memory) : memory_(memory) {}

  /// Deletes rows. Throws Error(kTransaction, 40001) when a transaction that the writer does not see changed
  /// one of them, and Error(kOutOfMemory); then nothing has changed.
  VersionRecords::iterator Delete(const VersionWriter& writer, std::vector<sel_t> rows);
  /// Replaces values. `rows` and every column's `new_values` and `old_values` go together; the old ones are
  /// what the writer sees, `zone` is of the new ones. Throws as Delete does.
  struct ColumnChange {
    uint32_t column;
    ValueList new_values;
    ValueList old_values;
    ZoneMap zone;
  };
  VersionRecords::iterator Update(const VersionWriter& writer, std::vector<sel_t> rows,
                                  std::vector<ColumnChange> changes);
  /// Puts things back as they were before a record, which is the newest of its rows, and forgets it.
  void TakeBack(VersionRecords::iterator record) noexcept;
  /// Forgets a record that every transaction sees.
  void Forget(VersionRecords::iterator record) noexcept;
  /// Marks rows as deleted for everybody, without history: loading.
  void LoadDeleted(const std::vector<sel_t>& rows);

  /// mask[i - begin] = 1 for rows of [begin, end) that `view` does not see any more, for the others the mask
  /// stays. False: there are none.
  bool ReadDeleted(const ReadView& view, size_t begin, size_t end, uint8_t* mask) const;
  /// Adds what `view` sees of rows [begin, end) in a column, as far as it is not in the row group, to
  /// `values` from row `count` on, ascending; `rows` gets the rows less `begin`, plus `offset`.
  void ReadColumn(const ReadView& view, uint32_t column, size_t begin, size_t end, size_t offset, sel_t* rows,
                  Vector& values, size_t& count) const;
  /// Whether a transaction that `view` does not see deleted a row, or changed one of some columns of it.
  bool HasUnseen(const ReadView& view, sel_t row, std::span<const size_t> columns) const;
  /// Whether some version of a row has certain values in some columns, of those that somebody may see who
  /// began before `settled` or later: has_value(i, list, k) says it of columns[i]. It is not asked of columns
  /// that are the same in all versions that are known: these count as the same.
  using HasValue = std::function<bool(size_t, const ValueList&, size_t)>;
  bool AnyVersion(sel_t row, std::span<const size_t> columns, Timestamp settled,
                  const HasValue& has_value) const;
  /// The zone of all values of a column that were put in; null if there are none.
  const ZoneMap* OverlayZone(uint32_t column) const;
  /// How many values of rows of [begin, end) no fold has put into a row group; adds their columns.
  size_t CountDirty(size_t begin, size_t end, std::vector<uint32_t>& columns) const;
  /// After a fold put what `view` sees of rows [begin, end) into a row group.
  void MarkClean(const ReadView& view, size_t begin, size_t end) noexcept;
  /// Drops values that a fold has put into row groups and that no record concerns, when nobody reads older
  /// ones.
  void DropClean() noexcept;
  /// Forgets rows from `begin` on, which are gone as if they had never been there. No record concerns them.
  void DropFrom(size_t begin) noexcept;
  /// Nothing is known here that the row group does not say.
  bool IsEmpty() const { return records_.empty() && overlays_.empty() && !deleted_; }
  bool has_records() const { return !records_.empty(); }
  bool has_deleted() const { return deleted_ != nullptr; }

  mutable std::mutex mutex;

 private:
  void CheckConflict(const VersionWriter& writer, const std::vector<sel_t>& rows) const;
  ColumnOverlay* FindOverlay(uint32_t column);
  const ColumnOverlay* FindOverlay(uint32_t column) const;
  ColumnOverlay& RequireOverlay(uint32_t column, PhysicalType type);
  size_t SizeBytes() const;
  VersionRecords::iterator Link(VersionRecords record);

  MemoryReservation memory_;
  VersionRecords records_;  // Newest first.
  std::vector<ColumnOverlay> overlays_;
  std::unique_ptr<ValidityWord[]> deleted_;  // A bit for each deleted row, in place.
  size_t record_bytes_ = 0;
};

}  // namespace scaup
