// What a running hash join has, shared and of each thread.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>

#include "execution/join/dense_join_table.hpp"
#include "execution/join/hash_join.hpp"
#include "execution/join/join_builder.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/run/turns.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// The right rows that are probed at a time: all, or those of a part.
struct HashJoin::JoinBuildSide {
  JoinBuildSide(const RowLayout& layout, MemoryTracker& memory) : table(layout, memory) {}
  JoinTable table;
  std::unique_ptr<DenseJoinTable> dense;  // Null: the table's directory is used.
  // Right rows, to give out those without a match: by whoever ends its probe last. That may be two threads
  // beside each other, where one begins only after the other has found no left rows any more.
  std::vector<std::pair<std::byte*, size_t>> right_slices;
  std::atomic<size_t> next_right_slice{0};
};

/// The rows of both sides whose keys have the same bits of their hashes. Where the right ones do not fit in
/// memory, and dividing them again is of no use, they are joined block by block, each with all left rows.
struct HashJoin::Part {
  /// Whether dividing the right rows again would not make them fewer, or is not to be.
  bool DividesNoMore(const QueryContext& context) const;
  uint64_t MostBlockRows(const QueryContext& context) const;
  /// Takes right rows that no block had; false where some are left.
  bool AddRight(QueryContext& context, JoinBuilder& builder);
  /// To the first left row, for a block of right rows: the last one, or not.
  void RewindLeft(LogicalJoinType join_type, MemoryTracker& memory, bool is_last);

  size_t level = 1;
  std::vector<std::shared_ptr<void>> owners;  // Of the rows.
  std::vector<PartitionReader> right;
  std::vector<PartitionReader> left;
  size_t next_right = 0;
  size_t next_left = 0;
  uint64_t left_row_end = 0;  // Behind those that were read.
  DataChunk waiting;          // Right rows that did not fit in the block any more.
  bool is_last_block = true;
  std::unique_ptr<EarlierMatches> earlier;  // Where there are several blocks.
};

struct HashJoin::Shared final : SharedState {
  Shared(const HashJoin& join, QueryContext& context)
      : rules{join.layout_, join.nulls_equal_, KeepsRight(join.join_type_)},
        built(join.layout_, context.memory()) {}

  JoinBuilder& BuilderOf(size_t sink);

  const JoinBuildRules rules;
  std::vector<std::unique_ptr<ChunkSink>> sinks;  // Of the right side; the memory of all rows.
  JoinBuildSide built;
  std::exception_ptr late_error;  // For the first left row.
  bool has_null_key = false;
  uint64_t right_row_count = 0;
  std::atomic<size_t> probing{0};

  bool is_divided = false;  // Then these are used, not `built`.
  std::vector<std::unique_ptr<ChunkSink>> left_sinks;
  std::mutex parts_mutex;           // Guards what follows, and what the sinks give back.
  std::vector<Part> divided_again;  // Those that were too large.
  size_t next_part = 0;
  BatchCounter batches;
};

struct HashJoin::Local final : LocalState {
  Local(const HashJoin& join, QueryContext& context)
      : input(join.children[0]->types()),
        keys_executor(context.functions, join.left_keys_),
        keys(TypesOf(join.left_keys_)) {
    if (join.residual_) {
      residual_executor = std::make_unique<ExpressionExecutor>(context.functions, *join.residual_);
      std::vector<LogicalType> pair_types = join.children[0]->types();
      const auto& right_types = join.children[1]->types();
      pair_types.insert(pair_types.end(), right_types.begin(), right_types.end());
      pairs.Initialize(pair_types);
    }
  }
  // Of a divided join.
  std::shared_ptr<JoinBuilder> part_builder;  // The memory of the part's right rows.
  std::unique_ptr<JoinBuildSide> part_built;
  std::optional<Part> part;  // Not assigned over: its rows must go before their owners.

  Turn batches;

  JoinBuildSide* built = nullptr;
  DataChunk input;
  ExpressionExecutor keys_executor;
  DataChunk keys;
  std::unique_ptr<ExpressionExecutor> residual_executor;
  DataChunk pairs;
  Vector truth{TypeId::kBoolean};  // Of a mark join's residual.
  ProbeMatches matches;
  std::byte* rows[kVectorSize];  // Where each left row stands in its chain,
  uint32_t slots[kVectorSize];   // or its partner in a dense table.
  sel_t open[kVectorSize];       // Left rows whose chain goes on.
  size_t open_count = 0;
  enum class Phase : uint8_t { kInput, kProbe, kRight, kEnd } phase = Phase::kInput;
};

}  // namespace scaup
