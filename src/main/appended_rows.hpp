// Rows that an appender has collected, for tables that ask more of new rows than that they are put in.
#pragma once

#include <memory>
#include <vector>

#include "catalog/catalog.hpp"
#include "main/database_instance.hpp"
#include "storage/table/row_group.hpp"

namespace scaup {

/// Rows in memory and the columns that they are of.
struct AppendedRows {
  /// The table as it was when the appender was made.
  TableEntryRef table;
  std::vector<size_t> columns;  ///< of that table, one for each column of the row groups
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
};

/// The table that they go to, whatever it is called and consists of now. Throws Error(kCatalog, 42P01) where
/// it was dropped.
TableEntryRef FindAppendedTable(DatabaseInstance& database, const Transaction& transaction,
                                const TableEntry& table);

}  // namespace scaup
