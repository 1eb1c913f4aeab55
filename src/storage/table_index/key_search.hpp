// KeySearch: tests whether rows have any of a set of index keys.
#pragma once

#include <memory>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table_index/index_edits.hpp"

namespace scaup {

/// Searches rows for any of a set of index keys. Borrows the keys. Used by one thread.
class KeySearch {
 public:
  /// Searches for the keys of entries [begin, end) of a list, which are in one page of it. `key_count` tells
  /// how many of the index's first columns the keys have. The tracker must outlive this.
  KeySearch(TableColumns table_columns, const IndexEntryList& keys, size_t begin, size_t end,
            size_t key_count, MemoryTracker& memory);
  /// Returns whether one of the rows has one of the keys.
  bool HasAny(const RowGroup& row_group);
  /// Returns whether one of the rows, as `view` sees them, has one of the keys. `rows` ascend.
  bool HasAny(const TableView& view, const std::vector<RowNumber>& rows);

 private:
  bool HasAny(DataChunk& columns, size_t count);

  TableColumns table_columns_;
  const TableIndex& index_;
  std::vector<size_t> columns_;  // of the keys
  std::vector<LogicalType> types_;
  std::vector<KeyBytes> keys_;  // ascending
  IndexKeys encoded_;
};

}  // namespace scaup
