// Partitioned runs: sinks that partition rows by the hash of their PARTITION BY columns into sorted runs.
#include "execution/window/partitioned_runs.hpp"

#include <algorithm>

namespace scaup {

namespace {

constexpr size_t kWindowPartitions = 16;

/// The runs of one task, by partition.
class WindowSink final : public ChunkSink {
 public:
  WindowSink(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
             size_t partition_count, MemoryGrant& grant)
      : context_(context),
        specification_(specification),
        memory_(grant),
        rows_(schema.types),
        partition_rows_(schema.types) {
    for (size_t p = 0; p < partition_count; p++)
      runs_.push_back(std::make_unique<SortRun>(schema, context.functions, &memory_.account()));
  }

  void Consume(DataChunk& chunk) override;
  void Finish() override {
    if (has_spilled() || memory_.is_short() || context_.forces_spilling()) Spill();
    memory_.SetFixed(TaskMemory::kAll);
  }
  /// Spills all runs.
  void Spill() {
    for (const auto& run : runs_) run->Spill(context_);
    memory_.GiveBackPages();
  }
  SortRun& run(size_t partition) { return *runs_[partition]; }
  bool has_spilled() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->has_spilled(); });
  }
  bool is_in_source_order() const { return is_in_source_order_; }

 private:
  void Append(size_t partition, DataChunk& rows) {
    memory_.Grow([&] { return runs_[partition]->MostAppendBytes(rows); }, [&] { Spill(); });
    runs_[partition]->Append(rows);
  }

  QueryContext& context_;
  const WindowSpecification& specification_;
  TaskMemory memory_;
  std::vector<std::unique_ptr<SortRun>> runs_;  // Take their memory from memory_.
  bool is_in_source_order_ = true;
  uint64_t last_batch_ = 0;
  DataChunk rows_;
  DataChunk partition_rows_;
};

void WindowSink::Consume(DataChunk& chunk) {
  if (memory_.is_short()) Spill();
  is_in_source_order_ &= last_batch_ <= chunk.batch_index;
  last_batch_ = chunk.batch_index;
  const size_t count = chunk.size();
  rows_.Release();
  for (size_t i = 0; i < chunk.column_count(); i++) rows_.column(i).Reference(chunk.column(i));
  rows_.column(chunk.column_count()).ReferenceValue(Value::BigInt(static_cast<int64_t>(chunk.batch_index)));
  rows_.SetSize(count);
  if (runs_.size() == 1) return Append(0, rows_);
  uint64_t hashes[kVectorSize];
  for (size_t i = 0; i < specification_.partition_by.size(); i++)
    HashVector(chunk.column(specification_.partition_by[i]), count, hashes, i != 0);
  std::vector<SelectionRef> selections(runs_.size());
  std::vector<size_t> counts(runs_.size(), 0);
  for (size_t row = 0; row < count; row++) {
    const size_t partition = (hashes[row] >> 41) % runs_.size();
    if (!selections[partition]) selections[partition] = std::make_shared<SelectionVector>();
    selections[partition]->rows[counts[partition]++] = static_cast<sel_t>(row);
  }
  for (size_t p = 0; p < runs_.size(); p++) {
    if (counts[p] == 0) continue;
    if (counts[p] == count) {
      Append(p, rows_);
      continue;
    }
    partition_rows_.Release();
    partition_rows_.Slice(rows_, selections[p], counts[p]);
    Append(p, partition_rows_);
  }
}

WindowSink& WindowSinkOf(const std::unique_ptr<ChunkSink>& sink) { return static_cast<WindowSink&>(*sink); }

}  // namespace

size_t PartitionedRuns::PartitionCount(const WindowSpecification& specification) {
  return specification.partition_by.empty() ? 1 : kWindowPartitions;
}

void PartitionedRuns::Collect(QueryContext& context, const PhysicalOperator& input, SharedState& input_shared,
                              OperatorProfile& profile, const WindowSpecification& specification,
                              const SortSchema& schema) {
  partition_count_ = PartitionCount(specification);
  grant_.emplace(context.grants, DrainTasks(context, input, input_shared), 2 * SortRun::LeastBytes(schema),
                 &profile.memory);
  const auto make_sink = [&](size_t) {
    return std::make_unique<WindowSink>(context, specification, schema, partition_count_, *grant_);
  };
  sinks_ = DrainParallel(context, input, input_shared, profile, make_sink, grant_->task_count());
  grant_->Finish();
}

bool PartitionedRuns::has_spilled() const {
  return std::any_of(sinks_.begin(), sinks_.end(),
                     [](const auto& sink) { return WindowSinkOf(sink).has_spilled(); });
}

bool PartitionedRuns::is_in_source_order() const {
  return std::all_of(sinks_.begin(), sinks_.end(),
                     [](const auto& sink) { return WindowSinkOf(sink).is_in_source_order(); });
}

std::vector<const ColumnCollection*> PartitionedRuns::RowsOf(size_t partition) const {
  std::vector<const ColumnCollection*> rows;
  for (const auto& sink : sinks_) {
    const ColumnCollection& of_task = WindowSinkOf(sink).run(partition).rows();
    if (of_task.row_count() != 0) rows.push_back(&of_task);
  }
  return rows;
}

std::vector<std::vector<SpilledRun>> PartitionedRuns::Spill() {
  std::vector<std::vector<SpilledRun>> runs(partition_count_);
  for (const auto& sink : sinks_) {
    WindowSinkOf(sink).Spill();
    for (size_t p = 0; p < partition_count_; p++) WindowSinkOf(sink).run(p).MoveSpilledTo(runs[p]);
  }
  sinks_.clear();
  grant_.reset();
  return runs;
}

}  // namespace scaup
