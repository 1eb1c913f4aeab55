// Row changes: the rows that a statement has changed in tables with triggers, for what runs after it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "common/lock/mutex.hpp"
#include "execution/rows/spillable_rows.hpp"

namespace scaup {

/// Collects what a statement and the actions of foreign keys do to tables with AFTER triggers. The rows are
/// spilled when memory is short. Thread-safe; owned by the statement.
class RowChanges {
 public:
  /// All changes of one kind in one table.
  struct Target {
    TableEntryRef table;
    uint8_t event;  ///< kOnInsert, kOnUpdate or kOnDelete
    /// The columns that UPDATEs have set.
    std::vector<size_t> columns;
    /// The columns of the old rows, then those of the new ones, without hidden ones, as far as the event has
    /// them. Null if no trigger wants to know the rows.
    std::unique_ptr<SpillableRows> rows;

    bool has_old() const { return event != kOnInsert; }
    bool has_new() const { return event != kOnDelete; }
  };

  RowChanges() = default;
  RowChanges(const RowChanges&) = delete;
  RowChanges& operator=(const RowChanges&) = delete;
  /// Returns whether AFTER triggers of a table fire for an event, and whether one of them wants to know the
  /// rows.
  static bool Fires(const TableEntry& table, uint8_t event, const std::vector<size_t>& columns);
  static bool WantsRows(const TableEntry& table, uint8_t event, const std::vector<size_t>& columns);
  /// Notes that a statement changes a table in some way, be it no row of it.
  void AddTarget(const TableEntryRef& table, uint8_t event, const std::vector<size_t>& columns);
  /// Adds changed rows to a target that was noted. `rows` has the columns of Target::rows.
  void AddRows(QueryContext& context, const TableEntryRef& table, uint8_t event, DataChunk& rows);
  bool empty() const;
  /// Returns the changes since the last call, whose rows are finished, in the order in which the triggers of
  /// statements fire.
  std::vector<std::unique_ptr<Target>> Take();

 private:
  Target* Find(const TableEntry& table, uint8_t event) SCAUP_REQUIRES_LOCK(mutex_);

  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Target>> targets_ SCAUP_GUARDED_BY(mutex_);
};

/// Returns the types of the rows of a target.
std::vector<LogicalType> ChangedRowTypes(const TableEntry& table, uint8_t event);

}  // namespace scaup
