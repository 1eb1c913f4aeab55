// Segment tree: aggregates over any range of rows from a logarithmic number of states (Leis, Kundhikanjana,
// Kemper, Neumann: Efficient Processing of Window Functions in Analytical SQL Queries, VLDB 2015).
#pragma once

#include <vector>

#include "execution/window/window_arguments.hpp"

namespace scaup {

/// A tree for each partition above a minimum size. A node has the state of kFanout consecutive rows, or nodes
/// of the level below. States are combined in the order of their rows, because order matters to some
/// aggregates. Immutable; any number of threads may query.
class SegmentTree {
 public:
  static constexpr size_t kFanout = 16;
  SegmentTree(const WindowInput& input, const WindowFunctionSpecification& function);

  /// Adds the rows of range `range` of each frame i to *states[i], unless states[i] is null. `arguments`
  /// belong to the caller.
  void AddRanges(const BlockGroups& block, const BlockFrames& frames, size_t range, std::byte** states,
                 WindowArguments& arguments) const;

 private:
  std::byte* NodeAt(size_t index) const { return nodes_ + index * state_size_; }
  void BuildPartition(size_t partition, WindowArguments& arguments);

  QueryContext& context_;
  const RowGroups& groups_;
  Arena arena_;
  const size_t state_size_;
  std::vector<uint64_t> first_nodes_;  // By partition; equal to the next one if there is no tree.
  MemoryReservation memory_;
  std::byte* nodes_ = nullptr;
};

}  // namespace scaup
