// Row groups: up to 128 x 1024 rows of a table, stored by column, immutable, in memory or in the file.
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
/// A row group ends early when the strings of one of its columns take this many bytes. Processing a row group
/// may need a multiple of that, and a segment must stay below 4 GiB.
inline constexpr size_t kMostHeapBytes = 64 << 20;
/// Row groups of at least this size are not joined with others and get blocks of their own, however few rows
/// they have.
inline constexpr size_t kHeavyBytes = kMostHeapBytes / 2;

/// A row group of a table. Immutable and thread-safe. Owned by table snapshots and by the scans that read it.
class RowGroup {
 public:
  explicit RowGroup(size_t row_count) : row_count_(row_count) {}
  virtual ~RowGroup() = default;

  size_t row_count() const { return row_count_; }
  size_t block_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  /// Returns the number of rows in block `block`.
  size_t BlockRows(size_t block) const {
    return block + 1 < block_count() ? kVectorSize : row_count_ - block * kVectorSize;
  }
  /// Returns a column. May read from the file and throw Error(kIo).
  virtual std::shared_ptr<const ColumnSegment> column(size_t index) const = 0;
  /// Returns whether the rows are in the database file, so that a checkpoint need not write them.
  virtual bool is_stored() const = 0;
  /// Returns whether the row group has at least kHeavyBytes, however few rows it has.
  virtual bool is_heavy() const = 0;

 private:
  size_t row_count_;
};

/// One reservation for all versions of a row group that resume one another, since they share memory. A
/// builder that resumes a version takes the right and enlarges the reservation. A builder that does not get
/// the right makes a reservation of its own.
struct SharedReservation {
  explicit SharedReservation(MemoryTracker& memory) : reservation(memory) {}
  /// Takes over the memory reservation of a finished row group.
  SharedReservation(MemoryReservation reserved, size_t row_count) : reservation(std::move(reserved)) {
    right.GiveBack(row_count);
  }
  MemoryReservation reservation;
  GrowthRight right;  ///< counted in rows
};

/// A row group in memory, made by RowGroupBuilder.
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

/// Builds row groups from chunks. Used by one thread at a time.
class RowGroupBuilder {
 public:
  RowGroupBuilder(std::vector<LogicalType> types, MemoryTracker& memory);
  ~RowGroupBuilder();

  /// Begins with the rows of `row_group`, which must not be full. Shares its memory. If `row_group` is the
  /// newest version, new rows are written behind its own, so that one more row costs one row.
  /// REQUIRES: nothing appended yet.
  void Resume(const MemoryRowGroup& row_group);
  /// Appends all rows of a row group of the same types. Their statistics are known already, so statistics()
  /// does not include them.
  void AppendRowGroup(const RowGroup& row_group);
  /// Appends all rows; finished row groups become available through TakeFinished.
  /// REQUIRES: no AppendRowGroup.
  void Append(DataChunk& chunk);
  /// Closes the current row group if it has rows.
  void Finish();
  /// Returns the row groups finished since the last call, in order.
  std::vector<std::shared_ptr<const RowGroup>> TakeFinished();
  /// Returns the statistics by column of rows that came in chunks, without resumed rows and rows of row
  /// groups.
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
