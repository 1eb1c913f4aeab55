// Window group: one sorted hash partition of a window operator, with the evaluators of its functions.
#pragma once

#include <memory>
#include <vector>

#include "execution/window/window_evaluator.hpp"

namespace scaup {

/// The memory that one thread needs to produce blocks; reused for all of them.
struct WindowScratch {
  BlockGroups block;
  std::vector<BlockFrames> frames;
  std::vector<bool> has_frames;
};

/// The rows and evaluators of a hash partition. Immutable once made; any number of threads may call Produce.
/// Borrows context and specification.
class WindowGroup {
 public:
  WindowGroup(QueryContext& context, const WindowSpecification& specification, SortedRows rows);
  size_t row_count() const { return rows_.row_count(); }
  /// Outputs rows [begin, begin + count): the first columns of the input, then the functions' results.
  void Produce(size_t begin, size_t count, WindowScratch& scratch, DataChunk& output) const;

 private:
  const WindowSpecification& specification_;
  const SortedRows rows_;
  const RowGroups groups_;
  std::vector<std::unique_ptr<RangeKeys>> range_keys_;  // By frame; null if a frame has no limits.
  std::vector<std::unique_ptr<WindowEvaluator>> evaluators_;
};

}  // namespace scaup
