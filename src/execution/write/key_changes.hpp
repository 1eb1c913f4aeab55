// Key changes: what a statement has done to keys, to be checked at its end or at the commit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/lock/mutex.hpp"
#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Collects the key changes of a statement, and spills them when memory is short. Thread-safe; owned by the
/// statement.
class KeyChanges {
 public:
  /// The foreign key columns of written rows.
  struct Written {
    TableEntryRef table;
    size_t foreign_key;  ///< in table->constraints
    std::unique_ptr<SpillableRows> keys;
  };
  /// The old keys of deleted or updated rows: the columns that a foreign key references, in its order. For
  /// updated rows, the new keys follow in as many columns.
  struct Removed {
    ForeignKeyReference reference;
    bool is_update;
    std::unique_ptr<SpillableRows> keys;
  };

  KeyChanges() = default;
  KeyChanges(const KeyChanges&) = delete;
  KeyChanges& operator=(const KeyChanges&) = delete;
  /// `context` is that of the statement, or of an action of it.
  void AddWritten(QueryContext& context, const TableEntryRef& table, size_t foreign_key, DataChunk& keys);
  void AddRemoved(QueryContext& context, const ForeignKeyReference& reference, bool is_update,
                  DataChunk& keys);
  /// Notes that the statement writes to a table with deferrable unique constraints.
  void AddTable(const TableEntryRef& table);
  bool empty() const;
  /// Returns the changes added since the last call, whose rows are finished.
  std::vector<std::unique_ptr<Written>> TakeWritten();
  std::vector<std::unique_ptr<Removed>> TakeRemoved();
  std::vector<TableEntryRef> TakeTables();

 private:
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Written>> written_ SCAUP_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Removed>> removed_ SCAUP_GUARDED_BY(mutex_);
  std::vector<TableEntryRef> tables_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
