// Window functions: the pipeline below is drained into sorted runs, which are merged and evaluated partition
// by partition; results are computed as blocks are pulled, by any number of threads.
#include "execution/operator/window_operator.hpp"

#include <fmt/format.h>

#include "execution/operator/window_sink.hpp"
#include "execution/sort/row_order.hpp"
#include "execution/sort/spilled_merge.hpp"
#include "execution/window/window_group.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// Hash partitions, where there is something to partition by. Each is sorted by one thread, and has to fit in
/// memory.
constexpr size_t kHashPartitions = 16;

SortSchema WithSourceOrder(std::vector<LogicalType> types, const WindowSpecification& specification) {
  std::vector<size_t> key_columns = specification.partition_by;
  key_columns.insert(key_columns.end(), specification.order_by.begin(), specification.order_by.end());
  key_columns.push_back(types.size());
  types.emplace_back(TypeId::kBigInt);
  std::vector<SortOrder> orders = specification.orders;
  orders.push_back({TypeId::kBigInt, false, false});
  return {std::move(types), std::move(key_columns), std::move(orders)};
}

/// Up to 1024 rows of a group.
struct Block {
  const WindowGroup* group;
  size_t begin;
  size_t count;
};

class WindowShared final : public SharedState {
 public:
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  // In memory: all groups are made by Prepare.
  std::vector<std::unique_ptr<WindowGroup>> groups;
  std::vector<Block> blocks;
  std::atomic<size_t> next_block{0};
  // With runs in temporary storage: by hash partition, made into groups as they are pulled, by one thread.
  std::vector<std::vector<SpilledRun>> spilled;
  size_t next_partition = 0;
  std::unique_ptr<WindowGroup> group;
  size_t next_row = 0;
  uint64_t batch_count = 0;
  size_t spilled_run_count = 0;
};

class WindowLocal final : public LocalState {
 public:
  WindowScratch scratch;
};

WindowSink& SinkOf(const std::unique_ptr<ChunkSink>& sink) { return static_cast<WindowSink&>(*sink); }

SortedRows OrderInMemory(QueryContext& context, const SortSchema& schema, const WindowShared& shared,
                         size_t partition) {
  std::vector<const ColumnCollection*> collections;
  size_t row_count = 0;
  for (const auto& sink : shared.sinks) {
    collections.push_back(&SinkOf(sink).run(partition).rows());
    row_count += collections.back()->row_count();
  }
  std::erase_if(collections, [](const ColumnCollection* rows) { return rows->row_count() == 0; });
  MemoryReservation memory(context.memory());
  // As a table is often stored in the order of its keys.
  if (collections.size() == 1 && AreInOrder(schema, *collections[0], context.functions))
    return SortedRows(*collections[0]);
  memory.Resize(row_count * sizeof(uint64_t));
  LargeVector<uint64_t> order = OrderRows(schema, collections, row_count, context.functions);
  return {std::move(collections), std::move(order), std::move(memory)};
}

SortedRows MergeSpilled(QueryContext& context, const SortSchema& schema,
                        const std::vector<LogicalType>& types, std::vector<SpilledRun> runs) {
  auto rows = std::make_unique<ColumnCollection>(types, context.memory());
  SpilledMerge merge(context, schema, std::move(runs), UINT64_MAX, 1);
  SpilledMerge::Task task(merge);
  MergedRows merged;
  DataChunk chunk(types);
  while (true) {
    task.Next(kVectorSize, merged);
    if (merged.count == 0) break;
    merged.Gather(chunk);
    rows->Append(chunk);
  }
  return SortedRows(std::move(rows));
}

/// Makes all groups; false if there is no memory for that.
bool MakeGroups(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
                size_t partition_count, WindowShared& shared) {
  for (const auto& sink : shared.sinks) {
    if (SinkOf(sink).has_spilled()) return false;
  }
  shared.groups.resize(partition_count);
  try {
    context.scheduler().RunAll(partition_count, [&](size_t p) {
      SortedRows rows = OrderInMemory(context, schema, shared, p);
      if (rows.row_count() == 0) return;
      shared.groups[p] = std::make_unique<WindowGroup>(context, specification, std::move(rows));
    });
  } catch (const Error& error) {
    shared.groups.clear();
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return false;
  }
  for (const auto& group : shared.groups) {
    if (!group) continue;
    for (size_t begin = 0; begin < group->row_count(); begin += kVectorSize)
      shared.blocks.push_back({group.get(), begin, std::min(kVectorSize, group->row_count() - begin)});
  }
  return true;
}

}  // namespace

WindowOperator::WindowOperator(PhysicalOperatorPtr child, WindowSpecification specification,
                               std::vector<LogicalType> types)
    : PhysicalOperator("Window", std::move(types)),
      specification_(std::move(specification)),
      schema_(WithSourceOrder(child->types(), specification_)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> WindowOperator::MakeShared(QueryContext& context) const {
  auto shared = std::make_unique<WindowShared>();
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void WindowOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<WindowShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  const size_t partition_count = specification_.partition_by.empty() ? 1 : kHashPartitions;
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, [&](size_t) {
    return std::make_unique<WindowSink>(context, specification_, schema_, partition_count);
  });
  if (MakeGroups(context, specification_, schema_, partition_count, shared)) return;
  shared.spilled.resize(partition_count);
  for (const auto& sink : shared.sinks) {
    SinkOf(sink).Spill();
    for (size_t p = 0; p < partition_count; p++) SinkOf(sink).MoveSpilledTo(p, shared.spilled[p]);
  }
  shared.sinks.clear();
  for (const auto& runs : shared.spilled) shared.spilled_run_count += runs.size();
}

std::unique_ptr<LocalState> WindowOperator::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<WindowLocal>();
}

size_t WindowOperator::MaxTasks(QueryContext&, SharedState& shared_state) const {
  // Of spilled partitions one at a time is in memory.
  return std::max<size_t>(1, static_cast<WindowShared&>(shared_state).blocks.size());
}

std::vector<std::string> WindowOperator::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const WindowShared&>(shared_state);
  if (shared.spilled.empty()) return {};
  return {fmt::format("spilled: {} runs", shared.spilled_run_count)};
}

void WindowOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                             DataChunk& output) const {
  auto& shared = static_cast<WindowShared&>(shared_state);
  auto& local = static_cast<WindowLocal&>(local_state);
  if (shared.spilled.empty()) {
    const size_t index = shared.next_block.fetch_add(1, std::memory_order_relaxed);
    if (index >= shared.blocks.size()) return;
    const Block& block = shared.blocks[index];
    block.group->Produce(block.begin, block.count, local.scratch, output);
    output.batch_index = index;
    return;
  }
  if (shared.group && shared.next_row == shared.group->row_count()) shared.group.reset();
  while (!shared.group) {
    if (shared.next_partition == shared.spilled.size()) return;
    std::vector<SpilledRun> runs = std::move(shared.spilled[shared.next_partition++]);
    if (runs.empty()) continue;
    shared.group = std::make_unique<WindowGroup>(
        context, specification_, MergeSpilled(context, schema_, children[0]->types(), std::move(runs)));
    shared.next_row = 0;
  }
  const size_t count = std::min(kVectorSize, shared.group->row_count() - shared.next_row);
  shared.group->Produce(shared.next_row, count, local.scratch, output);
  shared.next_row += count;
  output.batch_index = shared.batch_count++;
}

}  // namespace scaup
