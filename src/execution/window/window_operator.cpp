// Window operator. If a scan of the keys shows that rows come in order, results are computed while rows
// stream by. Otherwise the pipeline below is drained into sorted runs, which are merged and evaluated by
// partition; results are then computed in parallel as blocks are pulled.
#include "execution/window/window_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/stack_bound.hpp"
#include "execution/run/sole_reader.hpp"
#include "execution/run/turns.hpp"
#include "execution/sort/row_order.hpp"
#include "execution/window/partitioned_runs.hpp"
#include "execution/window/spilled_window.hpp"
#include "execution/window/streamed_window.hpp"
#include "execution/window/window_group.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

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

SortedRows SortPartition(QueryContext& context, const WindowSpecification& specification,
                         const SortSchema& schema, const PartitionedRuns& runs, size_t partition) {
  std::vector<const ColumnCollection*> collections = runs.RowsOf(partition);
  size_t row_count = 0;
  for (const ColumnCollection* rows : collections) row_count += rows->row_count();
  // In source order, the stable sort keeps peers in order without the additional key.
  std::optional<SortSchema> shorter;
  if (collections.size() <= 1 && runs.is_in_source_order()) {
    shorter.emplace(schema.types, schema.key_columns, specification.orders);
    shorter->key_columns.pop_back();
  }
  const SortSchema& used = shorter ? *shorter : schema;
  // Tables are often stored in the order of their keys.
  if (collections.size() == 1 && AreInOrder(used, *collections[0], context.functions))
    return SortedRows(*collections[0]);
  MemoryReservation memory(context.memory());
  memory.Resize(row_count * (sizeof(uint64_t) + sizeof(uint8_t)));
  SharedKeys shared_keys;
  shared_keys.first_keys = specification.partition_by.size();
  shared_keys.all_keys = specification.orders.size();
  LargeVector<uint64_t> order = OrderRows(used, collections, row_count, context.functions, &shared_keys);
  return {std::move(collections), std::move(order), std::move(shared_keys.of_row), std::move(memory)};
}

/// Makes the groups of all hash partitions, null for partitions without rows. Returns nothing if the memory
/// does not suffice.
std::optional<std::vector<std::unique_ptr<WindowGroup>>> MakeGroups(QueryContext& context,
                                                                    const WindowSpecification& specification,
                                                                    const SortSchema& schema,
                                                                    const PartitionedRuns& runs) {
  if (runs.has_spilled()) return std::nullopt;
  const size_t partition_count = PartitionedRuns::PartitionCount(specification);
  std::vector<std::unique_ptr<WindowGroup>> groups(partition_count);
  try {
    context.scheduler().RunAll(partition_count, [&](size_t p) {
      SortedRows rows = SortPartition(context, specification, schema, runs, p);
      if (rows.row_count() == 0) return;
      groups[p] = std::make_unique<WindowGroup>(context, specification, std::move(rows));
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return std::nullopt;
  }
  return groups;
}

}  // namespace

class WindowOperator::Shared final : public SharedState {
 public:
  SoleReader reader;  // Used for streamed rows and spilled runs.
  std::unique_ptr<SharedState> key_scan;
  std::unique_ptr<StreamedWindow> streamed;
  PartitionedRuns runs;
  // In memory: Prepare makes all groups.
  std::vector<std::unique_ptr<WindowGroup>> groups;
  std::vector<Block> blocks;
  TurnCounter turns;  // Counts blocks.
  std::unique_ptr<SpilledWindow> spilled;
};

class WindowOperator::Local final : public LocalState {
 public:
  explicit Local(const std::vector<LogicalType>& input_types) : input(input_types) {}
  WindowScratch scratch;
  Turn turn;
  DataChunk input;  // Streamed rows.
};

WindowOperator::WindowOperator(PhysicalOperatorPtr child, PhysicalOperatorPtr key_scan,
                               WindowSpecification specification, std::vector<LogicalType> types)
    : PhysicalOperator("Window", std::move(types)),
      specification_(std::move(specification)),
      key_scan_(std::move(key_scan)),
      schema_(WithSourceOrder(child->types(), specification_)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> WindowOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>();
  // Both scans see the table as it is now, before the statement changes it.
  shared->children.push_back(children[0]->MakeShared(context));
  if (key_scan_) shared->key_scan = key_scan_->MakeShared(context);
  return shared;
}

void WindowOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  if (ComeInOrder(context, shared)) {
    shared.streamed = std::make_unique<StreamedWindow>(context, specification_, children[0]->types());
  } else {
    Collect(context, shared);
  }
  shared.key_scan.reset();
}

bool WindowOperator::ComeInOrder(QueryContext& context, Shared& shared) const {
  if (!key_scan_) return false;
  const uint64_t begin = context.profiling ? NowNanoseconds() : 0;
  // The weakest order that still allows streaming.
  const NeighbourOrder most = StreamedWindow::AskedOrder(specification_) == StreamedOrder::kUnique
                                  ? NeighbourOrder::kUnique
                                  : NeighbourOrder::kInOrder;
  key_scan_->Prepare(context, *shared.key_scan);
  const auto local = key_scan_->MakeLocal(context, *shared.key_scan);
  NeighbourComparer comparer(specification_.orders);
  DataChunk chunk(key_scan_->types());
  std::vector<Vector*> keys;
  for (Vector& column : chunk.columns()) keys.push_back(&column);
  uint16_t steps[kVectorSize];
  bool is_ordered = true;
  while (is_ordered) {
    key_scan_->Next(context, *shared.key_scan, *local, chunk);
    if (chunk.size() == 0) break;
    is_ordered = comparer.Compare(keys, chunk.size(), steps) <= most;
  }
  if (context.profiling)
    shared.profile.own_nanoseconds.fetch_add(NowNanoseconds() - begin, std::memory_order_relaxed);
  return is_ordered;
}

void WindowOperator::Collect(QueryContext& context, Shared& shared) const {
  shared.runs.Collect(context, *children[0], *shared.children[0], shared.profile, specification_, schema_);
  if (auto groups = MakeGroups(context, specification_, schema_, shared.runs)) {
    shared.groups = std::move(*groups);
    for (const auto& group : shared.groups) {
      if (!group) continue;
      for (size_t begin = 0; begin < group->row_count(); begin += kVectorSize)
        shared.blocks.push_back({group.get(), begin, std::min(kVectorSize, group->row_count() - begin)});
    }
    return;
  }
  shared.spilled = std::make_unique<SpilledWindow>(context, specification_, schema_, children[0]->types(),
                                                   shared.runs.Spill(), &shared.profile.memory);
}

std::unique_ptr<LocalState> WindowOperator::MakeLocal(QueryContext& context,
                                                      SharedState& shared_state) const {
  CheckStack();
  auto local = std::make_unique<Local>(children[0]->types());
  if (static_cast<Shared&>(shared_state).streamed)
    local->children.push_back(children[0]->MakeLocal(context, *shared_state.children[0]));
  return local;
}

size_t WindowOperator::MaxTasks(QueryContext&, SharedState& shared_state) const {
  // Only one spilled partition is in memory at a time, and streamed rows are processed sequentially.
  return std::max<size_t>(1, static_cast<Shared&>(shared_state).blocks.size());
}

std::vector<uint64_t> WindowOperator::BatchOffsets(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  if (!static_cast<Shared&>(shared_state).streamed) return {};
  return children[0]->BatchOffsets(context, *shared_state.children[0]);
}

std::vector<std::string> WindowOperator::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const Shared&>(shared_state);
  if (shared.streamed) return {"rows come in order"};
  if (!shared.spilled) return {};
  return {fmt::format("spilled: {} runs", shared.spilled->run_count())};
}

void WindowOperator::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                             DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  if (shared.streamed || shared.spilled) {
    if (!shared.reader.IsTask(local)) return;
    if (shared.streamed) return ProduceStreamed(context, shared, local, output);
    return shared.spilled->Next(output);
  }
  const size_t index = shared.turns.Next(local.turn, shared.blocks.size());
  if (index == shared.blocks.size()) return;
  const Block& block = shared.blocks[index];
  block.group->Produce(block.begin, block.count, local.scratch, output);
  output.batch_index = index;
}

void WindowOperator::ProduceStreamed(QueryContext& context, Shared& shared, Local& local,
                                     DataChunk& output) const {
  children[0]->Next(context, *shared.children[0], *local.children[0], local.input);
  if (local.input.size() != 0) shared.streamed->Evaluate(local.input, output);
}

}  // namespace scaup
