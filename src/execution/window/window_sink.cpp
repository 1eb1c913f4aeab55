// Window sink: partitions rows by the hash of their PARTITION BY columns into sorted runs.
#include "execution/window/window_sink.hpp"

namespace scaup {

WindowSink::WindowSink(QueryContext& context, const WindowSpecification& specification,
                       const SortSchema& schema, size_t partition_count, MemoryGrant& grant)
    : context_(context),
      specification_(specification),
      memory_(grant),
      rows_(schema.types),
      partition_rows_(schema.types) {
  for (size_t p = 0; p < partition_count; p++)
    runs_.push_back(std::make_unique<SortRun>(schema, context.functions, &memory_.account()));
}

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

void WindowSink::Append(size_t partition, DataChunk& rows) {
  SortRun& run = *runs_[partition];
  memory_.Grow([&] { return run.MostAppendBytes(rows); }, [&] { Spill(); });
  run.Append(rows);
}

void WindowSink::Finish() {
  if (has_spilled_ || memory_.is_short() || context_.forces_spilling()) Spill();
  memory_.SetFixed(TaskMemory::kAll);
}

void WindowSink::Spill() {
  for (const auto& run : runs_) {
    run->Spill(context_);
    has_spilled_ |= run->has_spilled();
  }
  memory_.GiveBackPages();
}

}  // namespace scaup
