// Grouping: merging the groups that tasks have found, and outputting them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "common/lock/mutex.hpp"
#include "execution/aggregate/group_builder.hpp"
#include "execution/aggregate/integer_set.hpp"
#include "execution/run/physical_operator.hpp"
#include "execution/run/turns.hpp"
#include "execution/scan/clustered_input.hpp"

namespace scaup {

/// Pre-aggregates the rows of one task. A single integer key without aggregates is an IntegerSet as long as
/// that pays. Owned by its grouping once the task has ended.
class AggregateSink final : public ChunkSink {
 public:
  AggregateSink(QueryContext& context, const AggregateLayout& layout, bool begins_with_set,
                MemoryGrant& grant);
  void Consume(DataChunk& chunk) override;
  void AddSet(const IntegerSet& values);
  void Finish() override { builder.Finish(); }

  GroupBuilder builder;
  std::optional<IntegerSet> set;

 private:
  const AggregateLayout& layout_;
};

/// The rows of a table by partition.
using PartitionedGroups = std::vector<std::vector<std::byte*>>;

/// Up to 1024 groups, ready for output.
struct OutputSlice {
  AggregateTable* table;
  std::byte* first;
  size_t count;
};

/// A unit of work: rows of a partition, or of a part of one, that are aggregated separately.
struct GroupWork {
  size_t level = 1;                          ///< the level at which the rows are partitioned further
  std::optional<size_t> partition;           ///< of the sinks; none if all rows are in `rows`
  std::shared_ptr<GroupBuilder> rows_owner;  ///< the builder of the level below
  std::optional<PartitionReader> rows;       ///< if neither is set: the next batch of clustered input
};

/// The state of a task that outputs groups. Destroyed before the grouping.
struct GroupingTask {
  TaskSeat seat;  ///< while it aggregates partitions or batches
  std::vector<GroupWork> works;
  std::shared_ptr<GroupBuilder> builder;  ///< the builder whose table is output
  std::vector<OutputSlice> slices;
  size_t next_slice = 0;
  Turn turn;                                     ///< of shared slices or batches
  std::optional<IntegerSet::Position> position;  ///< in the integer set
  // For clustered input, which outputs batches before sinks:
  enum class Phase : uint8_t { kBatches, kSinks, kEnd } phase = Phase::kSinks;
  std::optional<ClusteredInput> input;
  uint64_t batch = 0;                      ///< the batch that is being output
  std::unique_ptr<AggregateSink> borders;  ///< rows at the borders of the task's batches
};

/// One GROUP BY. It takes chunks in sinks, one for each task, merges the sinks, and outputs the groups with
/// their aggregates. Owned by the operator's shared state; borrows all arguments. Between Merge and the end
/// any number of tasks may call Produce.
class Grouping {
 public:
  /// `certain_groups` have a row even if the input has none. `groupings_at_once` is the number of groupings
  /// whose sinks each task fills at once; they share its memory.
  Grouping(QueryContext& context, const std::vector<LogicalType>& input_types, size_t group_count,
           const std::vector<AggregateSpecification>& aggregates,
           const std::vector<std::vector<Value>>& certain_groups, size_t groupings_at_once = 1);

  /// Opens the grant of the sinks, with a minimum for each of `groupings_at_once`. The caller ends it when
  /// all rows are in sinks. `use` counts this grant, and later ones, and outlives the grouping.
  std::shared_ptr<MemoryGrant> BeginSinks(size_t most_tasks, MemoryUse* use);
  /// Lets the sinks share the grant of another grouping's.
  void ShareSinks(std::shared_ptr<MemoryGrant> grant) { sinks_grant_ = std::move(grant); }
  /// REQUIRES: BeginSinks or ShareSinks was called.
  std::unique_ptr<AggregateSink> MakeSink();
  /// Takes over the sinks, which hold all rows, and makes the groups ready for output.
  void Merge(std::vector<std::unique_ptr<ChunkSink>> sinks);
  /// Groups rows while they are pulled from a clustered input instead, batch by batch.
  void SetClusters(KeyClusters clusters, MemoryUse* use);
  const std::optional<KeyClusters>& clusters() const { return clusters_; }
  /// Registers a task. Called before operators below, such as joins, register the task.
  void CountClusteredTask() { clustering_.fetch_add(1); }
  void BeginClustered(GroupingTask& task, const PhysicalOperator& input, SharedState& shared,
                      LocalState& local);
  size_t MaxTasks() const;
  /// Outputs the next groups; no rows at the end.
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
  size_t FinalizeSlice(GroupingTask& task, const OutputSlice& slice, DataChunk& output);

  QueryContext& context_;
  const AggregateLayout layout_;
  const std::vector<std::vector<Value>>& certain_groups_;
  const PartitionBits bits_;
  const bool begins_with_set_;
  std::shared_ptr<MemoryGrant> sinks_grant_;
  std::optional<MemoryGrant> partitions_grant_;
  std::vector<std::unique_ptr<ChunkSink>>
      sinks_;  // Owned to the end: all other tables refer to their memory.
  BatchCounter batches_;

  // Few groups: one table holds them all.
  std::unique_ptr<AggregateTable> merged_;
  std::vector<OutputSlice> slices_;
  TurnCounter slice_turns_;

  // Many groups: partition by partition, each output by the task that takes its number. Indexed by sink.
  std::vector<PartitionedGroups> groups_;
  std::atomic<size_t> next_partition_{0};
  Mutex give_back_mutex_;  // Held while a sink's builder gives back memory.
  Mutex finish_mutex_;     // Held while retained rows are merged, which takes a share of all memory.

  // The merged integer set of all sinks.
  std::optional<IntegerSet> set_;
  std::atomic<size_t> next_part_{0};

  // Clustered input is not drained in advance: each task groups batches as it pulls them. Only rows at the
  // borders of batch ranges go to sinks, which the last task to end merges.
  std::optional<KeyClusters> clusters_;
  std::atomic<size_t> clustering_{0};  // Tasks that may still pull rows.
  std::atomic<bool> borders_are_taken_{false};
  uint64_t first_batch_ = 0;  // The batch index of the sinks' groups, after all batches of the input.
  Mutex sinks_mutex_;  // Held while sinks_ grows with clustered input; read when no task adds any more.
};

}  // namespace scaup
