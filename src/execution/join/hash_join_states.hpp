// Hash join states: shared by all threads, and local to each.
#pragma once

#include <atomic>
#include <exception>
#include <optional>

#include "common/lock/mutex.hpp"
#include "execution/join/dense_join_table.hpp"
#include "execution/join/hash_join.hpp"
#include "execution/join/join_builder.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/run/turns.hpp"
#include "planner/node/join.hpp"

namespace scaup {

/// The build rows that are probed at a time: all of them, or those of a partition.
struct HashJoin::JoinBuildSide {
  JoinBuildSide(const RowLayout& layout, MemoryTracker& memory) : table(layout, memory) {}
  JoinTable table;
  std::unique_ptr<DenseJoinTable> dense;  // Null if the hash table's directory is used.
  // Build rows for the output of unmatched ones, by the last thread to end its probe. Two threads can do this
  // at once: a thread may begin after another has ended as the last, and it then finds no probe rows.
  std::vector<std::pair<std::byte*, size_t>> right_slices;
  std::atomic<size_t> next_right_slice{0};
};

/// A partition of both sides: rows with the same bits of their key hashes. If the build rows do not fit in
/// memory and partitioning them again would not help, they are joined block by block, each with all probe
/// rows.
struct HashJoin::Part {
  /// Whether partitioning the build rows again would not help, or is disabled.
  bool DividesNoMore(const QueryContext& context) const;
  uint64_t MostBlockRows(const QueryContext& context) const;
  /// Adds build rows that were in no block yet; false if some are left.
  bool AddRight(QueryContext& context, JoinBuilder& builder);
  /// Rewinds to the first probe row, for the next block of build rows.
  void RewindLeft(LogicalJoinType join_type, MemoryTracker& memory, bool is_last);

  size_t level = 1;
  std::vector<std::shared_ptr<void>> owners;  // Owners of the rows.
  std::vector<PartitionReader> right;
  std::vector<PartitionReader> left;
  size_t next_right = 0;
  size_t next_left = 0;
  uint64_t left_row_end = 0;  // Number of rows read so far.
  DataChunk waiting;          // Build rows that did not fit in the block.
  bool is_last_block = true;
  std::unique_ptr<EarlierMatches> earlier;  // Set if there are several blocks.
};

/// The state of a hash join that all threads share.
struct HashJoin::Shared final : SharedState {
  Shared(const HashJoin& join, QueryContext& context)
      : rules{join.layout_, join.nulls_equal_, KeepsRight(join.join_type_)},
        built(join.layout_, context.memory()) {}

  JoinBuilder& BuilderOf(size_t sink);

  const JoinBuildRules rules;
  std::vector<std::unique_ptr<ChunkSink>> sinks;  // The build side; they own the memory of all rows.
  JoinBuildSide built;
  std::exception_ptr late_error;  // Thrown for the first probe row.
  bool has_null_key = false;
  uint64_t right_row_count = 0;
  std::atomic<size_t> probing{0};

  bool is_divided = false;  // If true, the members below replace `built`.
  std::vector<std::unique_ptr<ChunkSink>> left_sinks;
  Mutex parts_mutex;                                              // Also guards GiveBack of the sinks.
  std::vector<Part> divided_again SCAUP_GUARDED_BY(parts_mutex);  // Partitions that were too large.
  size_t next_part SCAUP_GUARDED_BY(parts_mutex) = 0;
  BatchCounter batches;
};

/// The state of a hash join's thread.
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
  // For partitioned joins:
  std::shared_ptr<JoinBuilder> part_builder;  // Owns the memory of the partition's build rows.
  std::unique_ptr<JoinBuildSide> part_built;
  std::optional<Part> part;  // Never assigned to: rows must be freed before their owners.

  Turn batches;

  JoinBuildSide* built = nullptr;
  DataChunk input;
  ExpressionExecutor keys_executor;
  DataChunk keys;
  std::unique_ptr<ExpressionExecutor> residual_executor;
  DataChunk pairs;
  Vector truth{TypeId::kBoolean};  // Result of a mark join's residual.
  ProbeMatches matches;
  std::byte* rows[kVectorSize];  // By probe row: its current row in the chain,
  uint32_t slots[kVectorSize];   // or the slot of its partner in a dense table.
  sel_t open[kVectorSize];       // Probe rows whose chain has more rows.
  size_t open_count = 0;
  enum class Phase : uint8_t { kInput, kProbe, kRight, kEnd } phase = Phase::kInput;
};

}  // namespace scaup
