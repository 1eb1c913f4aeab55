// Spillable sort: one run in memory, or a merge of spilled runs.
#include "execution/sort/spillable_sort.hpp"

#include <algorithm>

#include "execution/run/query_context.hpp"
#include "execution/sort/row_order.hpp"
#include "execution/sort/run_merge.hpp"

namespace scaup {

SpillableSort::SpillableSort(QueryContext& context, const SortSchema& schema, MemoryUse* use)
    : context_(context), schema_(schema), use_(use) {
  grant_.emplace(context.grants, 1, 2 * SortRun::LeastBytes(schema), use);
  memory_.emplace(*grant_);
  run_.emplace(schema, context.functions, &memory_->account());
}

void SpillableSort::Append(DataChunk& rows) {
  if (memory_->is_short()) Spill();
  memory_->Grow([&] { return run_->MostAppendBytes(rows); }, [&] { Spill(); });
  run_->Append(rows);
}

void SpillableSort::Spill() {
  if (run_->row_count() == 0) return;
  run_->Spill(context_);
  memory_->GiveBackPages();
}

bool SpillableSort::SortInMemory(const std::function<void(DataChunk&)>& visit) {
  const ColumnCollection* source = &run_->rows();
  if (!memory_->TryGrow(source->row_count() * sizeof(uint64_t))) return false;
  MemoryReservation order_memory(memory_->account());
  order_memory.Resize(source->row_count() * sizeof(uint64_t));
  const LargeVector<uint64_t> order = OrderRows(schema_, {&source, 1}, SIZE_MAX, context_.functions);
  DataChunk rows(schema_.types);
  for (size_t begin = 0; begin < order.size(); begin += kVectorSize) {
    context_.functions.CheckInterrupt();
    GatherFrom({&source, 1}, order.data() + begin, std::min(kVectorSize, order.size() - begin), rows);
    visit(rows);
  }
  return true;
}

void SpillableSort::ForEachChunk(const std::function<void(DataChunk&)>& visit, MemoryGrant* merge_grant) {
  const bool stays = !run_->has_spilled() && !memory_->is_short() && !context_.forces_spilling();
  if (stays && SortInMemory(visit)) return;
  Spill();
  std::vector<SpilledRun> runs;
  run_->MoveSpilledTo(runs);
  run_.reset();
  memory_.reset();
  grant_.reset();
  if (runs.empty()) return;
  MergedChunks merged(context_, schema_, std::move(runs), use_, merge_grant);
  DataChunk rows(schema_.types);
  while (merged.Next(rows)) visit(rows);
}

}  // namespace scaup
