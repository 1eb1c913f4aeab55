// Spilled window: merging hash partitions, and streaming or materializing their rows.
#include "execution/window/spilled_window.hpp"

#include <algorithm>

namespace scaup {

SpilledWindow::SpilledWindow(QueryContext& context, const WindowSpecification& specification,
                             const SortSchema& schema, std::vector<LogicalType> input_types,
                             std::vector<std::vector<SpilledRun>> runs, MemoryUse* use)
    : context_(context),
      use_(use),
      specification_(specification),
      schema_(schema),
      input_types_(std::move(input_types)),
      runs_(std::move(runs)),
      rows_pass_by_(StreamedWindow::AskedOrder(specification) == StreamedOrder::kInOrder),
      input_(input_types_) {
  for (const auto& runs_of_partition : runs_) run_count_ += runs_of_partition.size();
}

bool SpilledWindow::BeginPartition() {
  while (next_partition_ < runs_.size() && runs_[next_partition_].empty()) next_partition_++;
  if (next_partition_ == runs_.size()) return false;
  merge_ = std::make_unique<MergedChunks>(context_, schema_, std::move(runs_[next_partition_++]), use_);
  if (rows_pass_by_) {
    streamed_ = std::make_unique<StreamedWindow>(context_, specification_, input_types_);
    return true;
  }
  SortedRows rows = MergeAll();
  // Free the merge before the group needs memory.
  merge_.reset();
  group_ = std::make_unique<WindowGroup>(context_, specification_, std::move(rows));
  next_row_ = 0;
  return true;
}

void SpilledWindow::EndPartition() {
  merge_.reset();
  streamed_.reset();
  group_.reset();
}

SortedRows SpilledWindow::MergeAll() {
  auto rows = std::make_unique<SpillableRows>(context_, input_types_);
  while (merge_->Next(input_)) rows->Append(input_);
  input_.Release();
  rows->Finish();
  return SortedRows(std::move(rows));
}

size_t SpilledWindow::NextRows(DataChunk& output) {
  if (streamed_) {
    if (!merge_->Next(input_)) return 0;
    streamed_->Evaluate(input_, output);
    return input_.size();
  }
  const size_t count = std::min(kVectorSize, group_->row_count() - next_row_);
  if (count == 0) return 0;
  group_->Produce(next_row_, count, scratch_, output);
  next_row_ += count;
  return count;
}

void SpilledWindow::Next(DataChunk& output) {
  while (true) {
    if (!streamed_ && !group_ && !BeginPartition()) return;
    if (NextRows(output) != 0) break;
    EndPartition();
  }
  output.batch_index = batch_count_++;
}

}  // namespace scaup
