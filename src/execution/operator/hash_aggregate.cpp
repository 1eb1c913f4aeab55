// GROUP BY by hashing.
#include "execution/operator/hash_aggregate.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "execution/hash_table/integer_set.hpp"
#include "execution/operator/group_builder.hpp"

namespace scaup {

namespace {

/// Up to this many groups in all, one merge is cheaper than partitions.
constexpr size_t kSerialMergeGroups = 32768;
/// From this level on, rows are those of a partition.
constexpr size_t kFirstPartitionLevel = 1;

/// A set of integers may take this part of a task's memory.
constexpr size_t kSetShare = 8;

bool IsSetOfIntegers(const QueryContext& context, const AggregateLayout& layout) {
  return layout.aggregates.empty() && layout.group_count == 1 && !context.forces_partitions() &&
         IntegerSet::Holds(PhysicalTypeOf(layout.group_types[0]));
}

/// Pre-aggregates the rows of one task. A single integer is a set of bits as long as that pays.
class AggregateSink final : public ChunkSink {
 public:
  AggregateSink(QueryContext& context, const AggregateLayout& layout, bool begins_with_set)
      : builder(context, layout, 0), layout_(layout) {
    if (begins_with_set)
      set.emplace(PhysicalTypeOf(layout.group_types[0]), context.memory(),
                  context.MemoryShareBytes() / kSetShare);
  }
  void Consume(DataChunk& chunk) override {
    if (set) {
      if (set->TryAdd(chunk.column(0), chunk.size())) return;
      AddSet(*set);
      set.reset();
    }
    builder.Add(chunk);
  }
  void AddSet(const IntegerSet& values) {
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
  void Finish() override { builder.Finish(); }

  GroupBuilder builder;
  std::optional<IntegerSet> set;

 private:
  const AggregateLayout& layout_;
};

/// Rows of a table by partition.
using PartitionedGroups = std::vector<std::vector<std::byte*>>;

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

/// Up to 1024 finished groups.
struct OutputSlice {
  AggregateTable* table;
  std::byte* first;
  size_t count;
};

void AddSlices(AggregateTable& table, size_t row_bytes, std::vector<OutputSlice>& slices) {
  table.groups().rows().ForEachBlock([&](std::byte* first, size_t count) {
    for (size_t begin = 0; begin < count; begin += kVectorSize)
      slices.push_back({&table, first + begin * row_bytes, std::min(kVectorSize, count - begin)});
  });
}

class AggregateShared final : public SharedState {
 public:
  AggregateShared(const QueryContext& context, const std::vector<LogicalType>& input_types,
                  size_t group_count, const std::vector<AggregateSpecification>& aggregates)
      : layout(input_types, group_count, aggregates), bits(GroupBuilder::BitsOf(context, 0)) {}

  AggregateLayout layout;
  const PartitionBits bits;
  std::vector<std::unique_ptr<ChunkSink>> sinks;  // Their memory is referred to by all other tables.
  std::atomic<uint64_t> next_batch{0};

  // Few groups: one table has them all.
  std::unique_ptr<AggregateTable> merged;
  std::vector<OutputSlice> slices;
  std::atomic<size_t> next_slice{0};

  // Many: partition by partition, each by the task that takes its number. By sink, then its own groups and
  // those of each table of an aggregate with DISTINCT.
  std::vector<std::vector<PartitionedGroups>> groups;
  std::atomic<size_t> next_partition{0};
  std::mutex give_back_mutex;  // Of the sinks' builders.

  // A set of integers, of all sinks.
  std::optional<IntegerSet> set;
  std::atomic<size_t> next_part{0};

  AggregateSink& SinkOf(size_t sink) { return static_cast<AggregateSink&>(*sinks[sink]); }
  GroupBuilder& BuilderOf(size_t sink) { return SinkOf(sink).builder; }
};

/// Rows that are aggregated apart: of a partition, or of a part of one.
struct GroupWork {
  size_t level = kFirstPartitionLevel;
  std::optional<size_t> partition;           ///< of the sinks; none: the rows are in `rows` alone
  std::shared_ptr<GroupBuilder> rows_owner;  ///< of the level below
  std::optional<PartitionReader> rows;
};

class AggregateLocal final : public LocalState {
 public:
  std::vector<GroupWork> works;
  std::shared_ptr<GroupBuilder> builder;  // Whose table is given out.
  std::vector<OutputSlice> slices;
  size_t next_slice = 0;
  std::optional<IntegerSet::Position> position;  // In the set.
};

size_t GroupCountOf(AggregateTable& table, size_t aggregate_count) {
  size_t count = table.groups().group_count();
  for (size_t i = 0; i < aggregate_count; i++) {
    if (GroupTable* distinct = table.distinct(i)) count += distinct->group_count();
  }
  return count;
}

std::vector<std::byte*> AllRows(const GroupTable& table, size_t row_bytes) {
  return std::move(PartitionGroups(table, row_bytes, {})[0]);
}

/// One table for all sinks.
void MergeSerially(QueryContext& context, AggregateShared& shared) {
  shared.merged =
      std::make_unique<AggregateTable>(shared.layout, context.functions, context.memory(), shared.bits);
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    AggregateTable& table = shared.BuilderOf(sink).table();
    shared.merged->MergeRows(AllRows(table.groups(), shared.layout.rows.row_bytes()));
    for (size_t i = 0; i < shared.layout.aggregates.size(); i++) {
      if (GroupTable* distinct = table.distinct(i))
        shared.merged->MergeDistinct(i, AllRows(*distinct, shared.layout.distinct_rows[i].row_bytes()));
    }
  }
}

/// Makes the sets of all sinks one. Where some sinks have none, or there is no memory, their values are rows
/// like others.
void MergeSets(QueryContext& context, AggregateShared& shared) {
  bool all = true;
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    std::optional<IntegerSet>& set = shared.SinkOf(sink).set;
    if (!set) {
      all = false;
    } else if (!shared.set) {
      shared.set = std::exchange(set, std::nullopt);
    } else if (shared.set->TryMerge(*set)) {
      set.reset();
    } else {
      all = false;
    }
  }
  if (all || !shared.set) return;
  auto rows = std::make_unique<AggregateSink>(context, shared.layout, false);
  rows->AddSet(*shared.set);
  shared.set.reset();
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    std::optional<IntegerSet>& set = shared.SinkOf(sink).set;
    if (set) rows->AddSet(*set);
    set.reset();
  }
  rows->Finish();
  shared.sinks.push_back(std::move(rows));
}

/// Says which groups of the sinks' tables belong to which partition.
void PartitionSinks(QueryContext& context, AggregateShared& shared) {
  shared.groups.resize(shared.sinks.size());
  context.scheduler().RunAll(shared.sinks.size(), [&](size_t sink) {
    AggregateTable& table = shared.BuilderOf(sink).table();
    auto& groups = shared.groups[sink];
    groups.resize(shared.layout.aggregates.size() + 1);
    groups[0] = PartitionGroups(table.groups(), shared.layout.rows.row_bytes(), shared.bits);
    for (size_t i = 0; i < shared.layout.aggregates.size(); i++) {
      if (GroupTable* distinct = table.distinct(i))
        groups[i + 1] = PartitionGroups(*distinct, shared.layout.distinct_rows[i].row_bytes(), shared.bits);
    }
  });
}

void AddAll(PartitionReader rows, DataChunk& chunk, GroupBuilder& builder) {
  while (rows.Next(chunk)) builder.Add(chunk);
}

/// Adds what the sinks have of a partition.
void AddPartition(AggregateShared& shared, size_t partition, DataChunk& chunk, GroupBuilder& builder) {
  for (const auto& groups : shared.groups) {
    builder.table().MergeRows(groups[0][partition]);
    for (size_t i = 0; i + 1 < groups.size(); i++) {
      if (!groups[i + 1].empty()) builder.table().MergeDistinct(i, groups[i + 1][partition]);
    }
  }
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    GroupBuilder& source = shared.BuilderOf(sink);
    if (source.rest() == nullptr) continue;
    AddAll(source.rest()->Take(partition), chunk, builder);
    const std::lock_guard lock(shared.give_back_mutex);
    source.GiveBack();
  }
}

/// Aggregates the next partition, or part of one; false if there are no more.
bool BuildNext(QueryContext& context, AggregateShared& shared,
               const std::vector<std::vector<Value>>& certain_groups, AggregateLocal& local) {
  local.slices.clear();
  local.next_slice = 0;
  if (local.builder) local.builder->ReleaseTable();
  local.builder.reset();
  GroupWork work;
  if (!local.works.empty()) {
    work = std::move(local.works.back());
    local.works.pop_back();
  } else {
    work.partition = shared.next_partition.fetch_add(1, std::memory_order_relaxed);
    if (*work.partition >= shared.bits.partition_count()) return false;
  }
  auto builder = std::make_shared<GroupBuilder>(context, shared.layout, work.level);
  DataChunk chunk(shared.layout.input_types);
  if (work.partition) {
    for (const auto& group : certain_groups) {
      if (shared.bits.Of(builder->table().HashOf(group)) == *work.partition)
        builder->table().EnsureGroup(group);
    }
    AddPartition(shared, *work.partition, chunk, *builder);
  } else {
    AddAll(std::move(*work.rows), chunk, *builder);
  }
  builder->Finish();
  builder->table().FinishDistinct();
  AddSlices(builder->table(), shared.layout.rows.row_bytes(), local.slices);
  if (HashPartitions* rest = builder->rest()) {
    for (size_t part = 0; part < rest->bits().partition_count(); part++) {
      if (rest->row_count(part) != 0)
        local.works.push_back({work.level + 1, std::nullopt, builder, rest->Take(part)});
    }
  }
  local.builder = std::move(builder);
  return true;
}

void ProduceFromSet(AggregateShared& shared, AggregateLocal& local, DataChunk& output) {
  output.ResetForWriting();
  while (true) {
    if (!local.position) {
      const size_t part = shared.next_part.fetch_add(1, std::memory_order_relaxed);
      if (part >= shared.set->part_count()) return output.SetSize(0);
      local.position.emplace(IntegerSet::Position{part, 0});
    }
    const size_t count = shared.set->Read(*local.position, output.column(0));
    output.SetSize(count);
    output.batch_index = shared.next_batch.fetch_add(1, std::memory_order_relaxed);
    if (count != 0) return;
    local.position.reset();
  }
}

}  // namespace

HashAggregate::HashAggregate(PhysicalOperatorPtr child, size_t group_count,
                             std::vector<AggregateSpecification> aggregates, std::vector<LogicalType> types,
                             std::vector<std::vector<Value>> certain_groups)
    : PhysicalOperator("HashAggregate", std::move(types)),
      group_count_(group_count),
      aggregates_(std::move(aggregates)),
      certain_groups_(std::move(certain_groups)) {
  if (group_count == 0) certain_groups_.resize(1);  // The one without values.
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> HashAggregate::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<AggregateShared>(context, children[0]->types(), group_count_, aggregates_);
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void HashAggregate::Restrict(SharedState& shared, size_t column, const JoinKeyRange& range) const {
  if (column < group_count_) children[0]->Restrict(*shared.children[0], column, range);
}

void HashAggregate::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<AggregateShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const bool begins_with_set = IsSetOfIntegers(context, shared.layout) && certain_groups_.empty();
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<AggregateSink>(context, shared.layout, begins_with_set);
  });
  if (begins_with_set) MergeSets(context, shared);
  if (shared.set) return;
  size_t total = 0;
  bool has_rest = false;
  for (size_t sink = 0; sink < shared.sinks.size(); sink++) {
    total += GroupCountOf(shared.BuilderOf(sink).table(), aggregates_.size());
    has_rest = has_rest || shared.BuilderOf(sink).rest() != nullptr;
  }
  if (has_rest || (shared.sinks.size() > 1 && total > kSerialMergeGroups)) {
    PartitionSinks(context, shared);
    return;
  }
  if (shared.sinks.size() > 1) MergeSerially(context, shared);
  AggregateTable& table = shared.merged ? *shared.merged : shared.BuilderOf(0).table();
  table.FinishDistinct();
  for (const auto& group : certain_groups_) table.EnsureGroup(group);
  AddSlices(table, shared.layout.rows.row_bytes(), shared.slices);
}

std::unique_ptr<LocalState> HashAggregate::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<AggregateLocal>();
}

size_t HashAggregate::MaxTasks(QueryContext&, SharedState& shared_state) const {
  auto& shared = static_cast<AggregateShared&>(shared_state);
  if (shared.set) return shared.set->part_count();
  if (!shared.groups.empty()) return shared.bits.partition_count();
  return std::max<size_t>(1, shared.slices.size() / 8);
}

void HashAggregate::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                            DataChunk& output) const {
  auto& shared = static_cast<AggregateShared&>(shared_state);
  auto& local = static_cast<AggregateLocal&>(local_state);
  if (shared.set) return ProduceFromSet(shared, local, output);
  const OutputSlice* slice = nullptr;
  if (shared.groups.empty()) {
    const size_t index = shared.next_slice.fetch_add(1, std::memory_order_relaxed);
    if (index >= shared.slices.size()) return;
    slice = &shared.slices[index];
    output.batch_index = index;
  } else {
    while (local.next_slice == local.slices.size())
      if (!BuildNext(context, shared, certain_groups_, local)) return;
    slice = &local.slices[local.next_slice++];
  }
  std::byte* rows[kVectorSize];
  for (size_t i = 0; i < slice->count; i++) rows[i] = slice->first + i * shared.layout.rows.row_bytes();
  slice->table->Finalize(rows, slice->count, output);
  if (!shared.groups.empty()) output.batch_index = shared.next_batch.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace scaup
