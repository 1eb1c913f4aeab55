// Makes few full row groups out of many small ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "storage/compression/compression.hpp"
#include "storage/snapshot/table_layout.hpp"
#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

class BlockStore;
using RowGroupList = std::vector<std::shared_ptr<const RowGroup>>;

/// Joins neighbours of which one at least is in memory and which together fit a row group; the order of rows
/// stays. Holds what it joins, no more than one row group. One thread.
class RowGroupJoiner {
 public:
  using Sink = std::function<void(std::shared_ptr<const RowGroup>)>;
  /// `join_stored`: neighbours in the file may be among them. The types are borrowed.
  RowGroupJoiner(const std::vector<LogicalType>& types, MemoryTracker& memory, bool join_stored, Sink sink)
      : types_(types), memory_(memory), join_stored_(join_stored), sink_(std::move(sink)) {}
  void Add(std::shared_ptr<const RowGroup> row_group);
  /// Ends a run of neighbours: what comes next is not a neighbour of what came before.
  void Finish();

 private:
  void Join(const RowGroup& row_group);

  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
  const bool join_stored_;
  Sink sink_;
  // Neighbours that nothing was done to yet, either all in the file or one in memory; or a builder with them.
  std::vector<std::shared_ptr<const RowGroup>> waiting_;
  std::unique_ptr<RowGroupBuilder> builder_;
  size_t row_count_ = 0;
};

/// All of a list at once.
RowGroupList JoinSmallRowGroups(RowGroupList row_groups, const std::vector<LogicalType>& types,
                                MemoryTracker& memory, bool join_stored);

/// Joins small ones, and writes those large enough to free blocks of the file, synced, so that neither memory
/// nor the log has to take them. `failed_syncs`: of the file, from before any of `row_groups` was written.
RowGroupList StoreLargeRowGroups(RowGroupList row_groups, const TableLayout& layout,
                                 const std::shared_ptr<BlockStore>& store, std::optional<Encoding> forced,
                                 uint64_t failed_syncs);

}  // namespace scaup
