// The records that the log has of changes to a table, and reading them.
#pragma once

#include <memory>
#include <vector>

#include "common/byte_stream.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

/// Writes what a transaction did to a table: the rows that it inserted, as they are committed, and what it
/// deleted and updated. Blocks of the file that the log names are kept until the next checkpoint.
void LogTableChanges(const Table& table, const TableChanges& changes,
                     const std::vector<std::shared_ptr<const RowGroup>>& inserted, ByteWriter& writer);

}  // namespace scaup
