// Grouping: merging the sinks of all tasks, serially or by partition, and finishing groups.
#include "execution/aggregate/grouping.hpp"

#include <algorithm>
#include <utility>

#include "scaup/error.hpp"

namespace scaup {

namespace {

/// Up to this many groups in total, a serial merge is cheaper than partitions.
constexpr size_t kSerialMergeGroups = 32768;

/// If retained rows exceed this fraction (1/16) of the memory, the sinks are merged by partition.
constexpr size_t kPartitionedMergeShare = 16;

/// Retained rows that return to their groups take about this fraction (1/16) of a task's memory at a time.
constexpr size_t kReturnedShare = 16;

/// The fraction (1/8) of a task's memory that an integer set may take.
constexpr size_t kSetShare = 8;

bool IsSetOfIntegers(const QueryContext& context, const AggregateLayout& layout) {
  return layout.aggregates.empty() && layout.group_count == 1 && !context.forces_partitions() &&
         IntegerSet::Holds(PhysicalTypeOf(layout.group_types[0]));
}

PartitionedGroups PartitionGroups(const GroupTable& table, size_t row_bytes, const PartitionBits& bits) {
  PartitionedGroups partitions(bits.partition_count());
  table.rows().ForEachBlock([&](std::byte* first, size_t count) {
    for (size_t i = 0; i < count; i++) {
      std::byte* row = first + i * row_bytes;
      partitions[bits.Of(GroupTable::HashOf(row))].push_back(row);
    }
  });
  return partitions;
}

std::vector<std::byte*> AllRows(const GroupTable& table, size_t row_bytes) {
  return std::move(PartitionGroups(table, row_bytes, {})[0]);
}

/// Adds all groups of a table, in the order of their addresses, in which retained rows return to them.
void AddSlices(AggregateTable& table, size_t row_bytes, std::vector<OutputSlice>& slices) {
  const auto begin = static_cast<std::ptrdiff_t>(slices.size());
  table.groups().rows().ForEachBlock([&](std::byte* first, size_t count) {
    for (size_t i = 0; i < count; i += kVectorSize)
      slices.push_back({&table, first + i * row_bytes, std::min(kVectorSize, count - i)});
  });
  std::sort(slices.begin() + begin, slices.end(),
            [](const OutputSlice& a, const OutputSlice& b) { return a.first < b.first; });
}

/// Opens the grant of the tasks that aggregate partitions or batches.
void OpenPartitionsGrant(QueryContext& context, const AggregateLayout& layout, MemoryUse* use,
                         std::optional<MemoryGrant>& grant) {
  grant.emplace(context.grants, context.scheduler().thread_count(), LeastGroupingBytes(context, layout, 1),
                use);
}

void AddAll(PartitionReader rows, DataChunk& chunk, GroupBuilder& builder) {
  while (rows.Next(chunk)) builder.Add(chunk);
}

}  // namespace

AggregateSink::AggregateSink(QueryContext& context, const AggregateLayout& layout, bool begins_with_set,
                             MemoryGrant& grant)
    : builder(context, layout, 0, grant), layout_(layout) {
  if (begins_with_set)
    set.emplace(PhysicalTypeOf(layout.group_types[0]), context.memory(),
                context.MemoryShareBytes() / kSetShare);
}

void AggregateSink::Consume(DataChunk& chunk) {
  if (set) {
    if (set->TryAdd(chunk.column(0), chunk.size())) return;
    AddSet(*set);
    set.reset();
  }
  builder.Add(chunk);
}

void AggregateSink::AddSet(const IntegerSet& values) {
  DataChunk chunk(layout_.input_types);
  for (IntegerSet::Position position; position.part < values.part_count(); position = {position.part + 1}) {
    while (true) {
      chunk.ResetForWriting();
      chunk.SetSize(values.Read(position, chunk.column(0)));
      if (chunk.size() == 0) break;
      builder.Add(chunk);
    }
  }
}

Grouping::Grouping(QueryContext& context, const std::vector<LogicalType>& input_types, size_t group_count,
                   const std::vector<AggregateSpecification>& aggregates,
                   const std::vector<std::vector<Value>>& certain_groups, size_t groupings_at_once)
    : context_(context),
      layout_(input_types, group_count, aggregates, groupings_at_once),
      certain_groups_(certain_groups),
      bits_(GroupPartitionBits(context, 0)),
      begins_with_set_(IsSetOfIntegers(context, layout_) && certain_groups.empty()) {}

std::shared_ptr<MemoryGrant> Grouping::BeginSinks(size_t most_tasks, MemoryUse* use) {
  const size_t least_bytes = layout_.tables_at_once * LeastGroupingBytes(context_, layout_, 0);
  sinks_grant_ = std::make_shared<MemoryGrant>(context_.grants, most_tasks, least_bytes, use);
  return sinks_grant_;
}

std::unique_ptr<AggregateSink> Grouping::MakeSink() {
  SCAUP_ASSERT(sinks_grant_ != nullptr);
  return std::make_unique<AggregateSink>(context_, layout_, begins_with_set_, *sinks_grant_);
}

void Grouping::Merge(std::vector<std::unique_ptr<ChunkSink>> sinks) {
  sinks_ = std::move(sinks);
  if (begins_with_set_) MergeSets();
  if (!set_) MergeSinks(certain_groups_);
}

void Grouping::SetClusters(KeyClusters clusters, MemoryUse* use) {
  first_batch_ = clusters.batch_count();
  clusters_ = std::move(clusters);
  BeginSinks(context_.scheduler().thread_count(), use);  // For rows at the borders of batches.
  OpenPartitionsGrant(context_, layout_, sinks_grant_->use(), partitions_grant_);
}

void Grouping::BeginClustered(GroupingTask& task, const PhysicalOperator& input, SharedState& shared,
                              LocalState& local) {
  task.phase = GroupingTask::Phase::kBatches;
  task.input.emplace(*clusters_, input, shared, local);
}

size_t Grouping::MaxTasks() const {
  if (set_) return set_->part_count();
  if (!groups_.empty()) return bits_.partition_count();
  return std::max<size_t>(1, slices_.size() / 8);
}

void Grouping::Produce(GroupingTask& task, DataChunk& output) {
  if (set_) return ProduceFromSet(task, output);
  const OutputSlice* slice = NextSlice(task, output.batch_index);
  if (slice == nullptr) return;
  const size_t count = FinalizeSlice(task, *slice, output);
  if (count == slice->count) return;
  // The rest of the task's own slice is output next.
  OutputSlice& rest = task.slices[--task.next_slice];
  rest.first += count * layout_.rows.row_bytes();
  rest.count -= count;
}

/// Merges all sinks into one table.
void Grouping::MergeSerially() {
  merged_ = std::make_unique<AggregateTable>(layout_, context_.functions, context_.memory());
  for (size_t sink = 0; sink < sinks_.size(); sink++) {
    AggregateTable& table = BuilderOf(sink).table();
    merged_->MergeRows(AllRows(table.groups(), layout_.rows.row_bytes()));
  }
}

/// Merges the sets of all sinks. If a sink has no set, or memory is short, the values become ordinary rows.
void Grouping::MergeSets() {
  bool all = true;
  for (size_t sink = 0; sink < sinks_.size(); sink++) {
    std::optional<IntegerSet>& set = SinkOf(sink).set;
    if (!set) {
      all = false;
    } else if (!set_) {
      set_ = std::exchange(set, std::nullopt);
    } else if (set_->TryMerge(*set)) {
      set.reset();
    } else {
      all = false;
    }
  }
  if (all || !set_) return;
  auto rows = std::make_unique<AggregateSink>(context_, layout_, false, *sinks_grant_);
  rows->AddSet(*set_);
  set_.reset();
  for (size_t sink = 0; sink < sinks_.size(); sink++) {
    std::optional<IntegerSet>& set = SinkOf(sink).set;
    if (set) rows->AddSet(*set);
    set.reset();
  }
  rows->Finish();
  sinks_.push_back(std::move(rows));
}

/// Assigns the groups of the sinks' tables to partitions.
void Grouping::PartitionSinks() {
  groups_.resize(sinks_.size());
  context_.scheduler().RunAll(sinks_.size(), [&](size_t sink) {
    AggregateTable& table = BuilderOf(sink).table();
    groups_[sink] = PartitionGroups(table.groups(), layout_.rows.row_bytes(), bits_);
  });
}

/// Adds the rows and groups that all sinks have for a partition.
void Grouping::AddPartition(size_t partition, DataChunk& chunk, GroupBuilder& builder) {
  for (const auto& groups : groups_) builder.table().MergeRows(groups[partition]);
  for (size_t sink = 0; sink < sinks_.size(); sink++) {
    GroupBuilder& source = BuilderOf(sink);
    if (source.rest() == nullptr) continue;
    AddAll(source.rest()->Take(partition), chunk, builder);
    const MutexLock lock(give_back_mutex_);
    source.GiveBack();
  }
}

/// Aggregates the next batch of a clustered input. The last task to end handles the rows at batch borders for
/// all tasks. Returns false if there are no more batches.
bool Grouping::AddBatch(GroupingTask& task, GroupBuilder& builder) {
  const auto add_border = [&](DataChunk& chunk) {
    if (!task.borders)
      task.borders = std::make_unique<AggregateSink>(context_, layout_, false, *sinks_grant_);
    task.borders->Consume(chunk);
  };
  const auto add = [&](DataChunk& chunk) { builder.Add(chunk); };
  if (task.input->ReadBatch(context_, add, add_border, task.batch)) return true;
  if (task.borders) {
    task.borders->Finish();
    const MutexLock lock(sinks_mutex_);
    sinks_.push_back(std::move(task.borders));
  }
  return false;
}

/// Aggregates the next partition, part of a partition, or batch. Returns false if there are no more.
bool Grouping::BuildNext(GroupingTask& task) {
  task.slices.clear();
  task.next_slice = 0;
  // Free the previous table before the next one grows.
  if (task.builder) task.builder->ReleaseTable();
  task.builder.reset();
  if (!task.seat.is_taken()) task.seat = TaskSeat(*partitions_grant_);
  if (!task.seat.is_taken()) return false;
  GroupWork work;
  if (!task.works.empty()) {
    work = std::move(task.works.back());
    task.works.pop_back();
  } else if (task.phase == GroupingTask::Phase::kSinks) {
    work.partition = next_partition_.fetch_add(1, std::memory_order_relaxed);
    if (*work.partition >= bits_.partition_count()) {
      task.seat.Leave();
      return false;
    }
  }
  auto builder = std::make_shared<GroupBuilder>(context_, layout_, work.level, *partitions_grant_);
  DataChunk chunk(layout_.input_types);
  if (work.partition) {
    for (const auto& group : certain_groups_) {
      if (bits_.Of(builder->table().HashOf(group)) == *work.partition) builder->table().EnsureGroup(group);
    }
    AddPartition(*work.partition, chunk, *builder);
  } else if (work.rows) {
    AddAll(std::move(*work.rows), chunk, *builder);
  } else if (!AddBatch(task, *builder)) {
    return false;  // With its seat: the task may have to go on with the rows at the borders.
  }
  builder->Finish();
  builder->FinishRows(finish_mutex_);
  if (!builder->table().are_rows_apart()) builder->table().FinishAhead();
  AddSlices(builder->table(), layout_.rows.row_bytes(), task.slices);
  if (HashPartitions* rest = builder->rest()) {
    for (size_t part = 0; part < rest->bits().partition_count(); part++) {
      if (rest->row_count(part) != 0)
        task.works.push_back({work.level + 1, std::nullopt, builder, rest->Take(part)});
    }
  }
  task.builder = std::move(builder);
  return true;
}

/// Prepares the groups of all sinks for output.
void Grouping::MergeSinks(const std::vector<std::vector<Value>>& certain_groups) {
  size_t total = 0, kept_bytes = 0;
  bool has_rest = false;
  for (size_t sink = 0; sink < sinks_.size(); sink++) {
    total += BuilderOf(sink).table().groups().group_count();
    kept_bytes += BuilderOf(sink).table().kept_bytes();
    has_rest = has_rest || BuilderOf(sink).rest() != nullptr;
  }
  // Retained rows are sorted on output, and tasks need less memory for partitions than for slices of one
  // table.
  const bool keeps_much = kept_bytes > context_.MemoryBytes() / kPartitionedMergeShare;
  if (has_rest || keeps_much || (sinks_.size() > 1 && total > kSerialMergeGroups)) {
    // Partitioned rows must meet the groups of their partition from all tables.
    PartitionSinks();
    if (!partitions_grant_) OpenPartitionsGrant(context_, layout_, sinks_grant_->use(), partitions_grant_);
    return;
  }
  if (sinks_.size() > 1) MergeSerially();
  AggregateTable& table = merged_ ? *merged_ : BuilderOf(0).table();
  // A group without input rows comes into existence here, with its initial state.
  for (const auto& group : certain_groups) table.EnsureGroup(group);
  AddSlices(table, layout_.rows.row_bytes(), slices_);
}

/// Decides whether this task, whose clustered input has ended, is to output the groups at batch borders.
bool Grouping::TakeBorders() {
  // A task that begins after all others have ended finds no rows, and the borders already taken.
  if (clustering_.fetch_sub(1) != 1 || borders_are_taken_.exchange(true)) return false;
  if (!sinks_.empty()) MergeSinks({});
  return true;
}

void Grouping::ProduceFromSet(GroupingTask& task, DataChunk& output) {
  output.ResetForWriting();
  while (true) {
    if (!task.position) {
      const size_t part = next_part_.fetch_add(1, std::memory_order_relaxed);
      if (part >= set_->part_count()) return output.SetSize(0);
      task.position.emplace(IntegerSet::Position{part, 0});
    }
    const size_t count = set_->Read(*task.position, output.column(0));
    output.SetSize(count);
    output.batch_index = batches_.Next(task.turn);
    if (count != 0) return;
    task.position.reset();
  }
}

/// Returns the next groups to output; null if there are no more.
const OutputSlice* Grouping::NextSlice(GroupingTask& task, uint64_t& batch) {
  using Phase = GroupingTask::Phase;
  while (task.phase == Phase::kBatches) {
    batch = task.batch;
    if (task.next_slice != task.slices.size()) return &task.slices[task.next_slice++];
    if (BuildNext(task)) continue;
    task.phase = TakeBorders() ? Phase::kSinks : Phase::kEnd;
  }
  if (task.phase == Phase::kEnd) return nullptr;
  if (groups_.empty()) {
    const size_t index = slice_turns_.Next(task.turn, slices_.size());
    batch = first_batch_ + index;
    return index < slices_.size() ? &slices_[index] : nullptr;
  }
  while (task.next_slice == task.slices.size())
    if (!BuildNext(task)) return nullptr;
  batch = first_batch_ + batches_.Next(task.turn);
  return &task.slices[task.next_slice++];
}

/// Finalizes the first groups of a slice, and returns their number: all, unless they have more retained rows
/// than fit. If memory does not suffice to sort the retained rows, they are spilled and come back in order.
size_t Grouping::FinalizeSlice(GroupingTask& task, const OutputSlice& slice, DataChunk& output) {
  const size_t most_bytes = context_.MemoryShareBytes() / kReturnedShare;
  try {
    return slice.table->Finalize(slice.first, slice.count, most_bytes, output);
  } catch (const Error& error) {
    // Tables that several threads share are small, so spilling them would not help.
    const bool is_own = task.builder && slice.table == &task.builder->table();
    if (error.kind() != ErrorKind::kOutOfMemory || !is_own ||
        !task.builder->TryFinishInLessMemory(finish_mutex_))
      throw;
    return slice.table->Finalize(slice.first, slice.count, most_bytes, output);
  }
}

}  // namespace scaup
