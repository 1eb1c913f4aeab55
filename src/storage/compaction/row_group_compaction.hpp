// Puts what was updated in place into new row groups: what checkpoints write, and what keeps tables in memory
// small.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// How much of a row group was changed in place. Taken from the versions as they are at the moment.
struct RowGroupChanges {
  std::vector<uint32_t> columns;  ///< those with values that no fold has put into the row group, ascending
  uint64_t dirty_values = 0;      ///< how many of them
  bool has_deleted = false;       ///< whether rows may be deleted
};
RowGroupChanges FindChanges(const TableVersions& versions, RowRange rows);

/// Some of a row group's rows, made anew.
struct CompactedPart {
  RowNumber first_row;
  std::shared_ptr<const RowGroup> row_group;
};

/// Reads row groups as one transaction sees them, and makes new ones, in memory. One thread.
class RowGroupCompactor {
 public:
  RowGroupCompactor(std::shared_ptr<const TableVersions> versions, const ReadView& reader,
                    const std::vector<LogicalType>& types, MemoryTracker& memory)
      : versions_(std::move(versions)), reader_(reader), types_(types), memory_(memory) {}

  /// The row group with its first row `first` and the values that the reader sees in `changes.columns`; the
  /// others are shared with it, in memory or, if it is a large one, in the file. One that grows too heavy
  /// becomes several.
  std::vector<CompactedPart> Compact(const std::shared_ptr<const RowGroup>& row_group, RowNumber first,
                                     const RowGroupChanges& changes);
  /// Compactions, and hands each part over as soon as it is made, so that no two need be in memory.
  using PartSink = std::function<void(CompactedPart)>;
  void Compact(const std::shared_ptr<const RowGroup>& row_group, RowNumber first,
               const RowGroupChanges& changes, const PartSink& sink);
  /// Splits all columns, into parts as large as there is memory for now.
  void Split(const RowGroup& row_group, RowNumber first, const PartSink& sink);
  /// Compactions the blocks with rows that the reader sees, where the others are at least as many and lie
  /// together, so that their memory can be given back: nullopt where not. No parts: all rows are deleted.
  std::optional<std::vector<CompactedPart>> CompactLiveBlocks(const RowGroup& row_group, RowNumber first);
  /// Adds the rows that the reader sees as deleted, ascending.
  void AddDeletedRows(RowNumber first, uint64_t count, std::vector<RowNumber>& deleted);

 private:
  struct BlockRange {
    size_t begin;
    size_t end;
  };
  std::vector<BlockRange> LiveBlocks(const RowGroup& row_group, RowNumber first);
  /// Null where its strings are more than a row group may have.
  std::shared_ptr<const MemorySegment> CompactColumn(const RowGroup& row_group, RowNumber first,
                                                     size_t column, MemoryReservation& reservation);
  void CompactAll(const RowGroup& row_group, RowNumber first, BlockRange blocks, const PartSink& sink);
  /// Null where it cannot stay one row group, or is better made anew as a whole.
  std::shared_ptr<const RowGroup> CompactInOne(const std::shared_ptr<const RowGroup>& row_group,
                                               RowNumber first, const RowGroupChanges& changes);
  /// By column: those that changed, made anew; null for the others. Nullopt where the row group must be
  /// split.
  std::optional<std::vector<std::shared_ptr<const MemorySegment>>> CompactColumns(
      const RowGroup& row_group, RowNumber first, const RowGroupChanges& changes,
      MemoryReservation& reservation);

  std::shared_ptr<const TableVersions> versions_;
  ReadView reader_;
  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
};

/// Hands over the row groups of `snapshot` with the values that `reader` sees, in the order of their numbers:
/// those in which something was updated since the last checkpoint are made anew, in memory, and wholly
/// deleted ones are left out. Rows keep their numbers, so that the other deleted ones stay: returns how many.
uint64_t CompactVersions(const TableSnapshot& snapshot, const std::shared_ptr<const TableVersions>& versions,
                         const ReadView& reader, const std::vector<LogicalType>& types, MemoryTracker& memory,
                         const RowGroupCompactor::PartSink& sink);
/// Compactions versions into a new snapshot.
TableSnapshot CompactVersions(const TableSnapshot& snapshot,
                              const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                              const std::vector<LogicalType>& types, MemoryTracker& memory);

/// The rows of the row groups that `reader` sees as deleted, ascending.
std::vector<RowNumber> DeletedRows(const std::shared_ptr<const TableVersions>& versions,
                                   const ReadView& reader, const TableSnapshot& snapshot,
                                   const std::vector<LogicalType>& types, MemoryTracker& memory);

}  // namespace scaup
