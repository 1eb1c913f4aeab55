// Writes the log records of changes to a table.
#pragma once

#include <memory>
#include <vector>

#include "common/byte_stream.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

/// Writes what a transaction did to a table: inserted rows in their final form, deletions and updates. Blocks
/// of the file that the log names are retained until the next checkpoint.
void LogTableChanges(const Table& table, const TableChanges& changes,
                     const std::vector<std::shared_ptr<const RowGroup>>& inserted, ByteWriter& writer);

}  // namespace scaup
