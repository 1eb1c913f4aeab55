// Puts what was updated in place into new row groups: what checkpoints write.
#pragma once

#include <memory>
#include <vector>

#include "storage/table/table_snapshot.hpp"

namespace scaup {

/// The row groups of `snapshot` with the values that `reader` sees: those in which something was updated
/// since the last checkpoint are made anew, in memory, and wholly deleted ones are left out. Rows keep their
/// numbers, so that the other deleted ones stay. One that grows too heavy becomes several.
TableSnapshot FoldVersions(const TableSnapshot& snapshot,
                           const std::shared_ptr<const TableVersions>& versions, const ReadView& reader,
                           const std::vector<LogicalType>& types, MemoryTracker& memory);

/// The rows of the row groups that `reader` sees as deleted, ascending.
std::vector<RowNumber> DeletedRows(const std::shared_ptr<const TableVersions>& versions,
                                   const ReadView& reader, const TableSnapshot& snapshot);

}  // namespace scaup
