// Rows that an appender has collected, for tables that ask more of new rows than that they are put in.
#pragma once

#include <memory>
#include <vector>

#include "catalog/catalog.hpp"
#include "format/arrow/arrow_table.hpp"
#include "main/database/database_instance.hpp"
#include "storage/compaction/row_group_joining.hpp"

namespace scaup {

/// Rows and the columns that they are of.
struct AppendedRows {
  /// Either row groups, or Arrow arrays that are read when they are inserted.
  struct Piece {
    RowGroupList row_groups;
    std::shared_ptr<ArrowTable> arrow;
  };

  /// The table as it was when the appender was made.
  TableEntryRef table;
  std::vector<size_t> columns;  ///< of that table, one for each column of the pieces
  std::vector<Piece> pieces;    ///< one behind the other
};

/// The table that they go to, whatever it is called and consists of now. Throws Error(kCatalog, 42P01) where
/// it was dropped.
TableEntryRef FindAppendedTable(DatabaseInstance& database, const Transaction& transaction,
                                const TableEntry& table);

}  // namespace scaup
