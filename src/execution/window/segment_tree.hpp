// Segment tree: aggregates over any range of rows from a logarithmic number of states (Leis, Kundhikanjana,
// Kemper, Neumann: Efficient Processing of Window Functions in Analytical SQL Queries, VLDB 2015).
#pragma once

#include <memory>
#include <vector>

#include "execution/window/window_arguments.hpp"

namespace scaup {

/// A tree for each partition above a minimum size. A leaf has the state of consecutive rows, any other node
/// that of kFanout nodes of the level below. States are combined in the order of their rows, because order
/// matters to some aggregates. Immutable; any number of threads may query.
class SegmentTree {
 public:
  static constexpr size_t kFanout = 16;
  /// Makes leaves of `leaf_rows` rows each: the more rows, the less memory, and the more rows each frame adds
  /// one by one. Returns null if the memory does not suffice.
  static std::unique_ptr<SegmentTree> TryMake(const WindowInput& input,
                                              const WindowFunctionSpecification& function, size_t leaf_rows);

  /// Adds the rows of range `range` of each frame i to *states[i], unless states[i] is null. `arguments`
  /// belong to the caller.
  void AddRanges(const BlockGroups& block, const BlockFrames& frames, size_t range, std::byte** states,
                 WindowArguments& arguments) const;

 private:
  SegmentTree(const WindowInput& input, const WindowFunctionSpecification& function, size_t leaf_rows);
  bool TryBuild(const WindowInput& input, const WindowFunctionSpecification& function);
  std::byte* NodeAt(size_t index) const { return nodes_ + index * state_size_; }
  bool TryBuildPartition(size_t partition, WindowArguments& arguments);
  /// The number of leaves over `row_count` rows.
  size_t LeafCount(uint64_t row_count) const { return (row_count + leaf_rows_ - 1) / leaf_rows_; }
  size_t NodeCount(uint64_t row_count) const;

  QueryContext& context_;
  const RowGroups& groups_;
  const size_t leaf_rows_;
  const size_t state_size_;
  MemoryGrant grant_;
  TaskMemory memory_;
  Arena arena_;
  std::vector<uint64_t> first_nodes_;  // By partition; equal to the next one if there is no tree.
  MemoryReservation list_memory_;
  std::byte* nodes_ = nullptr;
};

}  // namespace scaup
