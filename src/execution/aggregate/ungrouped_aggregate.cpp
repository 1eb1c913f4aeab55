// Aggregates without GROUP BY: aggregating in tasks, combining, and spilling of retained rows.
#include "execution/aggregate/ungrouped_aggregate.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "common/memory/memory_grants.hpp"
#include "common/stack_bound.hpp"
#include "execution/aggregate/retained_rows_store.hpp"
#include "execution/rows/hash_partitions.hpp"
#include "execution/rows/materialized_result.hpp"
#include "function/many_groups.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// Whether states of an aggregate without GROUP BY retain rows that may be spilled. Spilling does not help if
/// the only state collects them in the order in which they arrive.
bool RetainsRows(const AggregateFunction& function) {
  return function.row_retention != nullptr && function.row_retention->own_types.empty();
}

/// The aggregate states of one task. Rows that they retain are moved to spilled runs when memory is short.
class StateSink final : public ChunkSink {
 public:
  StateSink(QueryContext& context, const std::vector<AggregateSpecification>& aggregates,
            const std::vector<LogicalType>& input_types, MemoryGrant& grant)
      : context_(context),
        grant_(grant),
        aggregates_(aggregates),
        memory_(grant),
        arena_(&context.memory()),
        reserve_(memory_.account()) {
    for (const auto& aggregate : aggregates) {
      arguments_.emplace_back(aggregate, input_types);
      states.push_back(arena_.Allocate(aggregate.function.state_size, 16));
      aggregate.function.initialize(states.back());
      kept_.push_back(
          RetainsRows(aggregate.function)
              ? std::make_unique<RetainedRowsStore>(aggregate, context.functions, memory_.account(), true)
              : nullptr);
      keeps_rows_ = keeps_rows_ || kept_.back() != nullptr;
    }
  }

  void Consume(DataChunk& chunk) override {
    if (keeps_rows_) ReserveFor(chunk);
    for (size_t i = 0; i < aggregates_.size(); i++) {
      const size_t count = arguments_[i].Load(chunk);
      if (count == 0) continue;
      DataChunk& arguments = arguments_[i].chunk();
      if (kept_[i] && is_apart_) {
        std::byte* all[kVectorSize];
        std::fill(all, all + count, states[i]);
        kept_[i]->Add(arguments, all);
      } else {
        aggregates_[i].function.update_single(CallOf(i), arguments.columns(), count, states[i]);
      }
    }
    if (context_.forces_spilling() && keeps_rows_ && !is_apart_) KeepApart();
  }
  void Finish() override {
    if (is_apart_ || memory_.is_short()) KeepApart();
    memory_.SetFixed(TaskMemory::kAll);
  }

  void Combine(StateSink& other) {
    for (size_t i = 0; i < aggregates_.size(); i++) {
      aggregates_[i].function.combine(CallOf(i), &other.states[i], &states[i], 1);
      if (kept_[i]) other.kept_[i]->MoveRunsTo(runs_[i]);
    }
  }

  bool keeps_rows() const { return keeps_rows_; }
  bool is_apart() const { return is_apart_; }
  /// Spills all retained rows.
  void KeepApart() {
    reserve_.Reset();
    for (size_t i = 0; i < aggregates_.size(); i++) {
      if (!kept_[i]) continue;
      kept_[i]->SpillRows(context_, ReserveBytes(),
                          [&](const RetainedRowsStore::VisitState& visit) { visit(states[i]); });
    }
    is_apart_ = true;
    memory_.GiveBackPages();
  }
  /// Frees retained rows once the states into which these states were combined no longer need them.
  void ReleaseKeptRows() {
    kept_.clear();
    reserve_.Reset();
    memory_.GiveBack();
  }
  /// Gives spilled rows to the states in order, including those of combined sinks.
  void AddInOrder() {
    for (size_t i = 0; i < aggregates_.size(); i++) {
      if (!kept_[i]) continue;
      kept_[i]->MoveRunsTo(runs_[i]);
      kept_[i]->AddInOrder(context_, std::move(runs_[i]), states[i]);
    }
  }

  AggregateCall CallOf(size_t aggregate) {
    if (kept_[aggregate]) return kept_[aggregate]->call();
    return {context_.functions, aggregates_[aggregate].data.get(), arena_};
  }

  std::vector<std::byte*> states;

 private:
  /// The memory with which runs can be sorted even when no more is available.
  size_t ReserveBytes() const { return HashPartitions::ReserveBytes(context_.TaskShareBytes(grant_)); }

  void ReserveFor(DataChunk& chunk) {
    if (memory_.is_short()) KeepApart();
    const auto reserve_bytes = [&] { return is_apart_ || reserve_.size_bytes() != 0 ? 0 : ReserveBytes(); };
    const auto wanted_bytes = [&] {
      size_t bytes = reserve_bytes();
      for (const auto& kept : kept_) bytes += kept ? kept->MostAddBytes(chunk) : 0;
      return bytes;
    };
    memory_.Grow(wanted_bytes, [&] { KeepApart(); });
    if (reserve_bytes() != 0) reserve_.Resize(ReserveBytes());
  }

  QueryContext& context_;
  const MemoryGrant& grant_;
  const std::vector<AggregateSpecification>& aggregates_;
  TaskMemory memory_;  // Of retained rows.
  Arena arena_;
  std::vector<std::unique_ptr<RetainedRowsStore>> kept_;  // Null for aggregates that retain no rows.
  MemoryReservation reserve_;                             // For moving rows to runs.
  bool keeps_rows_ = false;
  bool is_apart_ = false;
  std::vector<AggregateArguments> arguments_;
  std::map<size_t, std::vector<SpilledRun>> runs_;  // By aggregate; runs of combined sinks.
};

/// The memory of a task in which it sorts a chunk of the rows that states retain, for each aggregate that
/// retains any.
size_t LeastBytes(const std::vector<AggregateSpecification>& aggregates) {
  size_t size_bytes = 0;
  for (const AggregateSpecification& aggregate : aggregates) {
    if (RetainsRows(aggregate.function))
      size_bytes += 2 * RetainedRowsStore::LeastRunBytes(aggregate.function);
  }
  return size_bytes;
}

StateSink& StateSinkOf(const std::unique_ptr<ChunkSink>& sink) { return static_cast<StateSink&>(*sink); }

class UngroupedShared final : public SharedState {
 public:
  UngroupedShared(const QueryContext& context, const std::vector<LogicalType>& types) : result(types) {
    for (Vector& column : result.columns()) column.AccountStrings(&context.memory());
  }
  std::optional<MemoryGrant> grant;  // Of rows that states retain.
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  DataChunk result;
  std::atomic<bool> is_done{false};
};

/// Writes the only row. The states do not change.
void WriteResult(const std::vector<AggregateSpecification>& aggregates, StateSink& sink, DataChunk& result) {
  result.Release();
  result.ResetForWriting();
  for (size_t i = 0; i < aggregates.size(); i++)
    aggregates[i].function.finalize(sink.CallOf(i), &sink.states[i], 1, result.column(i), 0);
  result.SetSize(1);
}

/// Writes the result. Returns false if the memory does not suffice to sort the rows that states retain.
bool TryWriteResult(const std::vector<AggregateSpecification>& aggregates, StateSink& sink,
                    DataChunk& result) {
  try {
    WriteResult(aggregates, sink, result);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory || !sink.keeps_rows()) throw;
    return false;
  }
  return true;
}

}  // namespace

UngroupedAggregate::UngroupedAggregate(PhysicalOperatorPtr child,
                                       std::vector<AggregateSpecification> aggregates,
                                       std::vector<LogicalType> types)
    : PhysicalOperator("Aggregate", std::move(types)), aggregates_(std::move(aggregates)) {
  children.push_back(std::move(child));
}

std::unique_ptr<SharedState> UngroupedAggregate::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<UngroupedShared>(context, types());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void UngroupedAggregate::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<UngroupedShared&>(shared_state);
  children[0]->Prepare(context, *shared.children[0]);
  if (TakesColumns()) return FinishColumns(context, shared);
  shared.grant.emplace(context.grants, DrainTasks(context, *children[0], *shared.children[0]),
                       LeastBytes(aggregates_), &shared.profile.memory);
  if (shared.grant->least_bytes() == 0) shared.grant->Finish();  // No state retains rows.
  const auto make_sink = [&](size_t) {
    return std::make_unique<StateSink>(context, aggregates_, children[0]->types(), *shared.grant);
  };
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, make_sink,
                               shared.grant->task_count());
  shared.grant->Finish();
  bool is_apart = false;
  for (const auto& sink : shared.sinks) is_apart = is_apart || StateSinkOf(sink).is_apart();
  StateSink& first = StateSinkOf(shared.sinks[0]);
  // If one task has spilled, all must: combined states cannot have some rows in memory and others in runs.
  if (is_apart) {
    for (const auto& sink : shared.sinks) StateSinkOf(sink).KeepApart();
  }
  for (size_t i = 1; i < shared.sinks.size(); i++) first.Combine(StateSinkOf(shared.sinks[i]));
  if (!is_apart) {
    if (TryWriteResult(aggregates_, first, shared.result)) return;
    // Retry with the rows sorted in temporary storage.
    first.KeepApart();
    for (size_t i = 1; i < shared.sinks.size(); i++) StateSinkOf(shared.sinks[i]).ReleaseKeptRows();
  }
  first.AddInOrder();
  WriteResult(aggregates_, first, shared.result);
}

bool UngroupedAggregate::TakesColumns() const {
  if (aggregates_.size() != 1) return false;
  const AggregateSpecification& aggregate = aggregates_[0];
  const auto* const data = dynamic_cast<const ManyGroupsData*>(aggregate.data.get());
  if (data == nullptr || aggregate.filter || aggregate.source || aggregate.distinct) return false;
  // A column can be given away once.
  std::vector<size_t> columns = aggregate.arguments;
  std::sort(columns.begin(), columns.end());
  const bool has_twice = std::adjacent_find(columns.begin(), columns.end()) != columns.end();
  return !has_twice && data->TakesWhole();
}

// Collects the rows where they will lie, in the order of the source, rather than in states first.
void UngroupedAggregate::FinishColumns(QueryContext& context, SharedState& shared_state) const {
  auto& shared = static_cast<UngroupedShared&>(shared_state);
  const AggregateSpecification& aggregate = aggregates_[0];
  MaterializedResult input = CollectResult(context, *children[0], *shared.children[0]);
  MaterializedResult rows;
  rows.row_count = input.row_count;
  rows.heaps = std::move(input.heaps);
  for (const size_t column : aggregate.arguments) rows.columns.push_back(std::move(input.columns[column]));
  shared.result.Release();
  shared.result.ResetForWriting();
  static_cast<const ManyGroupsData&>(*aggregate.data)
      .FinishWhole(context.functions, std::move(rows), shared.result.column(0));
  shared.result.SetSize(1);
}

std::unique_ptr<LocalState> UngroupedAggregate::MakeLocal(QueryContext&, SharedState&) const {
  return std::make_unique<LocalState>();
}

void UngroupedAggregate::Produce(QueryContext&, SharedState& shared_state, LocalState&,
                                 DataChunk& output) const {
  auto& shared = static_cast<UngroupedShared&>(shared_state);
  if (shared.is_done.exchange(true)) return;
  output.Reference(shared.result);
}

}  // namespace scaup
