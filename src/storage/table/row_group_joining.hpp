// Makes few full row groups out of many small ones.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "storage/compression/compression.hpp"
#include "storage/table/table_layout.hpp"
#include "storage/table/table_snapshot.hpp"

namespace scaup {

class BlockStore;
using RowGroupList = std::vector<std::shared_ptr<const RowGroup>>;

/// Joins neighbours of which one at least is in memory and which together fit a row group; the order of rows
/// stays. `join_stored`: neighbours in the file may be among them.
RowGroupList JoinSmallRowGroups(RowGroupList row_groups, const std::vector<LogicalType>& types,
                                MemoryTracker& memory, bool join_stored);

/// The same for a table: only rows whose numbers follow one another are joined, with stored neighbours, too.
void JoinSmallRowGroups(TableSnapshot& snapshot, const std::vector<LogicalType>& types,
                        MemoryTracker& memory);

/// Joins small ones, and writes those large enough to free blocks of the file, synced, so that neither memory
/// nor the log has to take them. `failed_syncs`: of the file, from before any of `row_groups` was written.
RowGroupList StoreLargeRowGroups(RowGroupList row_groups, const TableLayout& layout,
                                 const std::shared_ptr<BlockStore>& store, std::optional<Encoding> forced,
                                 uint64_t failed_syncs);

}  // namespace scaup
