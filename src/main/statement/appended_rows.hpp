// Appended rows: rows that an appender has collected for an INSERT.
#pragma once

#include <memory>
#include <vector>

#include "catalog/catalog.hpp"
#include "format/arrow/arrow_table.hpp"
#include "main/database/database_instance.hpp"
#include "storage/compaction/row_group_joining.hpp"

namespace scaup {

/// Rows, with the table and columns that they are for. A value; shares ownership of the rows.
struct AppendedRows {
  /// Either row groups, or Arrow arrays, which are read by the INSERT.
  struct Piece {
    RowGroupList row_groups;
    std::shared_ptr<ArrowTable> arrow;
  };

  /// The table as it was when the appender was made.
  TableEntryRef table;
  std::vector<size_t> columns;  ///< columns of that table, one for each column of the pieces
  std::vector<Piece> pieces;    ///< in the order of the rows
};

/// Returns the table that the rows go to, whatever its present name and columns. Throws Error(kCatalog,
/// 42P01) if it was dropped.
TableEntryRef FindAppendedTable(DatabaseInstance& database, const Transaction& transaction,
                                const TableEntry& table);

}  // namespace scaup
