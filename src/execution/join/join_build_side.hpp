// Join build side: the build rows that a hash join probes at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "execution/join/dense_join_table.hpp"
#include "execution/join/join_table.hpp"

namespace scaup {

/// The build rows that are probed at a time: all of them, or those of a partition.
struct JoinBuildSide {
  JoinBuildSide(const RowLayout& layout, MemoryTracker& memory) : table(layout, memory) {}
  /// Lists the rows, for joins that emit unmatched build rows.
  void ListRows(const RowLayout& layout);

  JoinTable table;
  std::unique_ptr<DenseJoinTable> dense;  ///< null if the hash table's directory is used
  /// Runs of at most 1024 rows, of which the last thread to end its probe emits the unmatched ones. Two
  /// threads can do this at once: a thread may begin after another has ended as the last, and it then finds
  /// no probe rows.
  std::vector<std::pair<std::byte*, size_t>> row_slices;
  std::atomic<size_t> next_slice{0};
};

}  // namespace scaup
