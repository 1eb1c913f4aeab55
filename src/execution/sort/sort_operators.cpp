// Sort operators: sorting in memory, or merging spilled runs if memory does not suffice.
#include "execution/sort/sort_operators.hpp"

#include <optional>

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "execution/run/sole_reader.hpp"
#include "execution/run/turns.hpp"
#include "execution/sort/row_order.hpp"
#include "execution/sort/sort_bound.hpp"
#include "execution/sort/sort_run.hpp"
#include "execution/sort/spilled_merge.hpp"
#include "expression/expression_executor.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

/// The rows to sort have the input's columns, followed by keys that are not plain columns.
SortSchema MakeSchema(const std::vector<LogicalType>& input_types, const std::vector<ExpressionPtr>& keys,
                      std::vector<SortOrder> orders) {
  std::vector<LogicalType> types = input_types;
  std::vector<size_t> key_columns;
  for (const ExpressionPtr& key : keys) {
    if (key->kind() == ExpressionKind::kReference) {
      key_columns.push_back(key->As<ReferenceExpression>().index);
    } else {
      key_columns.push_back(types.size());
      types.push_back(key->type());
    }
  }
  return {std::move(types), std::move(key_columns), std::move(orders)};
}

/// Collects the rows of one task in a run in memory, and spills it as a sorted run when memory is short.
class SortSink final : public ChunkSink {
 public:
  SortSink(QueryContext& context, const SortSchema& schema, const std::vector<ExpressionPtr>& computed_keys,
           uint64_t keep, SortBound* bound, MemoryGrant& grant)
      : context_(context),
        memory_(grant),
        run_(schema, context.functions, &memory_.account()),
        executor_(context.functions, computed_keys),
        keys_(TypesOf(computed_keys)),
        rows_(schema.types),
        keep_(keep),
        bound_(bound) {}

  void Consume(DataChunk& chunk) override {
    if (memory_.is_short() || IsRunLargeEnough()) SpillAndGoOn();
    rows_.Release();
    keys_.Release();
    executor_.Execute(chunk, keys_);
    for (size_t i = 0; i < rows_.column_count(); i++) {
      const size_t inputs = chunk.column_count();
      rows_.column(i).Reference(i < inputs ? chunk.column(i) : keys_.column(i - inputs));
    }
    rows_.SetSize(chunk.size());
    memory_.Grow([&] { return run_.MostAppendBytes(rows_); }, [&] { SpillAndGoOn(); });
    run_.Append(rows_);
    // Drop rows that cannot be among the first once there are more than twice as many as needed, plus some
    // slack; the first time without, so that there soon is a threshold.
    constexpr uint64_t kSlack = 4 * kVectorSize;
    const uint64_t slack = run_.threshold().is_set() ? kSlack : 0;
    if (run_.row_count() / 2 > slack && run_.row_count() / 2 - slack > keep_) Truncate();
  }

  void Finish() override {
    if (run_.has_spilled() || memory_.is_short()) {
      Spill();
    } else if (keep_ != SortOperator::kNoLimit) {
      Truncate();
    }
    memory_.SetFixed(TaskMemory::kAll);
  }

  void Spill() { SpillAndKeep(0); }
  SortRun& run() { return run_; }

 private:
  // Once there are spilled runs, a new run stays small enough for its rows to be close together when they are
  // written in order; the remaining memory is for others. The more runs there are, the larger they get, so
  // that one merge suffices.
  bool IsRunLargeEnough() const {
    constexpr size_t kRunBytes = size_t{64} << 20;
    constexpr size_t kRunsOfOneSize = 32;
    return run_.has_spilled() && run_.size_bytes() >= kRunBytes * (1 + run_.spilled_count() / kRunsOfOneSize);
  }

  // Pages that are not returned to the system need not be cleared again for the next rows. An operator that
  // spills retains no more than this share of the memory.
  void SpillAndGoOn() { SpillAndKeep(context_.MemoryBytes() / 8); }

  void SpillAndKeep(size_t page_bytes) {
    run_.Spill(context_, keep_);
    TightenBound();
    memory_.GiveBackPages(page_bytes);
  }

  // Reserves memory for the retained rows. If there is none, spills them instead.
  void Truncate() {
    if (run_.row_count() != 0 && !memory_.TryGrow(run_.TruncateBytes(keep_))) SpillAndGoOn();
    run_.Truncate(keep_);
    TightenBound();
  }

  void TightenBound() {
    if (bound_ != nullptr && run_.threshold().is_set()) bound_->Tighten(run_.threshold());
  }

  QueryContext& context_;
  TaskMemory memory_;

  SortRun run_;  // Takes its memory from memory_.
  ExpressionExecutor executor_;
  DataChunk keys_;  // The computed keys.
  DataChunk rows_;
  uint64_t keep_;
  SortBound* bound_;  // of all tasks; null if scans cannot use one
};

class SortShared final : public SharedState {
 public:
  explicit SortShared(MemoryTracker& memory) : order_memory(memory) {}
  std::optional<MemoryGrant> grant;
  std::shared_ptr<SortBound> bound;
  std::vector<std::unique_ptr<ChunkSink>> sinks;
  // If all rows fit in memory: their order.
  std::vector<const ColumnCollection*> rows;
  MemoryReservation order_memory;
  LargeVector<uint64_t> order;
  size_t first_row = 0;  // The first row of `order` to output.
  TurnCounter turns;     // Counts vectors from first_row on.
  // If runs have been spilled: the last merge.
  std::unique_ptr<SpilledMerge> merge;
  size_t spilled_run_count = 0;
};

/// The vectors that a task has taken. It takes many at once, so that a sink that stores the rows gets long
/// ordered sections.
class SortLocal final : public LocalState {
 public:
  Turn turn;
  std::optional<SpilledMerge::Task> merge;
  MergedRows merged;  // The rows to which the last chunk refers.
};
constexpr size_t kLeastVectors = 16, kMostVectors = 128;

SortSink& SortSinkOf(const std::unique_ptr<ChunkSink>& sink) { return static_cast<SortSink&>(*sink); }

/// Sorts all rows in memory; false if the memory does not suffice.
bool SortInMemory(QueryContext& context, const SortSchema& schema, uint64_t keep, SortShared& shared) {
  size_t row_count = 0;
  for (const auto& sink : shared.sinks) {
    if (SortSinkOf(sink).run().has_spilled()) return false;
    row_count += SortSinkOf(sink).run().row_count();
  }
  const size_t order_bytes = std::min<uint64_t>(row_count, keep) * sizeof(uint64_t);
  if (!shared.order_memory.TryResize(order_bytes, context.grants.margin_bytes())) return false;
  for (const auto& sink : shared.sinks) shared.rows.push_back(&SortSinkOf(sink).run().rows());
  shared.order = OrderRows(schema, shared.rows, keep, context.functions);
  return true;
}

}  // namespace

SortOperator::SortOperator(PhysicalOperatorPtr child, std::vector<ExpressionPtr> keys,
                           std::vector<SortOrder> orders, uint64_t limit, uint64_t offset)
    : PhysicalOperator(limit == kNoLimit ? "Sort" : "TopN", child->types()),
      schema_(MakeSchema(child->types(), keys, std::move(orders))),
      limit_(limit),
      offset_(offset) {
  children.push_back(std::move(child));
  for (ExpressionPtr& key : keys) {
    if (key->kind() != ExpressionKind::kReference) computed_keys_.push_back(std::move(key));
  }
}

std::unique_ptr<SharedState> SortOperator::MakeShared(QueryContext& context) const {
  CheckStack();
  auto shared = std::make_unique<SortShared>(context.memory());
  shared->children.push_back(children[0]->MakeShared(context));
  return shared;
}

void SortOperator::BoundInput(SharedState& shared_state) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  const size_t column = schema_.key_columns.front();
  const SortOrder& order = schema_.encoder.orders().front();
  const bool is_computed = column >= children[0]->types().size();
  if (limit_ == kNoLimit || is_computed || !SortBound::Serves(order.type)) return;
  shared.bound = std::make_shared<SortBound>(order);
  // NULLs pass even where they come last: there may be too few other rows.
  children[0]->ApplyRuntimeFilter(*shared.children[0], column, RuntimeFilter(order.type, shared.bound, true));
}

void SortOperator::Prepare(QueryContext& context, SharedState& shared_state) const {
  CheckStack();
  auto& shared = static_cast<SortShared&>(shared_state);
  BoundInput(shared);
  children[0]->Prepare(context, *shared.children[0]);
  const uint64_t keep = limit_ == kNoLimit ? kNoLimit : limit_ + offset_;
  shared.grant.emplace(context.grants, DrainTasks(context, *children[0], *shared.children[0]),
                       2 * SortRun::LeastBytes(schema_), &shared.profile.memory);
  const auto make_sink = [&](size_t) {
    return std::make_unique<SortSink>(context, schema_, computed_keys_, keep, shared.bound.get(),
                                      *shared.grant);
  };
  shared.sinks = DrainParallel(context, *children[0], *shared.children[0], shared.profile, make_sink,
                               shared.grant->task_count());
  shared.grant->Finish();
  if (SortInMemory(context, schema_, keep, shared)) {
    shared.first_row = std::min<uint64_t>(offset_, shared.order.size());
    return;
  }
  std::vector<SpilledRun> runs;
  for (const auto& sink : shared.sinks) {
    SortSinkOf(sink).Spill();
    SortSinkOf(sink).run().MoveSpilledTo(runs);
  }
  shared.sinks.clear();
  shared.grant.reset();
  shared.spilled_run_count = runs.size();
  shared.merge = std::make_unique<SpilledMerge>(context, schema_, std::move(runs), keep,
                                                context.scheduler().thread_count(), &shared.profile.memory);
  shared.merge->Skip(offset_);
}

uint64_t SortOperator::SkipRows(SharedState& shared_state, uint64_t row_count) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  if (shared.merge) {
    const uint64_t before = shared.merge->RangeOffsets().back();
    shared.merge->Skip(row_count);
    return before - shared.merge->RangeOffsets().back();
  }
  const size_t skipped = std::min<uint64_t>(shared.order.size() - shared.first_row, row_count);
  shared.first_row += skipped;
  return skipped;
}

std::vector<std::string> SortOperator::RunDetails(const SharedState& shared_state) const {
  const auto& shared = static_cast<const SortShared&>(shared_state);
  if (!shared.merge) return {};
  return {fmt::format("spilled: {} runs, {} merges", shared.spilled_run_count, shared.merge->merge_count())};
}

std::unique_ptr<LocalState> SortOperator::MakeLocal(QueryContext&, SharedState& shared_state) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  auto local = std::make_unique<SortLocal>();
  if (shared.merge) local->merge.emplace(*shared.merge);
  return local;
}

size_t SortOperator::MaxTasks(QueryContext&, SharedState& shared_state) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  return shared.merge ? shared.merge->task_count() : shared.order.size() / kVectorSize / kLeastVectors;
}

std::vector<uint64_t> SortOperator::BatchOffsets(QueryContext&, SharedState& shared_state) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  return shared.merge ? shared.merge->RangeOffsets() : std::vector<uint64_t>();
}

void SortOperator::Produce(QueryContext&, SharedState& shared_state, LocalState& local_state,
                           DataChunk& output) const {
  auto& shared = static_cast<SortShared&>(shared_state);
  auto& local = static_cast<SortLocal&>(local_state);
  if (shared.merge) {
    local.merge->Next(kVectorSize, local.merged);
    local.merged.Gather(output);
    output.batch_index = local.merge->range();
    return;
  }
  const size_t rows_left = shared.order.size() - shared.first_row;
  const size_t vectors = (rows_left + kVectorSize - 1) / kVectorSize;
  if (local.turn.next == local.turn.end &&
      !shared.turns.Take(local.turn, vectors, kLeastVectors, kMostVectors))
    return;
  const size_t number = local.turn.next++;
  const size_t begin = shared.first_row + number * kVectorSize;
  const size_t count = std::min(kVectorSize, shared.order.size() - begin);
  output.ResetForWriting();
  for (size_t i = 0; i < output.column_count(); i++)
    GatherFrom(shared.rows, i, shared.order.data() + begin, count, output.column(i));
  output.SetSize(count);
  output.batch_index = number;
}

}  // namespace scaup
