// Looks for keys of rows among some keys of an index.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table_index/index_edits.hpp"

namespace scaup {

/// Borrows the keys. One thread.
class KeySearch {
 public:
  /// `key_count`: how many of the index's first columns the keys have. The tracker must outlive this.
  KeySearch(TableColumns table_columns, const IndexEntryList& keys, size_t key_count, MemoryTracker& memory);
  /// Whether one of the rows has one of the keys.
  bool HasAny(const RowGroup& row_group);
  /// Whether one of the rows has one of the keys as `view` sees it. Their numbers ascend.
  bool HasAny(const TableView& view, const std::vector<RowNumber>& rows);

 private:
  bool HasAny(DataChunk& columns, size_t count);

  TableColumns table_columns_;
  const TableIndex& index_;
  std::vector<size_t> columns_;  // Of the keys.
  std::vector<LogicalType> types_;
  std::vector<KeyBytes> keys_;  // Ascending.
  IndexKeys encoded_;
};

}  // namespace scaup
