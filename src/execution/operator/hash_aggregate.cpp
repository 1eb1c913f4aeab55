// GROUP BY by hashing.
#include "execution/operator/hash_aggregate.hpp"

#include <algorithm>

#include "execution/hash_table/aggregate_table.hpp"

namespace scaup {

namespace {

/// Below this many groups in all, one merge is cheaper than partitions.
constexpr size_t kSerialMergeGroups = 8192;

/// Pre-aggregates the rows of one task.
class AggregateSink final : public ChunkSink {
 public:
  AggregateSink(const AggregateLayout& layout, const FunctionContext& context) : table(layout, context) {}
  void Consume(DataChunk& chunk) override { table.Add(chunk); }
  AggregateTable table;
};

/// Rows of one table by partition.
using PartitionedRows = std::vector<std::vector<std::byte*>>;

PartitionedRows PartitionRows(const GroupTable& table, size_t row_bytes, size_t partition_count) {
  PartitionedRows partitions(partition_count);
  table.rows().ForEachBlock([&](std::byte* first, size_t count) {
    for (size_t i = 0; i < count; i++) {
      std::byte* row = first + i * row_bytes;
      partitions[partition_count == 1 ? 0 : PartitionOf(GroupTable::HashOf(row))].push_back(row);
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

class AggregateShared final : public SharedState {
 public:
  AggregateShared(const std::vector<LogicalType>& input_types, size_t group_count,
                  const std::vector<AggregateSpecification>& aggregates)
      : layout(input_types, group_count, aggregates) {}
  AggregateLayout layout;
  std::vector<std::unique_ptr<ChunkSink>> sinks;  // Their memory is referred to by the merged tables.
  std::vector<std::unique_ptr<AggregateTable>> merged;
  std::vector<OutputSlice> slices;
  std::atomic<size_t> next_slice{0};

  void AddSlices(AggregateTable& table) {
    const size_t row_bytes = layout.rows.row_bytes();
    table.groups().rows().ForEachBlock([&](std::byte* first, size_t count) {
      for (size_t begin = 0; begin < count; begin += kVectorSize) {
        slices.push_back({&table, first + begin * row_bytes, std::min(kVectorSize, count - begin)});
      }
    });
  }
};

/// Merges the tables of all sinks, partition by partition in parallel.
void MergeSinks(QueryContext& context, AggregateShared& shared) {
  std::vector<AggregateTable*> tables;
  size_t total = 0;
  for (auto& sink : shared.sinks) {
    tables.push_back(&static_cast<AggregateSink&>(*sink).table);
    total += tables.back()->groups().group_count();
    for (size_t i = 0; i < shared.layout.aggregates.size(); i++) {
      if (GroupTable* distinct = tables.back()->distinct(i)) total += distinct->group_count();
    }
  }
  const size_t partition_count = total <= kSerialMergeGroups ? 1 : kPartitions;
  const size_t aggregate_count = shared.layout.aggregates.size();
  // By table: its own rows, then those of each distinct table.
  std::vector<std::vector<PartitionedRows>> rows(tables.size());
  context.scheduler().RunAll(tables.size(), [&](size_t t) {
    rows[t].resize(aggregate_count + 1);
    rows[t][0] = PartitionRows(tables[t]->groups(), shared.layout.rows.row_bytes(), partition_count);
    for (size_t i = 0; i < aggregate_count; i++) {
      if (GroupTable* distinct = tables[t]->distinct(i)) {
        rows[t][i + 1] =
            PartitionRows(*distinct, shared.layout.distinct_rows[i].row_bytes(), partition_count);
      }
    }
  });
  shared.merged.resize(partition_count);
  context.scheduler().RunAll(partition_count, [&](size_t p) {
    context.functions.CheckInterrupt();
    auto merged = std::make_unique<AggregateTable>(shared.layout, context.functions);
    for (const auto& table_rows : rows) {
      merged->MergeRows(table_rows[0][p]);
      for (size_t i = 0; i < aggregate_count; i++) {
        if (!table_rows[i + 1].empty()) merged->MergeDistinct(i, table_rows[i + 1][p]);
      }
    }
    merged->FinishDistinct();
    shared.merged[p] = std::move(merged);
  });
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
  auto shared = std::make_unique<AggregateShared>(children[0]->types(), group_count_, aggregates_);
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void HashAggregate::Restrict(SharedState& shared, size_t column, const JoinKeyRange& range) const {
  if (column < group_count_) children[0]->Restrict(*shared.children[0], column, range);
}

void HashAggregate::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<AggregateShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<AggregateSink>(shared.layout, context.functions);
  });
  if (shared.sinks.size() == 1) {
    AggregateTable& table = static_cast<AggregateSink&>(*shared.sinks[0]).table;
    table.FinishDistinct();
    for (const auto& group : certain_groups_) table.EnsureGroup(group);
    shared.AddSlices(table);
    return;
  }
  MergeSinks(context, shared);
  for (const auto& group : certain_groups_) {
    const size_t partition = shared.merged.size() == 1 ? 0 : PartitionOf(shared.merged[0]->HashOf(group));
    shared.merged[partition]->EnsureGroup(group);
  }
  for (auto& table : shared.merged) shared.AddSlices(*table);
}

std::unique_ptr<LocalState> HashAggregate::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

size_t HashAggregate::MaxTasks(QueryContext&, SharedState& shared_state) const {
  return std::max<size_t>(1, static_cast<AggregateShared&>(shared_state).slices.size() / 8);
}

void HashAggregate::Produce(QueryContext&, SharedState& shared_state, LocalState&, DataChunk& output) const {
  auto& shared = static_cast<AggregateShared&>(shared_state);
  const size_t index = shared.next_slice.fetch_add(1, std::memory_order_relaxed);
  if (index >= shared.slices.size()) return;
  const OutputSlice& slice = shared.slices[index];
  std::byte* rows[kVectorSize];
  for (size_t i = 0; i < slice.count; i++) rows[i] = slice.first + i * shared.layout.rows.row_bytes();
  slice.table->Finalize(rows, slice.count, output);
  output.batch_index = index;
}

}  // namespace scaup
