// Segment trees: aggregates over any range of rows from a logarithmic number of states (Leis, Kundhikanjana,
// Kemper, Neumann: Efficient Processing of Window Functions in Analytical SQL Queries, VLDB 2015).
#pragma once

#include <vector>

#include "execution/window/window_arguments.hpp"

namespace scaup {

/// A tree for each partition of some size: a node has the state of kFanout neighbouring rows, or nodes of the
/// level below. Order matters to some aggregates: states are combined in the order of their rows. Immutable;
/// any number of threads may query.
class SegmentTree {
 public:
  static constexpr size_t kFanout = 16;
  SegmentTree(const WindowInput& input, const WindowFunctionSpecification& function);

  /// Adds the rows of range `range` of each frame i to *states[i]; where states[i] is null, nothing.
  /// `arguments` is the caller's.
  void AddRanges(const BlockGroups& block, const BlockFrames& frames, size_t range, std::byte** states,
                 WindowArguments& arguments) const;

 private:
  std::byte* NodeAt(size_t index) const { return nodes_ + index * state_size_; }
  void BuildPartition(size_t partition, WindowArguments& arguments);

  QueryContext& context_;
  const RowGroups& groups_;
  Arena arena_;
  const size_t state_size_;
  std::vector<uint64_t> first_nodes_;  // By partition; of two equal neighbours the first has no tree.
  MemoryReservation memory_;
  std::byte* nodes_ = nullptr;
};

}  // namespace scaup
