// Row groups: 128 x 1024 rows of a table, column by column, immutable; in memory or in the file.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "storage/filter/column_statistics.hpp"
#include "storage/row_group/growing_array.hpp"
#include "storage/row_group/memory_segment.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

inline constexpr size_t kBlocksPerRowGroup = 128;
inline constexpr size_t kRowsPerRowGroup = kBlocksPerRowGroup * kVectorSize;
/// A row group ends early when the strings of one of its columns take this much: who works on it may need a
/// multiple of that, and a segment must stay below 4 GiB.
inline constexpr size_t kMostHeapBytes = 64 << 20;
/// Row groups with this much are not joined with others, and go to blocks of their own, however few rows.
inline constexpr size_t kHeavyBytes = kMostHeapBytes / 2;

/// Immutable and thread-safe. Held by table snapshots and by the scans that read it.
class RowGroup {
 public:
  explicit RowGroup(size_t row_count) : row_count_(row_count) {}
  virtual ~RowGroup() = default;

  size_t row_count() const { return row_count_; }
  size_t block_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  /// Rows in block `block`.
  size_t BlockRows(size_t block) const {
    return block + 1 < block_count() ? kVectorSize : row_count_ - block * kVectorSize;
  }
  /// May read from the file and throw Error(kIo).
  virtual std::shared_ptr<const ColumnSegment> column(size_t index) const = 0;
  /// Whether the rows are in the database's file, so that a checkpoint need not write them.
  virtual bool is_stored() const = 0;
  /// Whether it is large, whatever its number of rows.
  virtual bool is_heavy() const = 0;

 private:
  size_t row_count_;
};

/// One reservation for all versions of a row group that resume one another, since they share their memory. A
/// builder that resumes a version takes the right and enlarges the reservation; without the right it makes
/// its own.
struct SharedReservation {
  explicit SharedReservation(MemoryTracker& memory) : reservation(memory) {}
  /// The memory of a finished row group.
  SharedReservation(MemoryReservation reserved, size_t row_count) : reservation(std::move(reserved)) {
    right.GiveBack(row_count);
  }
  MemoryReservation reservation;
  GrowthRight right;  ///< by rows
};

/// A row group in memory, as RowGroupBuilder makes them.
class MemoryRowGroup final : public RowGroup {
 public:
  MemoryRowGroup(std::vector<std::shared_ptr<const MemorySegment>> columns, size_t row_count,
                 std::shared_ptr<SharedReservation> memory)
      : RowGroup(row_count), columns_(std::move(columns)), memory_(std::move(memory)) {}
  std::shared_ptr<const ColumnSegment> column(size_t index) const override { return columns_[index]; }
  bool is_stored() const override { return false; }
  bool is_heavy() const override;
  const std::shared_ptr<const MemorySegment>& memory_column(size_t index) const { return columns_[index]; }
  const std::shared_ptr<SharedReservation>& memory() const { return memory_; }

 private:
  std::vector<std::shared_ptr<const MemorySegment>> columns_;
  std::shared_ptr<SharedReservation> memory_;
};

class ColumnBuilder;

/// Makes row groups out of chunks. One thread at a time.
class RowGroupBuilder {
 public:
  RowGroupBuilder(std::vector<LogicalType> types, MemoryTracker& memory);
  ~RowGroupBuilder();

  /// Begins with the rows of `row_group`, which has room. Shares its memory; rows are added behind its own
  /// where it is the newest one with them, so that one row more costs as much as one row.
  /// REQUIRES: nothing appended yet.
  void Resume(const MemoryRowGroup& row_group);
  /// Adds all rows of a row group of the same types. Their statistics are known: statistics() leaves them
  /// out.
  void AppendRowGroup(const RowGroup& row_group);
  /// Adds all rows; finished row groups become available through TakeFinished.
  /// REQUIRES: no AppendRowGroup.
  void Append(DataChunk& chunk);
  /// Closes the row group in work, if it has rows.
  void Finish();
  /// Row groups finished since the last call, in order.
  std::vector<std::shared_ptr<const RowGroup>> TakeFinished();
  /// Statistics of the rows of chunks (not of those resumed or from row groups), by column.
  const std::vector<ColumnStatistics>& statistics() const { return statistics_; }

 private:
  void AppendChunk(DataChunk& chunk);
  void CloseBlocks();
  bool IsFull() const;
  void CloseRowGroup();

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  std::vector<std::unique_ptr<ColumnBuilder>> columns_;
  size_t row_count_ = 0;
  std::shared_ptr<SharedReservation> reserved_;
  bool takes_row_groups_ = false;
  std::vector<std::shared_ptr<const RowGroup>> finished_;
  std::vector<ColumnStatistics> statistics_;
};

}  // namespace scaup
