// Range join blocks: joins whose right side does not fit in memory, block by block.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "common/check.hpp"
#include "common/lock/mutex.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/join/range_join_build.hpp"
#include "execution/join/range_join_probe.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution/run/turns.hpp"

namespace scaup {

/// Both sides of a join whose right side does not fit in memory. Each block of right rows is joined with all
/// left rows by one task, in parallel with other blocks. No more blocks than tasks are in memory. Borrows the
/// specification. Thread-safe once both sides are collected.
class RangeJoinBlocks {
 public:
  RangeJoinBlocks(const RangeJoinSpecification& join, QueryContext& context, RangeJoinRightRows right);

  /// Pulls all rows out of the prepared left input.
  void CollectLeft(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
                   OperatorProfile& profile);
  /// Returns the number of threads that can usefully join blocks.
  size_t MostTasks(const QueryContext& context) const;
  /// Returns the memory of the tasks. REQUIRES: CollectLeft was called.
  MemoryGrant& grant() {
    SCAUP_ASSERT(grant_.has_value());
    return *grant_;
  }

  /// Takes right rows that no task has taken yet; empty if there are none left.
  RowsPiece TakeRight();
  /// Returns the next piece of left rows to emit after all blocks; left().piece_count() or more at the end.
  size_t TakeLeftPiece() { return next_left_piece_.fetch_add(1); }
  uint64_t NextBatch(Turn& turn) { return batches_.Next(turn); }
  void CountBlock() { block_count_.fetch_add(1); }

  const RangeJoinSpecification& specification() const { return join_; }
  uint64_t most_rows() const { return most_rows_; }    ///< the most rows of a block
  size_t share_bytes() const { return share_bytes_; }  ///< what each task can count on of the memory limit
  const std::shared_ptr<const MaterializedRows>& left() const { return left_; }
  /// Returns the matches of left rows; null unless left rows are emitted after all blocks have been probed.
  EarlierMatches* earlier() const { return earlier_.get(); }
  size_t block_count() const { return block_count_.load(); }

 private:
  const RangeJoinSpecification& join_;
  std::optional<MemoryGrant> grant_;
  RangeJoinRightRows right_;
  uint64_t most_rows_ = UINT64_MAX;
  size_t share_bytes_ = 0;
  std::shared_ptr<const MaterializedRows> left_;
  std::unique_ptr<EarlierMatches> earlier_;
  std::atomic<size_t> block_count_{0};
  std::atomic<size_t> next_left_piece_{0};
  BatchCounter batches_;
  Mutex mutex_;
  size_t next_part_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t next_piece_ SCAUP_GUARDED_BY(mutex_) = 0;
};

/// One thread's work on the blocks: makes a block ready to be probed, and reads left rows into the input of
/// the thread's probe.
class RangeJoinBlockTask {
 public:
  RangeJoinBlockTask(RangeJoinBlocks& blocks, RangeJoinProbe& probe);

  /// Builds the index of the next right rows that no task has taken, for the probe; false if there are none
  /// left.
  bool BeginBlock(QueryContext& context);
  /// Reads the next left rows for the present block; false if there are none left.
  bool NextInput();
  /// Restores matches that the left rows have found in an earlier block, or in a block of another task. If
  /// one match suffices, rows with a match are not probed again.
  void RecallMatches();
  /// Records the matches of the left rows, whose output waits for the last block.
  void DeferProbeRows();
  /// Emits left rows without pairs, once all blocks have been probed; false if there are none left.
  bool EmitLeft(DataChunk& output);
  uint64_t NextBatch() { return blocks_.NextBatch(batches_); }

 private:
  void CollectRight(QueryContext& context, RangeJoinBuildSide& block, ColumnCollection& rows);
  void ReadLeft(size_t piece);

  RangeJoinBlocks& blocks_;
  RangeJoinProbe& probe_;
  TaskSeat seat_;
  DataChunk waiting_;         // Right rows that are not yet in a block.
  size_t waiting_begin_ = 0;  // The first of them.
  std::unique_ptr<RangeJoinBuildSide> block_;
  KeptRowsReader left_reader_;
  std::vector<size_t> left_columns_;  // The indexes of all columns.
  size_t next_left_piece_ = 0;
  uint64_t first_left_row_ = 0;  // Position of the input's first row among all left rows.
  Turn batches_;
};

}  // namespace scaup
