// GROUP BY by hashing: the operator; Grouping does the work.
#include "execution/aggregate/hash_aggregate.hpp"

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "execution/aggregate/grouping.hpp"

namespace scaup {

namespace {

class AggregateShared final : public SharedState {
 public:
  AggregateShared(QueryContext& context, const DistinctSets& sets, size_t group_count,
                  const std::vector<AggregateSpecification>& aggregates,
                  const std::vector<std::vector<Value>>& certain_groups)
      : grouping(context, sets.InputTypes(), group_count, aggregates, certain_groups, 1 + sets.size()) {}
  Grouping grouping;
};

class AggregateLocal final : public LocalState {
 public:
  GroupingTask task;
};

Grouping& GroupingOf(SharedState& shared) { return static_cast<AggregateShared&>(shared).grouping; }

}  // namespace

HashAggregate::HashAggregate(PhysicalOperatorPtr child, size_t group_count,
                             std::vector<AggregateSpecification> aggregates, std::vector<LogicalType> types,
                             std::vector<std::vector<Value>> certain_groups)
    : PhysicalOperator("HashAggregate", std::move(types)),
      group_count_(group_count),
      aggregates_(std::move(aggregates)),
      distinct_sets_(aggregates_, child->types(), group_count),
      certain_groups_(std::move(certain_groups)) {
  if (group_count == 0) certain_groups_.resize(1);  // One group without values.
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> HashAggregate::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared =
      std::make_unique<AggregateShared>(context, distinct_sets_, group_count_, aggregates_, certain_groups_);
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void HashAggregate::ApplyRuntimeFilter(SharedState& shared, size_t column, const RuntimeFilter& range) const {
  CheckStack();
  // Only filters on group columns commute with aggregation.
  if (column < group_count_ && !range.is_moving())
    children[0]->ApplyRuntimeFilter(*shared.children[0], column, range);
}

void HashAggregate::Prepare(QueryContext& context, SharedState& shared) const {
  CheckStack();
  Grouping& grouping = GroupingOf(shared);
  children[0]->Prepare(context, *shared.children[0]);
  // If every group lies within one batch of the source, each batch can be aggregated and output by itself.
  if (grouping.may_be_clustered() && distinct_sets_.empty() && !context.forces_partitions()) {
    if (auto clusters = KeyClusters::Find(context, *children[0], *shared.children[0], group_count_))
      return grouping.SetClusters(std::move(*clusters), &shared.profile.memory);
  }
  const auto grant =
      grouping.BeginSinks(DrainTasks(context, *children[0], *shared.children[0]), &shared.profile.memory);
  const auto drain = [&](const auto& make_sink) {
    return DrainParallel(
        context, *children[0], *shared.children[0], shared.profile,
        [&](size_t) -> std::unique_ptr<ChunkSink> { return make_sink(); }, grant->task_count());
  };
  if (distinct_sets_.empty()) {
    auto sinks = drain([&] { return grouping.MakeSink(); });
    grant->Finish();
    return grouping.Merge(std::move(sinks));
  }
  DistinctGroupings distinct(context, distinct_sets_, grouping, grant);
  auto sinks = distinct.Merge(drain([&] { return distinct.MakeSink(); }));
  grant->Finish();
  grouping.Merge(std::move(sinks));
}

std::unique_ptr<LocalState> HashAggregate::MakeLocal(QueryContext& context, SharedState& shared) const {
  CheckStack();
  Grouping& grouping = GroupingOf(shared);
  auto local = std::make_unique<AggregateLocal>();
  if (!grouping.clusters()) return local;
  grouping.CountClusteredTask();
  local->children.push_back(children[0]->MakeLocal(context, *shared.children[0]));
  grouping.BeginClustered(local->task, *children[0], *shared.children[0], *local->children[0]);
  return local;
}

std::vector<std::string> HashAggregate::RunDetails(const SharedState& shared) const {
  const auto& clusters = static_cast<const AggregateShared&>(shared).grouping.clusters();
  if (!clusters) return {};
  return {fmt::format("groups complete in each of {} batches", clusters->batch_count())};
}

size_t HashAggregate::MaxTasks(QueryContext& context, SharedState& shared) const {
  CheckStack();
  const Grouping& grouping = GroupingOf(shared);
  return grouping.clusters() ? children[0]->MaxTasks(context, *shared.children[0]) : grouping.MaxTasks();
}

void HashAggregate::Produce(QueryContext&, SharedState& shared, LocalState& local, DataChunk& output) const {
  GroupingOf(shared).Produce(static_cast<AggregateLocal&>(local).task, output);
}

}  // namespace scaup
