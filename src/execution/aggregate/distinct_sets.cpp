// Distinct sets: collecting distinct rows beside the aggregation, and then aggregating them.
#include "execution/aggregate/distinct_sets.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

namespace {

const std::vector<AggregateSpecification> kNoAggregates;
const std::vector<std::vector<Value>> kNoGroups;

/// Sets the source of all rows of a chunk.
void SetSource(DataChunk& chunk, size_t source) {
  chunk.column(chunk.column_count() - 1).ReferenceValue(Value::Integer(static_cast<int32_t>(source)));
}

}  // namespace

DistinctSets::DistinctSets(std::vector<AggregateSpecification>& aggregates,
                           const std::vector<LogicalType>& input_types, size_t group_count)
    : input_types_(input_types), group_count_(group_count) {
  const auto is_distinct = [](const AggregateSpecification& aggregate) { return aggregate.distinct; };
  if (std::ranges::none_of(aggregates, is_distinct)) return;
  for (AggregateSpecification& aggregate : aggregates) {
    if (!aggregate.distinct) {
      aggregate.source = 0;
      wants_rows_ = true;
      continue;
    }
    AggregateSpecification columns;
    for (size_t i = 0; i < group_count; i++) columns.arguments.push_back(i);
    columns.arguments.insert(columns.arguments.end(), aggregate.arguments.begin(), aggregate.arguments.end());
    columns.filter = std::exchange(aggregate.filter, std::nullopt);
    const auto found = std::ranges::find_if(sets_, [&](const Set& set) {
      return set.columns.arguments == columns.arguments && set.columns.filter == columns.filter;
    });
    aggregate.source = 1 + (found - sets_.begin());
    if (found != sets_.end()) continue;
    Set& set = sets_.emplace_back();
    for (const size_t column : columns.arguments) set.types.push_back(input_types[column]);
    set.columns = std::move(columns);
  }
  // A set without a filter contains every group; otherwise the input's rows must provide the groups.
  const bool has_all_groups =
      group_count == 0 || std::ranges::any_of(sets_, [](const Set& set) { return !set.columns.filter; });
  wants_rows_ = wants_rows_ || !has_all_groups;
}

std::vector<LogicalType> DistinctSets::InputTypes() const {
  std::vector<LogicalType> types = input_types_;
  if (!empty()) types.emplace_back(TypeId::kInteger);
  return types;
}

/// The sinks of one task: the aggregation and all sets.
class DistinctGroupings::Sink final : public ChunkSink {
 public:
  explicit Sink(DistinctGroupings& rows)
      : rows_(rows), aggregation(rows.aggregation_.MakeSink()), input_(rows.sets_.InputTypes()) {
    for (size_t i = 0; i < rows.sets_.size(); i++) {
      columns_.emplace_back(rows.sets_.sets_[i].columns, rows.sets_.input_types_);
      sets.push_back(rows.groupings_[i]->MakeSink());
    }
  }

  void Consume(DataChunk& chunk) override {
    for (size_t i = 0; i < sets.size(); i++) {
      if (columns_[i].Load(chunk) != 0) sets[i]->Consume(columns_[i].chunk());
    }
    if (!rows_.sets_.wants_rows_) return;
    input_.Release();
    for (size_t i = 0; i < chunk.column_count(); i++) input_.column(i).Reference(chunk.column(i));
    SetSource(input_, 0);
    input_.SetSize(chunk.size());
    aggregation->Consume(input_);
  }
  void Finish() override {
    for (const auto& set : sets) set->Finish();
    // The aggregation continues in Merge, on a thread that may be another.
    aggregation->builder.Finish();
  }

 private:
  DistinctGroupings& rows_;

 public:
  std::unique_ptr<AggregateSink> aggregation;
  std::vector<std::unique_ptr<AggregateSink>> sets;

 private:
  std::vector<AggregateArguments> columns_;  // By set.
  DataChunk input_;
};

DistinctGroupings::DistinctGroupings(QueryContext& context, const DistinctSets& sets, Grouping& aggregation,
                                     const std::shared_ptr<MemoryGrant>& grant)
    : context_(context), sets_(sets), aggregation_(aggregation) {
  for (const DistinctSets::Set& set : sets.sets_) {
    groupings_.push_back(std::make_unique<Grouping>(context, set.types, set.types.size(), kNoAggregates,
                                                    kNoGroups, 1 + sets.size()));
    groupings_.back()->ShareSinks(grant);
  }
}

std::unique_ptr<ChunkSink> DistinctGroupings::MakeSink() { return std::make_unique<Sink>(*this); }

std::vector<std::unique_ptr<ChunkSink>> DistinctGroupings::Merge(
    std::vector<std::unique_ptr<ChunkSink>> sinks) {
  const auto sink_of = [&](size_t task) -> Sink& { return static_cast<Sink&>(*sinks[task]); };
  std::vector<std::unique_ptr<ChunkSink>> aggregations;
  for (size_t task = 0; task < sinks.size(); task++)
    aggregations.push_back(std::move(sink_of(task).aggregation));
  for (size_t set = 0; set < groupings_.size(); set++) {
    std::vector<std::unique_ptr<ChunkSink>> set_sinks;
    for (size_t task = 0; task < sinks.size(); task++)
      set_sinks.push_back(std::move(sink_of(task).sets[set]));
    Grouping& grouping = *groupings_[set];
    grouping.Merge(std::move(set_sinks));
    const size_t task_count = std::min(sinks.size(), grouping.MaxTasks());
    context_.scheduler().RunAll(task_count, [&](size_t number) {
      auto& aggregation = static_cast<AggregateSink&>(*aggregations[number]);
      aggregation.builder.Resume();
      GroupingTask task;
      DataChunk rows(sets_.sets_[set].types);
      DataChunk chunk(sets_.InputTypes());
      while (true) {
        context_.functions.CheckInterrupt();
        rows.Release();
        grouping.Produce(task, rows);
        if (rows.size() == 0) break;
        AddRows(set, rows, chunk, aggregation);
      }
      aggregation.builder.Finish();
    });
    groupings_[set].reset();
  }
  for (const auto& aggregation : aggregations) aggregation->Finish();
  return aggregations;
}

void DistinctGroupings::AddRows(size_t set, DataChunk& rows, DataChunk& chunk,
                                AggregateSink& aggregation) const {
  chunk.Release();
  for (size_t i = 0; i + 1 < chunk.column_count(); i++) {
    chunk.column(i).Reset();
    chunk.column(i).SetConstantNull();
  }
  const std::vector<size_t>& columns = sets_.sets_[set].columns.arguments;
  for (size_t i = 0; i < columns.size(); i++) chunk.column(columns[i]).Reference(rows.column(i));
  SetSource(chunk, 1 + set);
  chunk.SetSize(rows.size());
  aggregation.Consume(chunk);
}

}  // namespace scaup
