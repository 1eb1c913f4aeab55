// Joins small row groups into full ones.
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

/// Joins neighbouring row groups that together fit one row group and of which at least one is in memory. The
/// order of rows stays. It has at most one row group's worth of rows in memory. Used by one thread.
class RowGroupJoiner {
 public:
  using Sink = std::function<void(std::shared_ptr<const RowGroup>)>;
  /// With `join_stored`, neighbours that are all in the file are joined as well. `types` is borrowed.
  RowGroupJoiner(const std::vector<LogicalType>& types, MemoryTracker& memory, bool join_stored, Sink sink)
      : types_(types), memory_(memory), join_stored_(join_stored), sink_(std::move(sink)) {}
  void Add(std::shared_ptr<const RowGroup> row_group);
  /// Ends a run of neighbours; the next row group is not joined with those before.
  void Finish();

 private:
  void Join(const RowGroup& row_group);

  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
  const bool join_stored_;
  Sink sink_;
  // Neighbours that are not joined yet: either all in the file, or a single one in memory. Once joining has
  // begun, they are in the builder instead.
  std::vector<std::shared_ptr<const RowGroup>> waiting_;
  std::unique_ptr<RowGroupBuilder> builder_;
  size_t row_count_ = 0;
};

/// Joins a whole list at once.
RowGroupList JoinSmallRowGroups(RowGroupList row_groups, const std::vector<LogicalType>& types,
                                MemoryTracker& memory, bool join_stored);

/// Joins small row groups, then writes the large ones to free blocks of the file and syncs it, so that
/// neither memory nor the log has to take them. `failed_syncs` is the file's count from before any of
/// `row_groups` was written.
RowGroupList StoreLargeRowGroups(RowGroupList row_groups, const TableLayout& layout,
                                 const std::shared_ptr<BlockStore>& store, std::optional<Encoding> forced,
                                 uint64_t failed_syncs);

}  // namespace scaup
