// Compaction: builds new row groups from old ones and the in-place changes to them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// The in-place changes to a row group, counted at the time of the call.
struct RowGroupChanges {
  std::vector<uint32_t> columns;  ///< columns with values that no compaction has taken yet, ascending
  uint64_t dirty_values = 0;      ///< how many such values
  bool has_deleted = false;       ///< whether rows may be deleted
};
RowGroupChanges FindChanges(const TableVersions& versions, RowRange rows);

/// A new row group that holds some of an old one's rows.
struct CompactedPart {
  RowNumber first_row;
  std::shared_ptr<const RowGroup> row_group;
};

/// Reads row groups as one transaction sees them, and builds new ones in memory. Used by one thread.
class RowGroupCompactor {
 public:
  RowGroupCompactor(std::shared_ptr<const TableVersions> versions, const ReadView& reader,
                    const std::vector<LogicalType>& types, MemoryTracker& memory)
      : versions_(std::move(versions)), reader_(reader), types_(types), memory_(memory) {}

  /// Builds the row group with first row `first` anew, with the values that the reader sees in
  /// `changes.columns`. Other columns are shared with the old row group: in memory, or in the file if the row
  /// group is a large one. A result that is too heavy is split into several.
  std::vector<CompactedPart> Compact(const std::shared_ptr<const RowGroup>& row_group, RowNumber first,
                                     const RowGroupChanges& changes);
  /// Like the other Compact, but hands over each part as soon as it is made, so that no two need be in
  /// memory.
  using PartSink = std::function<void(CompactedPart)>;
  void Compact(const std::shared_ptr<const RowGroup>& row_group, RowNumber first,
               const RowGroupChanges& changes, const PartSink& sink);
  /// Rebuilds all columns, in parts as large as the memory that is free now allows.
  void Split(const RowGroup& row_group, RowNumber first, const PartSink& sink);
  /// Rebuilds only the blocks with rows that the reader sees, so that the memory of the others is freed.
  /// Returns nullopt if that does not pay, which is when more than half of the blocks are to be rebuilt.
  /// Returns no parts if all rows are deleted.
  std::optional<std::vector<CompactedPart>> CompactLiveBlocks(const RowGroup& row_group, RowNumber first);
  /// Adds the rows that are deleted for the reader, in ascending order.
  void AddDeletedRows(RowNumber first, uint64_t count, std::vector<RowNumber>& deleted);

 private:
  struct BlockRange {
    size_t begin;
    size_t end;
  };
  std::vector<BlockRange> LiveBlocks(const RowGroup& row_group, RowNumber first);
  /// Rebuilds one column. Returns null if its strings exceed what a row group may have.
  std::shared_ptr<const MemorySegment> CompactColumn(const RowGroup& row_group, RowNumber first,
                                                     size_t column, MemoryReservation& reservation);
  void CompactAll(const RowGroup& row_group, RowNumber first, BlockRange blocks, const PartSink& sink);
  /// Rebuilds changed columns only. Returns null if the result must be split or a full rebuild is better.
  std::shared_ptr<const RowGroup> CompactInOne(const std::shared_ptr<const RowGroup>& row_group,
                                               RowNumber first, const RowGroupChanges& changes);
  /// Rebuilds changed columns; entries of other columns are null. Returns nullopt if the row group must be
  /// split.
  std::optional<std::vector<std::shared_ptr<const MemorySegment>>> CompactColumns(
      const RowGroup& row_group, RowNumber first, const RowGroupChanges& changes,
      MemoryReservation& reservation);

  std::shared_ptr<const TableVersions> versions_;
  ReadView reader_;
  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
};

/// Hands over the row groups of `snapshot` with the values that `reader` sees, in row number order. Row
/// groups with updates since the last checkpoint are rebuilt in memory, and those whose rows are all deleted
/// are skipped. Rows keep their numbers, so other deleted rows stay; returns how many.
uint64_t CompactVersions(const TableSnapshot& snapshot, const std::shared_ptr<const TableVersions>& versions,
                         const ReadView& reader, const std::vector<LogicalType>& types, MemoryTracker& memory,
                         const RowGroupCompactor::PartSink& sink);
/// Compacts all row groups into a new snapshot.
TableSnapshot CompactVersions(const TableSnapshot& snapshot,
                              const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                              const std::vector<LogicalType>& types, MemoryTracker& memory);

/// Returns the rows of the row groups that are deleted for `reader`, ascending.
std::vector<RowNumber> DeletedRows(const std::shared_ptr<const TableVersions>& versions,
                                   const ReadView& reader, const TableSnapshot& snapshot,
                                   const std::vector<LogicalType>& types, MemoryTracker& memory);

}  // namespace scaup
