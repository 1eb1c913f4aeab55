// The versions of a table's rows, beside its row groups, and how a reader applies them.
#pragma once

#include <atomic>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "storage/version/row_number.hpp"
#include "storage/version/version_block.hpp"

namespace scaup {

/// The changes in place of a table, by 1024 row numbers; null where nothing was changed. Shared by all
/// snapshots of a table, whatever their row groups are: row numbers do not change when rows move to the file.
/// Thread-safe.
class TableVersions {
 public:
  /// Versions of rows from `first_row` on.
  TableVersions(MemoryTracker& memory, RowNumber first_row) : memory_(memory), first_row_(first_row) {}

  using BlockRef = std::shared_ptr<VersionBlock>;
  /// The block with row `row`; null if nothing was changed in it.
  BlockRef Find(RowNumber row) const;
  /// The block with row `row`, made if need be.
  BlockRef Require(RowNumber row);
  RowNumber first_row() const { return first_row_; }
  /// False: no row was ever changed. Never waits.
  bool has_blocks() const { return block_count_.load(std::memory_order_acquire) != 0; }
  /// All blocks there are, with the number of their first row.
  std::vector<std::pair<RowNumber, BlockRef>> Blocks() const;
  std::vector<std::pair<RowNumber, BlockRef>> Blocks(RowNumber begin, RowNumber end) const;
  /// Forgets all rows from `row` on, of which no record is left, so that others may have their numbers.
  void DropFrom(RowNumber row) noexcept;
  /// Removes a block with which nothing is the matter any more.
  void Remove(RowNumber row) noexcept;

 private:
  MemoryTracker& memory_;
  RowNumber first_row_;
  mutable std::shared_mutex mutex_;
  std::vector<BlockRef> blocks_;
  std::atomic<size_t> block_count_{0};
};

/// Rows of one block of a scan that differ from the row group, and their values.
struct RowPatch {
  explicit RowPatch(LogicalType type) : values(std::move(type)) {}
  size_t count = 0;
  sel_t rows[kVectorSize];  ///< ascending
  Vector values;            ///< flat, `count` of them
};

/// Reads the versions of up to 1024 rows at a time, as one transaction sees them. One thread.
class VersionReader {
 public:
  VersionReader(std::shared_ptr<const TableVersions> versions, const ReadView& view)
      : versions_(std::move(versions)), view_(view) {}

  /// Says that Seek will be called for parts of these rows: looks for their blocks once. For who need not see
  /// what is changed from now on.
  void Load(RowNumber first, size_t count);
  /// Goes to rows [first, first + count). False: all of them are as the row group says.
  bool Seek(RowNumber first, size_t count);
  /// mask[row] = 1 for deleted rows, for others it stays as it is. False: there are none.
  bool ReadDeleted(uint8_t* mask) const;
  /// Reads what differs in a column.
  void Read(uint32_t column, RowPatch& patch) const;
  /// Whether values of `column` in the rows might pass `filter`, though the row group's zone excludes it.
  bool MayMatch(const ScanFilter& filter, PhysicalType type) const;

 private:
  struct Part {
    const VersionBlock* block;
    size_t begin;  // In the block.
    size_t end;
    size_t offset;  // Of `begin` in the rows that were sought.
  };
  std::shared_ptr<const TableVersions> versions_;
  ReadView view_;
  // Of the rows that were loaded, or are sought.
  std::vector<std::pair<RowNumber, TableVersions::BlockRef>> blocks_;
  RowRange loaded_{0, 0};
  // At most two for a scan's block: row groups need not begin at a multiple of 1024.
  std::vector<Part> parts_;
};

}  // namespace scaup
