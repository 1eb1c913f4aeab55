// Looks for keys of rows among some keys of an index.
#pragma once

#include <memory>
#include <vector>

#include "storage/table/table.hpp"
#include "storage/table_index/index_edits.hpp"

namespace scaup {

/// Borrows the table and the keys. One thread.
class KeySearch {
 public:
  /// `key_count`: how many of the index's first columns the keys have.
  KeySearch(const Table& table, const IndexEntryList& keys, size_t key_count);
  /// Whether one of the rows has one of the keys.
  bool HasAny(const RowGroup& row_group);
  /// The same of rows of the table as `reader` sees them; their numbers ascend.
  bool HasAny(const ReadView& reader, const std::vector<RowNumber>& rows);

 private:
  bool HasAny(DataChunk& columns, size_t count);

  const Table& table_;
  const TableIndex& index_;
  std::vector<size_t> columns_;  // Of the keys.
  std::vector<LogicalType> types_;
  std::vector<KeyBytes> keys_;  // Ascending.
  IndexKeys encoded_;
};

}  // namespace scaup
