// Spilled window: the functions of a window over runs in temporary storage.
#pragma once

#include <memory>
#include <vector>

#include "execution/sort/spilled_merge.hpp"
#include "execution/window/streamed_window.hpp"
#include "execution/window/window_group.hpp"

namespace scaup {

/// Merges the runs of one hash partition after the other, and outputs their rows in the window's order.
/// Functions that allow it are computed as rows stream by. For other functions the rows are materialized, and
/// spilled again if memory is short. A few bytes of each row stay in memory for the bounds of groups and
/// frames, and a fraction of that for the states of segment trees. Owned by the operator's shared state;
/// borrows all arguments. One thread at a time.
class SpilledWindow {
 public:
  /// `runs` are by hash partition. The schema has one more column than the input, its last key.
  SpilledWindow(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
                std::vector<LogicalType> input_types, std::vector<std::vector<SpilledRun>> runs,
                MemoryUse* use);

  size_t run_count() const { return run_count_; }
  /// Returns the next rows, which are valid until the next call; no rows at the end.
  void Next(DataChunk& output);

 private:
  /// Returns false after the last hash partition.
  bool BeginPartition();
  void EndPartition();
  SortedRows MergeAll();
  size_t NextRows(DataChunk& output);

  QueryContext& context_;
  MemoryUse* const use_;
  const WindowSpecification& specification_;
  const SortSchema& schema_;
  const std::vector<LogicalType> input_types_;
  std::vector<std::vector<SpilledRun>> runs_;
  size_t run_count_ = 0;
  size_t next_partition_ = 0;
  uint64_t batch_count_ = 0;
  // For the current hash partition, if its rows are streamed:
  const bool rows_pass_by_;
  std::unique_ptr<MergedChunks> merge_;
  std::unique_ptr<StreamedWindow> streamed_;
  DataChunk input_;
  // If its rows are materialized:
  std::unique_ptr<WindowGroup> group_;
  size_t next_row_ = 0;
  WindowScratch scratch_;
};

}  // namespace scaup
