// Hash join partitions: joins whose build side does not fit in memory, partition by partition (GRACE hash
// join).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "common/lock/mutex.hpp"
#include "execution/join/hash_join_build.hpp"
#include "execution/join/hash_join_specification.hpp"
#include "execution/join/join_build_side.hpp"
#include "execution/join/join_builder.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/matched_rows.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/run/turns.hpp"
#include "expression/expression_executor.hpp"

namespace scaup {

/// Hashes the keys of probe rows in the same way as the build side's. Used by one thread.
class ProbeKeyHasher {
 public:
  ProbeKeyHasher(const HashJoinSpecification& join, QueryContext& context)
      : join_(join), executor_(context.functions, join.left_keys), keys_(TypesOf(join.left_keys)) {}
  /// Selects the rows that may contribute to the output, and returns their number.
  size_t Hash(DataChunk& input, uint64_t* hashes, sel_t* kept);

 private:
  const HashJoinSpecification& join_;
  ExpressionExecutor executor_;
  DataChunk keys_;
};

/// A partition of both sides: rows with the same bits of their key hashes. If the build rows do not fit in
/// memory and repartitioning them would not help, they are joined block by block, each with all probe
/// rows.
struct JoinPartition {
  /// Whether repartitioning the build rows would not help, or is disabled.
  bool CannotRepartition(const QueryContext& context) const;
  uint64_t MostBlockRows(const QueryContext& context) const;
  /// Adds build rows that were in no block yet; false if some are left.
  bool AddBuildRows(QueryContext& context, JoinBuilder& builder);
  /// Rewinds to the first probe row, for the next block of build rows.
  void RewindProbeRows(LogicalJoinType join_type, MemoryTracker& memory, bool is_last);

  size_t level = 1;
  std::vector<std::shared_ptr<void>> owners;  // Owners of the rows.
  std::vector<PartitionReader> build;
  std::vector<PartitionReader> probe;
  size_t next_build = 0;
  size_t next_probe = 0;
  uint64_t probe_row_end = 0;  // Number of rows read so far.
  DataChunk waiting;           // Build rows that did not fit in the block.
  bool is_last_block = true;
  std::unique_ptr<EarlierMatches> earlier;  // Set if there are several blocks.
};

/// The partitions of both sides of a hash join, which its threads join one by one. Borrows the specification
/// and the build side. Take, Add and NextBatch are thread-safe.
class PartitionedJoin {
 public:
  PartitionedJoin(const HashJoinSpecification& join, HashJoinBuild& build) : join_(join), build_(build) {}

  /// Partitions the rows of all tasks that have not done so themselves.
  void PartitionBuildSide(QueryContext& context);
  /// Pulls all rows out of the prepared probe input, and partitions them.
  void PartitionProbeSide(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
                          OperatorProfile& profile);
  /// Takes a partition that no thread has taken; false if there is none left.
  bool Take(JoinPartition& partition);
  /// Adds the partitions that a too large one was repartitioned into.
  void Add(std::vector<JoinPartition> smaller);
  uint64_t NextBatch(Turn& turn) { return batches_.Next(turn); }

  const HashJoinSpecification& specification() const { return join_; }
  const JoinBuildRules& rules() const { return build_.rules(); }
  /// Returns the memory of the tasks that join partitions. REQUIRES: PartitionProbeSide was called.
  MemoryGrant& grant() {
    SCAUP_ASSERT(join_grant_.has_value());
    return *join_grant_;
  }

 private:
  const HashJoinSpecification& join_;
  HashJoinBuild& build_;
  std::optional<MemoryGrant> probe_grant_;
  std::optional<MemoryGrant> join_grant_;
  std::vector<std::unique_ptr<ChunkSink>> probe_sinks_;
  Mutex mutex_;                                                        // Also guards GiveBack of the sinks.
  std::vector<JoinPartition> repartitioned_ SCAUP_GUARDED_BY(mutex_);  // Of partitions that were too large.
  size_t next_partition_ SCAUP_GUARDED_BY(mutex_) = 0;
  BatchCounter batches_;
};

/// One thread's work on a partitioned join: makes a partition ready to be probed, and reads its probe rows.
class PartitionTask {
 public:
  PartitionTask(PartitionedJoin& join, QueryContext& context)
      : join_(join), hasher_(join.specification(), context) {}

  /// Builds the hash table of the next partition, or of a partition's next block; null if there is none. The
  /// table lives until the next call.
  JoinBuildSide* Begin(QueryContext& context);
  /// Reads the next probe rows of the partition; false if there are none left.
  bool NextInput(DataChunk& input);
  /// Restores matches that these probe rows, the last ones read, have found in earlier blocks. Returns false
  /// if there was no earlier block.
  bool RecallMatches(ProbeMatches& matches, size_t count) const;
  /// Defers the output of these probe rows while further blocks of the build side follow, and records their
  /// matches. Returns false if all their matches are known.
  bool DeferProbeRows(const ProbeMatches& matches, size_t count);
  uint64_t NextBatch() { return join_.NextBatch(batches_); }

 private:
  bool Build(QueryContext& context);
  void Repartition(QueryContext& context, std::shared_ptr<JoinBuilder> builder);

  PartitionedJoin& join_;
  ProbeKeyHasher hasher_;
  Turn batches_;
  TaskSeat seat_;
  std::shared_ptr<JoinBuilder> builder_;  // Owns the memory of the build rows.
  std::unique_ptr<JoinBuildSide> built_;
  std::optional<JoinPartition> partition_;  // Never assigned to: rows must be freed before their owners.
};

}  // namespace scaup
