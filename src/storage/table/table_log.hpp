// Log records of changes to a table: written by commits, applied by recovery.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/byte_stream.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

/// Writes what a transaction did to a table: inserted rows in their final form, deletions and updates. Blocks
/// of the file that the log names are retained until the next checkpoint.
void LogTableChanges(const Table& table, const TableChanges& changes,
                     const std::vector<std::shared_ptr<const RowGroup>>& inserted, ByteWriter& writer);

/// Fills an empty table from a checkpoint: the row groups, the deleted rows among them in ascending order,
/// and the statistics of a collection's attributes.
void LoadTable(Table& table, std::shared_ptr<const TableSnapshot> snapshot,
               std::span<const RowNumber> deleted, AttributeStatistics attributes);

// These functions apply log records, after the kind of the record and the table's id were read. They throw
// Error(kIo, XX001) for a record that does not match the table.
void ReplayInsert(Table& table, Transaction& transaction, ByteReader& reader);
void ReplayDelete(Table& table, Transaction& transaction, ByteReader& reader);
void ReplayUpdate(Table& table, Transaction& transaction, ByteReader& reader);
void ReplayAttributes(Table& table, ByteReader& reader);

}  // namespace scaup
