// Spilled windows: the functions of a window over runs in temporary storage.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/sort/spilled_merge.hpp"
#include "execution/window/streamed_window.hpp"
#include "execution/window/window_group.hpp"

namespace scaup {

/// Merges the runs of one hash partition after the other, and gives out their rows in the window's order.
/// Functions that need no more are computed as the rows pass by. For others the rows are kept, where memory
/// is short in temporary storage: what stays in memory are a few bytes of each row for the bounds of groups
/// and frames, and a part of that for the states of segment trees. Owned by the operator's shared state;
/// borrows all it is made from. One thread at a time.
class SpilledWindow {
 public:
  /// `runs` by hash partition. The schema has one column more than the input, its last key.
  SpilledWindow(QueryContext& context, const WindowSpecification& specification, const SortSchema& schema,
                std::vector<LogicalType> input_types, std::vector<std::vector<SpilledRun>> runs);

  size_t run_count() const { return run_count_; }
  /// The next rows, which stay valid until the next call; none at the end.
  void Next(DataChunk& output);

 private:
  /// False behind the last hash partition.
  bool BeginPartition();
  void EndPartition();
  SortedRows MergeAll();
  size_t NextRows(DataChunk& output);

  QueryContext& context_;
  const WindowSpecification& specification_;
  const SortSchema& schema_;
  const std::vector<LogicalType> input_types_;
  std::vector<std::vector<SpilledRun>> runs_;
  size_t run_count_ = 0;
  size_t next_partition_ = 0;
  uint64_t batch_count_ = 0;
  // Of the hash partition that is being read, where its rows pass by.
  const bool rows_pass_by_;
  std::unique_ptr<SpilledMerge> merge_;
  std::optional<SpilledMerge::Task> task_;
  std::unique_ptr<StreamedWindow> streamed_;
  MergedRows merged_;
  DataChunk input_;
  // And where they are kept.
  std::unique_ptr<WindowGroup> group_;
  size_t next_row_ = 0;
  WindowScratch scratch_;
};

}  // namespace scaup
