// Grouping: the groups that tasks found, merged and given out.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "execution/aggregate/group_builder.hpp"
#include "execution/aggregate/integer_set.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/run/turns.hpp"
#include "execution/scan/clustered_input.hpp"

namespace scaup {

/// Pre-aggregates the rows of one task. A single integer is a set of bits as long as that pays. Owned by its
/// grouping once the task has ended.
class AggregateSink final : public ChunkSink {
 public:
  AggregateSink(QueryContext& context, const AggregateLayout& layout, bool begins_with_set);
  void Consume(DataChunk& chunk) override;
  void AddSet(const IntegerSet& values);
  void Finish() override { builder.Finish(); }

  GroupBuilder builder;
  std::optional<IntegerSet> set;

 private:
  const AggregateLayout& layout_;
};

/// Rows of a table by partition.
using PartitionedGroups = std::vector<std::vector<std::byte*>>;

/// Up to 1024 finished groups.
struct OutputSlice {
  AggregateTable* table;
  std::byte* first;
  size_t count;
};

/// Rows that are aggregated apart: of a partition, or of a part of one.
struct GroupWork {
  size_t level = 1;                          ///< from which on rows are those of a partition
  std::optional<size_t> partition;           ///< of the sinks; none: the rows are in `rows` alone
  std::shared_ptr<GroupBuilder> rows_owner;  ///< of the level below
  std::optional<PartitionReader> rows;       ///< none, and no partition: the next batch of a clustered input
};

/// The state of a task that gives groups out. Dies before the grouping.
struct GroupingTask {
  std::vector<GroupWork> works;
  std::shared_ptr<GroupBuilder> builder;  ///< whose table is given out
  std::vector<OutputSlice> slices;
  size_t next_slice = 0;
  Turn turn;                                     ///< of slices that are not its own, or of batches
  std::optional<IntegerSet::Position> position;  ///< in the set
  // Of clustered input: batches come first.
  enum class Phase : uint8_t { kBatches, kSinks, kEnd } phase = Phase::kSinks;
  std::optional<ClusteredInput> input;
  uint64_t batch = 0;                      ///< that is given out
  std::unique_ptr<AggregateSink> borders;  ///< the rows at the borders of its batches
};

/// One GROUP BY: takes chunks in sinks, one for each task, merges what these have, and gives out the groups
/// with their aggregates. Owned by the operator's shared state; borrows all that it is made of. Between Merge
/// and the end any number of tasks may call Produce.
class Grouping {
 public:
  /// `certain_groups` have a row even of no input.
  /// Each task fills sinks of so many groupings at once.
  Grouping(QueryContext& context, const std::vector<LogicalType>& input_types, size_t group_count,
           const std::vector<AggregateSpecification>& aggregates,
           const std::vector<std::vector<Value>>& certain_groups, size_t groupings_at_once = 1);

  std::unique_ptr<AggregateSink> MakeSink();
  /// All rows are in these.
  void Merge(std::vector<std::unique_ptr<ChunkSink>> sinks);
  /// Has rows grouped as they come out of an input instead, batch by batch.
  void SetClusters(KeyClusters clusters);
  const std::optional<KeyClusters>& clusters() const { return clusters_; }
  /// Counts a task before the tasks of operators below are counted, as in joins.
  void CountClusteredTask() { clustering_.fetch_add(1); }
  void BeginClustered(GroupingTask& task, const PhysicalOperator& input, SharedState& shared,
                      LocalState& local);
  size_t MaxTasks() const;
  /// The next groups; none at the end.
  void Produce(GroupingTask& task, DataChunk& output);

  bool may_be_clustered() const { return !begins_with_set_ && certain_groups_.empty(); }

 private:
  AggregateSink& SinkOf(size_t sink) { return static_cast<AggregateSink&>(*sinks_[sink]); }
  GroupBuilder& BuilderOf(size_t sink) { return SinkOf(sink).builder; }
  void MergeSerially();
  void MergeSets();
  void PartitionSinks();
  void MergeSinks(const std::vector<std::vector<Value>>& certain_groups);
  void AddPartition(size_t partition, DataChunk& chunk, GroupBuilder& builder);
  bool AddBatch(GroupingTask& task, GroupBuilder& builder);
  bool BuildNext(GroupingTask& task);
  bool TakeBorders();
  void ProduceFromSet(GroupingTask& task, DataChunk& output);
  const OutputSlice* NextSlice(GroupingTask& task, uint64_t& batch);
  void FinalizeSlice(GroupingTask& task, const OutputSlice& slice, std::byte** rows, DataChunk& output);

  QueryContext& context_;
  const AggregateLayout layout_;
  const std::vector<std::vector<Value>>& certain_groups_;
  const PartitionBits bits_;
  const bool begins_with_set_;
  std::vector<std::unique_ptr<ChunkSink>> sinks_;  // Their memory is referred to by all other tables.
  BatchCounter batches_;

  // Few groups: one table has them all.
  std::unique_ptr<AggregateTable> merged_;
  std::vector<OutputSlice> slices_;
  TurnCounter slice_turns_;

  // Many: partition by partition, each by the task that takes its number. By sink.
  std::vector<PartitionedGroups> groups_;
  std::atomic<size_t> next_partition_{0};
  std::mutex give_back_mutex_;  // Of the sinks' builders.
  std::mutex finish_mutex_;     // Of rows that come back in order: each takes its part of all memory.

  // A set of integers, of all sinks.
  std::optional<IntegerSet> set_;
  std::atomic<size_t> next_part_{0};

  // Clustered input is not drained before: each task groups batches of it. Only the rows at the borders of
  // their ranges go to sinks, and these are merged by the task that ends last.
  std::optional<KeyClusters> clusters_;
  std::atomic<size_t> clustering_{0};  // Tasks that may have rows to come.
  std::atomic<bool> borders_are_taken_{false};
  uint64_t first_batch_ = 0;  // Of what the sinks have: behind those of the input.
  std::mutex sinks_mutex_;    // While there are clusters.
};

}  // namespace scaup
