// Range join states: shared by all threads, and local to each.
#pragma once

#include <atomic>
#include <optional>

#include "common/lock/mutex.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/join/range_join.hpp"
#include "execution/range/range_search.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution/run/turns.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

/// The right rows that are probed at a time: all of them, or one block.
struct RangeJoin::JoinBuildSide {
  explicit JoinBuildSide(QueryContext& context)
      : memory(context.arbiter, context.functions.interrupted), matched(memory.account()) {}
  /// An upper bound of the bytes that building takes, besides the copy of the rows.
  static size_t MostBytes(const RangeSchema& schema, size_t row_count) {
    return RangeIndex::MostBytes(schema, row_count) + row_count / 8 + sizeof(uint64_t);
  }

  SpillableReservation memory;
  std::unique_ptr<RangeIndex> index;
  MatchedRows matched;  // Used if the join emits unmatched right rows.
};

/// Both sides of a join whose right side does not fit in memory. Each block of right rows is joined with all
/// left rows by one task, in parallel with other blocks. No more blocks than tasks are in memory.
struct RangeJoin::Blocks {
  /// Takes right rows that no task has taken yet; empty if there are none left.
  RowsPiece TakeRight();

  std::vector<std::unique_ptr<SpillableRows>> right;
  uint64_t most_rows = UINT64_MAX;  // The most rows of a block.
  size_t share_bytes = 0;           // The part of the memory limit that each task can count on.
  std::shared_ptr<const MaterializedRows> left;
  std::vector<size_t> left_columns;         // The indexes of all columns.
  std::unique_ptr<EarlierMatches> earlier;  // Set if left rows are emitted after all blocks have been probed.
  std::atomic<size_t> block_count{0};
  std::atomic<size_t> next_left_piece{0};  // The next left piece to emit after all blocks.
  BatchCounter batches;

 private:
  Mutex mutex_;
  size_t next_part_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t next_piece_ SCAUP_GUARDED_BY(mutex_) = 0;
};

/// The state of a range join that all threads share.
struct RangeJoin::Shared final : SharedState {
  std::unique_ptr<JoinBuildSide> built;  // Null if blocks are used.
  std::unique_ptr<Blocks> blocks;        // Null if all right rows fit in memory.
  std::atomic<size_t> probing{0};
};

/// The state of a range join's thread.
struct RangeJoin::Local final : LocalState {
  Local(const RangeJoin& join, QueryContext& context)
      : input(join.children[0]->types()),
        key_executor(context.functions, join.left_keys_),
        keys(TypesOf(join.left_keys_)) {
    std::vector<LogicalType> pair_types = join.children[0]->types();
    const auto& right_types = join.children[1]->types();
    pair_types.insert(pair_types.end(), right_types.begin(), right_types.end());
    pairs.Initialize(pair_types);
    if (join.residual_) residual.emplace(context.functions, *join.residual_);
  }
  // For joins block by block:
  DataChunk waiting;         // Right rows that are not yet in a block.
  size_t waiting_begin = 0;  // The first of them.
  std::unique_ptr<JoinBuildSide> block;
  KeptRowsReader left_reader;
  size_t next_left_piece = 0;
  Turn batches;

  JoinBuildSide* built = nullptr;
  DataChunk input;
  uint64_t first_left_row = 0;  // Position of the input's first row among all left rows.
  ExpressionExecutor key_executor;
  DataChunk keys;
  std::optional<RangeSearch> search;
  // Left rows whose partners are not all found yet, and by row the position at which the search continues.
  sel_t open[kVectorSize];
  size_t open_count = 0;
  size_t next_open = 0;
  uint64_t positions[kVectorSize];
  size_t most_per_visit = 0;
  // The pairs found: one left row with consecutive right rows, or arbitrary pairs.
  bool is_stretch = false;
  size_t pair_count = 0;
  SelectionRef left_rows;
  uint64_t right_rows[kVectorSize];
  DataChunk pairs;
  std::optional<ExpressionExecutor> residual;
  ProbeMatches matches;
  enum class Phase : uint8_t { kBlock, kInput, kPairs, kRight, kLeft, kEnd } phase = Phase::kInput;
};

}  // namespace scaup
