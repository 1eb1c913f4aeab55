// TableVersions: the in-place changes to a table's rows, and the reader that applies them.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/version/row_number.hpp"
#include "storage/version/version_block.hpp"

namespace scaup {

/// The in-place changes to a table, in blocks of 1024 row numbers; a block without changes is null. Shared by
/// all snapshots of the table, whatever their row groups are, because row numbers stay the same when rows
/// move to the file. Thread-safe.
class TableVersions {
 public:
  /// Holds versions of rows from `first_row` on.
  TableVersions(MemoryTracker& memory, RowNumber first_row) : memory_(memory), first_row_(first_row) {}

  using BlockRef = std::shared_ptr<VersionBlock>;
  /// Returns the block with row `row`; null if nothing was changed in it.
  BlockRef Find(RowNumber row) const;
  /// Returns the block with row `row`; makes it if necessary.
  BlockRef Require(RowNumber row);
  RowNumber first_row() const { return first_row_; }
  /// Returns whether any row was ever changed. Never waits.
  bool has_blocks() const { return block_count_.load(std::memory_order_acquire) != 0; }
  /// Returns all existing blocks, each with its first row number.
  std::vector<std::pair<RowNumber, BlockRef>> Blocks() const;
  std::vector<std::pair<RowNumber, BlockRef>> Blocks(RowNumber begin, RowNumber end) const;
  /// Removes all versions of rows from `row` on, so that other rows can get their numbers. No record of these
  /// rows may be left.
  void DropFrom(RowNumber row) noexcept;
  /// Removes a block that has become empty.
  void Remove(RowNumber row) noexcept;

 private:
  MemoryTracker& memory_;
  RowNumber first_row_;
  mutable SharedMutex mutex_;
  std::vector<BlockRef> blocks_ SCAUP_GUARDED_BY(mutex_);
  std::atomic<size_t> block_count_{0};
};

/// The rows of one scan block whose values differ from the row group, and these values.
struct RowPatch {
  explicit RowPatch(LogicalType type) : values(std::move(type)) {}
  size_t count = 0;
  sel_t rows[kVectorSize];  ///< ascending
  Vector values;            ///< flat, `count` of them
};

/// Reads the versions of up to 1024 rows at a time, as one transaction sees them. Used by one thread.
class VersionReader {
 public:
  VersionReader(std::shared_ptr<const TableVersions> versions, const ReadView& view)
      : versions_(std::move(versions)), view_(view) {}

  /// Looks up the blocks of these rows once, for Seek calls on parts of them. Blocks that come later are not
  /// seen.
  void Load(RowNumber first, size_t count);
  /// Moves to rows [first, first + count). Returns false if the row group's values hold for all of them.
  bool Seek(RowNumber first, size_t count);
  /// Sets mask[row] to 1 for deleted rows and leaves other entries as they are. Returns false if there are
  /// none.
  bool ReadDeleted(uint8_t* mask) const;
  /// Reads the values of a column that differ from the row group.
  void Read(uint32_t column, RowPatch& patch) const;
  /// Returns whether updated values in these rows might pass `filter` although the row group's zone map
  /// excludes it.
  bool MayMatch(const ScanFilter& filter, PhysicalType type) const;

 private:
  struct Part {
    const VersionBlock* block;
    size_t begin;  // first row, in the block
    size_t end;
    size_t offset;  // offset of `begin` in the sought rows
  };
  std::shared_ptr<const TableVersions> versions_;
  ReadView view_;
  // Blocks of the rows that were loaded or sought.
  std::vector<std::pair<RowNumber, TableVersions::BlockRef>> blocks_;
  RowRange loaded_{0, 0};
  // A scan block has at most two parts: row groups need not begin at a multiple of 1024.
  std::vector<Part> parts_;
};

}  // namespace scaup
