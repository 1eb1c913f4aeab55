// Row groups: 128 x 1024 rows of a table, column by column, immutable once built.
#pragma once

#include <memory>
#include <vector>

#include "common/arena.hpp"
#include "common/memory_tracker.hpp"
#include "storage/table/column_statistics.hpp"
#include "storage/table/zone_map.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

inline constexpr size_t kBlocksPerRowGroup = 128;
inline constexpr size_t kRowsPerRowGroup = kBlocksPerRowGroup * kVectorSize;

/// How a block keeps its values.
enum class BlockEncoding : uint8_t {
  kFlat = 1,        ///< an array of values
  kDictionary = 2,  ///< positions in the segment's dictionary
};

/// Up to 1024 values of one column: what one vector of a scan refers to. Immutable.
struct ColumnBlock {
  BlockEncoding encoding = BlockEncoding::kFlat;
  std::unique_ptr<std::byte[]> data;  ///< kFlat
  SelectionRef codes;                 ///< kDictionary
  std::unique_ptr<ValidityWord[]>
      validity;  ///< null: no NULLs; kFlat only (a dictionary has an entry for NULL)
  ZoneMap zone;
};

/// One column of a row group. Immutable; shared by row groups that differ in their tail only.
struct ColumnSegment {
  std::vector<std::shared_ptr<const ColumnBlock>> blocks;
  ZoneMap zone;
  /// Distinct values of a dictionary segment; an entry for NULL if one occurs.
  std::vector<StringRef> dictionary;
  std::vector<ValidityWord> dictionary_validity;  ///< empty: no NULLs
  /// Where the bytes of strings live; shared by segments that resume one another. Only the builder that
  /// resumes the newest of them, under the table's lock, adds to it; what is there never moves.
  std::shared_ptr<Arena> string_heap;
};

/// Immutable after RowGroupBuilder made it. Held by table snapshots and by the scans that read it.
class RowGroup {
 public:
  RowGroup(std::vector<std::shared_ptr<const ColumnSegment>> columns, size_t row_count,
           MemoryReservation memory)
      : columns_(std::move(columns)), row_count_(row_count), memory_(std::move(memory)) {}

  size_t row_count() const { return row_count_; }
  size_t block_count() const { return (row_count_ + kVectorSize - 1) / kVectorSize; }
  /// Rows in block `block`.
  size_t BlockRows(size_t block) const {
    return block + 1 < block_count() ? kVectorSize : row_count_ - block * kVectorSize;
  }
  const ColumnSegment& column(size_t index) const { return *columns_[index]; }
  const std::shared_ptr<const ColumnSegment>& shared_column(size_t index) const { return columns_[index]; }

 private:
  std::vector<std::shared_ptr<const ColumnSegment>> columns_;
  size_t row_count_;
  MemoryReservation memory_;
};

/// Makes `vector` refer to block `block_index` of the segment, without a copy, keeping the segment alive.
void ReferenceBlock(const std::shared_ptr<const ColumnSegment>& segment, size_t block_index, Vector& vector);

class ColumnBuilder;

/// Makes row groups out of chunks. One thread at a time.
class RowGroupBuilder {
 public:
  RowGroupBuilder(std::vector<LogicalType> types, MemoryTracker& memory);
  ~RowGroupBuilder();

  /// Begins with the rows of `row_group`, which has room: full blocks are shared, the last one is copied.
  /// REQUIRES: nothing appended yet.
  void Resume(const RowGroup& row_group);
  /// Adds all rows; finished row groups become available through TakeFinished.
  void Append(DataChunk& chunk);
  /// Closes the row group in work, if it has rows.
  void Finish();
  /// Row groups finished since the last call, in order.
  std::vector<std::shared_ptr<const RowGroup>> TakeFinished();
  /// Statistics of the rows appended (not of those resumed), by column.
  const std::vector<ColumnStatistics>& statistics() const { return statistics_; }

 private:
  void CloseBlocks();
  void CloseRowGroup();

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  std::vector<std::unique_ptr<ColumnBuilder>> columns_;
  size_t row_count_ = 0;
  MemoryReservation reservation_;
  std::vector<std::shared_ptr<const RowGroup>> finished_;
  std::vector<ColumnStatistics> statistics_;
};

}  // namespace scaup
