// Asof join: collects both sides, then matches them in memory or over spilled runs.
#include "execution/asof/asof_join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/stack_bound.hpp"
#include "execution/asof/asof_group.hpp"
#include "execution/asof/spilled_asof.hpp"
#include "execution/run/sole_reader.hpp"
#include "execution/run/turns.hpp"
#include "execution/window/partitioned_runs.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// Up to 1024 rows of a group.
struct Block {
  const AsofGroup* group;
  size_t begin;
  size_t count;
};

class AsofLocal final : public LocalState {
 public:
  Turn turn;
};

}  // namespace

class AsofJoin::Shared final : public SharedState {
 public:
  PartitionedRuns sides[2];
  // In memory: Prepare makes all groups.
  std::vector<std::unique_ptr<AsofGroup>> groups;
  std::vector<Block> blocks;
  TurnCounter turns;  // Counts blocks.
  // Spilled:
  SoleReader reader;
  std::unique_ptr<SpilledAsof> spilled;
};

AsofJoin::AsofJoin(PhysicalOperatorPtr left, PhysicalOperatorPtr right, AsofSpecification specification,
                   std::vector<LogicalType> types)
    : PhysicalOperator("AsofJoin", std::move(types)),
      specification_(std::move(specification)),
      schemas_{specification_.StoredRows(left->types()), specification_.StoredRows(right->types())} {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::unique_ptr<SharedState> AsofJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void AsofJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  SpilledPartitions runs[2];
  for (const size_t side : {size_t{1}, size_t{0}}) {
    children[side]->Prepare(context, *shared.children[side]);
    shared.sides[side].Collect(context, *children[side], *shared.children[side], shared.profile,
                               specification_.partitioning, schemas_[side]);
    // A side that has spilled leaves its memory to the other one.
    if (shared.sides[side].has_spilled()) runs[side] = shared.sides[side].Spill();
  }
  if (runs[0].empty() && runs[1].empty() && MatchInMemory(context, shared)) return;
  for (const size_t side : {size_t{0}, size_t{1}}) {
    if (runs[side].empty()) runs[side] = shared.sides[side].Spill();
  }
  shared.spilled =
      std::make_unique<SpilledAsof>(context, specification_, children[0]->types(), children[1]->types(),
                                    std::move(runs[0]), std::move(runs[1]), &shared.profile.memory);
}

/// Makes the groups of all hash partitions; false if the memory does not suffice.
bool AsofJoin::MatchInMemory(QueryContext& context, Shared& shared) const {
  const size_t partition_count = PartitionedRuns::PartitionCount(specification_.partitioning);
  shared.groups.resize(partition_count);
  try {
    context.scheduler().RunAll(partition_count, [&](size_t p) {
      shared.groups[p] = std::make_unique<AsofGroup>(context, specification_, shared.sides[0].RowsOf(p),
                                                     shared.sides[1].RowsOf(p));
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    shared.groups.clear();
    return false;
  }
  for (const auto& group : shared.groups) {
    for (size_t begin = 0; begin < group->row_count(); begin += kVectorSize)
      shared.blocks.push_back({group.get(), begin, std::min(kVectorSize, group->row_count() - begin)});
  }
  return true;
}

std::unique_ptr<LocalState> AsofJoin::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<AsofLocal>();
}

size_t AsofJoin::MaxTasks(QueryContext&, SharedState& shared_state) const {
  return std::max<size_t>(1, static_cast<Shared&>(shared_state).blocks.size());
}

std::vector<std::string> AsofJoin::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const Shared&>(shared_state);
  if (!shared.spilled) return {};
  return {fmt::format("spilled: {} runs", shared.spilled->run_count())};
}

void AsofJoin::Produce(QueryContext&, SharedState& shared_state, LocalState& local_state,
                       DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<AsofLocal&>(local_state);
  if (shared.spilled) {
    if (shared.reader.IsTask(local)) shared.spilled->Next(output);
    return;
  }
  const size_t index = shared.turns.Next(local.turn, shared.blocks.size());
  if (index == shared.blocks.size()) return;
  const Block& block = shared.blocks[index];
  block.group->Produce(block.begin, block.count, output);
  output.batch_index = index;
}

}  // namespace scaup
