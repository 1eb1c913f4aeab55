// TableRead: a read of a table that was logged, and the view to read the rows from.
#pragma once

#include <optional>
#include <vector>

#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

class KeyLookupPredicate;

/// A read that TableReader has logged, with all that its caller needs for it. A value type. The predicate
/// belongs to the transaction.
struct TableRead {
  TableView view;
  /// The rows that an index found, ascending; nullopt if the table is to be scanned. They include all rows
  /// that pass the filters, and perhaps others.
  std::optional<std::vector<RowNumber>> rows = {};
  KeyLookupPredicate* keys = nullptr;  ///< of a read by keys; null if reads are not logged

  /// Logs a key before it is looked up, for a read by keys. Thread-safe. Throws Error(kOutOfMemory).
  void LogKey(KeyBytes key) const;
};

}  // namespace scaup
