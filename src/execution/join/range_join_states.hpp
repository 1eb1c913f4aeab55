// What a running range join has, shared and of each thread.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/join/range_join.hpp"
#include "execution/range/range_search.hpp"
#include "execution/rows/shared_rows.hpp"
#include "execution/run/turns.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

/// The right rows that are probed at a time: all, or a block of them.
struct RangeJoin::JoinBuildSide {
  explicit JoinBuildSide(QueryContext& context)
      : memory(context.arbiter, context.functions.interrupted), matched(memory.account()) {}
  /// The most bytes that making it of so many rows takes, besides their copy.
  static size_t MostBytes(const RangeSchema& schema, size_t row_count) {
    return RangeIndex::MostBytes(schema, row_count) + row_count / 8 + sizeof(uint64_t);
  }

  SpillableReservation memory;
  std::unique_ptr<RangeIndex> index;
  MatchedRows matched;  // Where the join keeps right rows.
};

/// Both sides where the right one does not fit in memory: each block of right rows is joined with all left
/// rows by one task, beside others. There are no more of them in memory than tasks.
struct RangeJoin::Blocks {
  /// Right rows that nobody has; empty where there are none.
  RowsPiece TakeRight();

  std::vector<std::unique_ptr<SpillableRows>> right;
  uint64_t most_rows = UINT64_MAX;  // Of a block.
  size_t share_bytes = 0;           // Of the memory limit, what each task can count on.
  std::shared_ptr<const MaterializedRows> left;
  std::vector<size_t> left_columns;         // All of them.
  std::unique_ptr<EarlierMatches> earlier;  // Where left rows are given out when all blocks have been probed.
  std::atomic<size_t> block_count{0};
  std::atomic<size_t> next_left_piece{0};  // Then.
  BatchCounter batches;

 private:
  std::mutex mutex_;  // Guards what follows.
  size_t next_part_ = 0;
  size_t next_piece_ = 0;
};

struct RangeJoin::Shared final : SharedState {
  std::unique_ptr<JoinBuildSide> built;  // Null: block by block.
  std::unique_ptr<Blocks> blocks;        // Null: all right rows fit.
  std::atomic<size_t> probing{0};
};

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
  // Of a join block by block.
  DataChunk waiting;         // Right rows that are in no block yet,
  size_t waiting_begin = 0;  // from here on.
  std::unique_ptr<JoinBuildSide> block;
  KeptRowsReader left_reader;
  size_t next_left_piece = 0;
  Turn batches;

  JoinBuildSide* built = nullptr;
  DataChunk input;
  uint64_t first_left_row = 0;  // Of the input.
  ExpressionExecutor key_executor;
  DataChunk keys;
  std::optional<RangeSearch> search;
  // Left rows whose partners are not all found yet: their numbers, and by number where the search goes on.
  sel_t open[kVectorSize];
  size_t open_count = 0;
  size_t next_open = 0;
  uint64_t positions[kVectorSize];
  size_t most_per_visit = 0;
  // The pairs found: of one left row with a stretch of right rows, or any.
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
