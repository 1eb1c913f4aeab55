// Readers of tables by their catalog entries.
#pragma once

#include "catalog/catalog_entry.hpp"
#include "storage/table/table_reader.hpp"

namespace scaup {

/// Returns a reader of a table or collection for a transaction. `table_columns` are
/// TableEntry::StorageColumns, which the caller has at hand or makes; they and the entry must outlive the
/// reader.
inline TableReader ReaderOf(Transaction& transaction, const TableEntry& table,
                            const TableColumns& table_columns,
                            TableReader::Purpose purpose = TableReader::Purpose::kQuery) {
  return {transaction, table.storage, table.name, table_columns, purpose};
}

}  // namespace scaup
