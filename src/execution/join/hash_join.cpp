// Hash join: builds, then probes chunk by chunk, and at last emits unmatched build rows.
#include "execution/join/hash_join.hpp"

#include <atomic>
#include <exception>

#include "common/stack_bound.hpp"
#include "execution/join/hash_join_build.hpp"
#include "execution/join/hash_join_filters.hpp"
#include "execution/join/hash_join_partitions.hpp"
#include "execution/join/hash_join_probe.hpp"
#include "execution/join/join_output.hpp"

namespace scaup {

/// The state of a hash join that all threads share.
struct HashJoin::Shared final : SharedState {
  Shared(const HashJoinSpecification& join, QueryContext& context) : build(join, context) {}

  HashJoinBuild build;
  std::unique_ptr<PartitionedJoin> partitions;  // Set if the build side is partitioned.
  std::exception_ptr late_error;                // Thrown for the first probe row.
  std::atomic<size_t> probing{0};
};

/// The state of a hash join's thread.
struct HashJoin::Local final : LocalState {
  Local(const HashJoinSpecification& join, QueryContext& context, const Shared& shared)
      : probe(join, context, shared.build.has_null_key(), shared.build.row_count() != 0) {}
  /// Makes the next partition ready to be probed; false if there is none.
  bool BeginPartition(QueryContext& context) {
    probe.input().Release();
    probe.SetBuildSide(nullptr);
    JoinBuildSide* built = task->Begin(context);
    probe.SetBuildSide(built);
    return built != nullptr;
  }

  // Set if the build side is partitioned. It owns rows to which the probe refers, so the probe is destroyed
  // first.
  std::unique_ptr<PartitionTask> task;
  HashJoinProbe probe;
  enum class Phase : uint8_t { kInput, kProbe, kRight, kEnd } phase = Phase::kInput;
};

HashJoin::HashJoin(LogicalJoinType join_type, PhysicalOperatorPtr left, PhysicalOperatorPtr right,
                   std::vector<HashJoinKey> keys, ExpressionPtr residual, std::vector<LogicalType> types)
    : PhysicalOperator("HashJoin", std::move(types)),
      join_(join_type, left->types(), right->types(), std::move(keys), std::move(residual)) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::unique_ptr<SharedState> HashJoin::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<Shared>(join_, context);
  for (const auto& child : children) shared->children.push_back(child->MakeShared(context));
  return shared;
}

void HashJoin::ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const {
  CheckStack();
  const size_t left_columns = EmitsLeft(join_.join_type) ? children[0]->types().size() : 0;
  if (column >= left_columns) {
    // The build side has been read before a moving filter moves.
    if (!range.is_moving() && (join_.join_type == LogicalJoinType::kInner || !EmitsLeft(join_.join_type)))
      children[1]->ApplyRuntimeFilter(*shared.children[1], column - left_columns, range);
    return;
  }
  if (!IsMadeOfLeftRows(join_.join_type)) return;
  children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void HashJoin::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  shared.late_error = CollectRightSide(right_is_scalar, [&] { Build(context, shared); });
  children[0]->Prepare(context, *shared.children[0]);
  if (shared.partitions)
    shared.partitions->PartitionProbeSide(context, *children[0], *shared.children[0], shared.profile);
}

void HashJoin::Build(QueryContext& context, Shared& shared) const {
  children[1]->Prepare(context, *shared.children[1]);
  HashJoinBuild& build = shared.build;
  build.Collect(context, *children[1], *shared.children[1], shared.profile);
  build.ChooseLayout(context);
  if (build.is_partitioned()) {
    shared.partitions = std::make_unique<PartitionedJoin>(join_, build);
    shared.partitions->PartitionBuildSide(context);
  }
  // Before the probe side is prepared, as its scans take their filters then. The bitmap needs the rows, which
  // Finish may free.
  if (!KeepsUnmatchedLeft(join_.join_type)) {
    const JoinTable* table = build.is_partitioned() ? nullptr : &build.built().table;
    std::vector<RuntimeFilter> filters = build.TakeFilters();
    FilterProbeSide(join_, table, filters, *children[0], *shared.children[0]);
  }
  build.Finish(context);
}

std::unique_ptr<LocalState> HashJoin::MakeLocal(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  auto local = std::make_unique<Local>(join_, context, shared);
  // Register this task before the joins below do. The last task to end below must find it registered here;
  // otherwise unmatched rows would be emitted while the join below still has rows to emit.
  shared.probing.fetch_add(1);
  if (shared.partitions) {
    local->task = std::make_unique<PartitionTask>(*shared.partitions, context);
    local->phase = Local::Phase::kEnd;  // The first partition begins in Produce.
  } else {
    local->probe.SetBuildSide(&shared.build.built());
    local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  }
  return local;
}

std::vector<BatchRange> HashJoin::BatchRanges(QueryContext& context, SharedState& shared_state,
                                              size_t column) const {
  CheckStack();
  auto& shared = static_cast<Shared&>(shared_state);
  const bool is_left = EmitsLeft(join_.join_type) && column < children[0]->types().size();
  // Partitioning changes the order of rows, so batches no longer correspond to those of the input.
  if (!is_left || shared.partitions) return {};
  return children[0]->BatchRanges(context, *shared.children[0], column);
}

bool HashJoin::NextInput(QueryContext& context, Shared& shared, Local& local) const {
  DataChunk& input = local.probe.input();
  if (local.task) return local.task->NextInput(input);
  children[0]->Next(context, *shared.children[0], *local.children[0], input);
  return input.size() != 0;
}

void HashJoin::Produce(QueryContext& context, SharedState& shared_state, LocalState& local_state,
                       DataChunk& output) const {
  auto& shared = static_cast<Shared&>(shared_state);
  auto& local = static_cast<Local&>(local_state);
  if (shared.build.row_count() == 0 && !KeepsUnmatchedLeft(join_.join_type) && !shared.late_error) return;
  HashJoinProbe& probe = local.probe;
  while (true) {
    switch (local.phase) {
      case Local::Phase::kInput:
        if (!NextInput(context, shared, local)) {
          const bool is_last = local.task || shared.probing.fetch_sub(1) == 1;
          local.phase = is_last && KeepsRight(join_.join_type) ? Local::Phase::kRight : Local::Phase::kEnd;
          break;
        }
        if (shared.late_error) std::rethrow_exception(shared.late_error);
        probe.Begin();
        if (local.task && local.task->RecallMatches(probe.matches(), probe.input().size()))
          probe.DropMatched();
        local.phase = Local::Phase::kProbe;
        break;
      case Local::Phase::kProbe:
        while (probe.has_open_rows()) {
          context.functions.CheckInterrupt();  // Chains may be long without a single match.
          if (probe.Step(output)) return;
        }
        local.phase = Local::Phase::kInput;
        if (local.task && local.task->DeferProbeRows(probe.matches(), probe.input().size())) break;
        if (EmitAfterProbe(join_.join_type, probe.input(), probe.matches(), output)) return;
        break;
      case Local::Phase::kRight:
        if (probe.EmitUnmatchedRight(output)) {
          // They sort after all rows that the probe side has produced.
          output.batch_index = local.task ? local.task->NextBatch() : UINT64_MAX;
          return;
        }
        local.phase = Local::Phase::kEnd;
        break;
      case Local::Phase::kEnd:
        if (!local.task || !local.BeginPartition(context)) return;
        local.phase = Local::Phase::kInput;
        break;
    }
  }
}

}  // namespace scaup
