// Range join: indexes the right rows, then finds the partners of left rows chunk by chunk.
#include "execution/join/range_join.hpp"

#include <fmt/format.h>

#include <atomic>
#include <optional>

#include "common/stack_bound.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/range_join_blocks.hpp"
#include "execution/join/range_join_build.hpp"
#include "execution/join/range_join_probe.hpp"

namespace scaup {

/// The state of a range join that all threads share.
struct RangeJoin::Shared final : SharedState {
  std::optional<MemoryGrant> grant;           // Of `built`.
  std::unique_ptr<RangeJoinBuildSide> built;  // Null if blocks are used.
  std::unique_ptr<RangeJoinBlocks> blocks;    // Null if all right rows fit in memory.
  std::atomic<size_t> probing{0};
};

/// The state of a range join's thread.
struct RangeJoin::Local final : LocalState {
  Local(const RangeJoinSpecification& join, QueryContext& context) : probe(join, context) {}

  // Set if blocks are used. It owns rows to which the probe refers, so the probe is destroyed first.
  std::unique_ptr<RangeJoinBlockTask> task;
  RangeJoinProbe probe;
  enum class Phase : uint8_t { kBlock, kInput, kPairs, kRight, kLeft, kEnd } phase = Phase::kInput;
};

RangeJoin::RangeJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                     std::vector<RangeJoinCondition> conditions, ExpressionPtr residual,
                     std::vector<LogicalType> types)
    : PhysicalOperator("RangeJoin", std::move(types)),
      join_(join_type, left->types(), right->types(), std::move(conditions), std::move(residual)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::unique_ptr<SharedState> RangeJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>();
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void RangeJoin::ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const {
  CheckStack();
  if (IsMadeOfLeftRows(join_.join_type) && column < children[0]->types().size())
    children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void RangeJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  children[1]->Prepare(context, *shared.children[1]);
  RangeJoinRightRows right =
      CollectRightRows(join_, context, *children[1], *shared.children[1], shared.profile);
  const uint64_t begin = context.profiling ? NowNanoseconds() : 0;
  shared.grant.emplace(context.grants, 1, 0, &shared.profile.memory);
  shared.built = TryIndexAll(join_, context, *shared.grant, right);
  shared.grant->Finish();
  if (context.profiling) shared.profile.own_nanoseconds.fetch_add(NowNanoseconds() - begin);
  if (shared.built && !KeepsUnmatchedLeft(join_.join_type)) FilterProbeSide(shared);
  children[0]->Prepare(context, *shared.children[0]);
  if (shared.built) return;
  auto blocks = std::make_unique<RangeJoinBlocks>(join_, context, std::move(right));
  blocks->CollectLeft(context, *children[0], *shared.children[0], shared.profile);
  shared.blocks = std::move(blocks);
}

/// Filters left rows whose keys are beyond the least or the greatest right key, as they have no partner.
void RangeJoin::FilterProbeSide(Shared& shared) const {
  for (size_t i = 0; i < join_.left_keys.size(); i++) {
    if (join_.left_keys[i]->kind() != ExpressionKind::kReference) continue;
    const RuntimeFilter keys = shared.built->index->KeyRange(join_.schema.conditions[i].key);
    if (!keys.has_keys()) continue;
    const bool is_below = join_.schema.conditions[i].is_lower_bound();
    const RuntimeFilter range(join_.left_keys[i]->type(), is_below ? INT64_MIN : keys.least(),
                              is_below ? keys.greatest() : INT64_MAX);
    children[0]->ApplyRuntimeFilter(*shared.children[0], join_.left_keys[i]->As<ReferenceExpression>().index,
                                    range);
  }
}

std::unique_ptr<LocalState> RangeJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(join_, context);
  // Register this task before the joins below do. The last task to end below must find it registered here;
  // otherwise unmatched rows would be emitted while the join below still has rows to emit.
  shared.probing.fetch_add(1);
  if (shared.blocks) {
    local->task = std::make_unique<RangeJoinBlockTask>(*shared.blocks, local->probe);
    local->phase = Local::Phase::kBlock;
  } else {
    local->probe.SetBuildSide(shared.built.get());
    local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  }
  return local;
}

size_t RangeJoin::MaxTasks(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  const auto& shared = static_cast<Shared&>(shared_state);
  if (!shared.blocks) return PhysicalOperator::MaxTasks(context, shared_state);
  return shared.blocks->MostTasks(context);
}

std::vector<std::string> RangeJoin::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const Shared&>(shared_state);
  if (!shared.blocks) return {};
  return {fmt::format("spilled: {} blocks", shared.blocks->block_count())};
}

bool RangeJoin::NextInput(QueryContext& context, Shared& shared, Local& local) const {
  if (local.task) {
    context.functions.CheckInterrupt();
    return local.task->NextInput();
  }
  DataChunk& input = local.probe.input();
  children[0]->Next(context, *shared.children[0], *local.children[0], input);
  return input.size() != 0;
}

void RangeJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                        DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  RangeJoinProbe& probe = local.probe;
  while (true) {
    switch (local.phase) {
      case Local::Phase::kBlock: {
        const bool has_block = local.task->BeginBlock(context);
        const bool ends = !has_block && shared.probing.fetch_sub(1) == 1 && RemembersLeft(join_.join_type);
        local.phase = has_block ? Local::Phase::kInput : ends ? Local::Phase::kLeft : Local::Phase::kEnd;
        break;
      }
      case Local::Phase::kInput:
        if (NextInput(context, shared, local)) {
          probe.Begin();
          if (local.task) local.task->RecallMatches();
          if (join_.IsExistence() && !join_.residual) probe.NoteExistence(context);
          local.phase = Local::Phase::kPairs;
        } else {
          const bool is_last = local.task || shared.probing.fetch_sub(1) == 1;
          const Local::Phase end = local.task ? Local::Phase::kBlock : Local::Phase::kEnd;
          local.phase = is_last && KeepsRight(join_.join_type) ? Local::Phase::kRight : end;
        }
        break;
      case Local::Phase::kPairs:
        while (probe.FindPairs(context)) {
          if (probe.TestPairs(output)) return;
        }
        local.phase = Local::Phase::kInput;
        if (local.task) {
          local.task->DeferProbeRows();
        } else if (EmitAfterProbe(join_.join_type, probe.input(), probe.matches(), output)) {
          return;
        }
        break;
      case Local::Phase::kRight:
        if (probe.EmitUnmatchedRight(output)) {
          // They sort after all rows that the left side has produced.
          output.batch_index = local.task ? local.task->NextBatch() : UINT64_MAX;
          return;
        }
        local.phase = local.task ? Local::Phase::kBlock : Local::Phase::kEnd;
        break;
      case Local::Phase::kLeft:
        if (local.task->EmitLeft(output)) return;
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd: return;
    }
  }
}

}  // namespace scaup
