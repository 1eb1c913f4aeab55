// Table: the data of a table as a list of row groups, versioned by commit.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "storage/table/row_group.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The rows of a table at one moment. Immutable; keeps them alive.
struct TableSnapshot {
  std::vector<std::shared_ptr<const RowGroup>> row_groups;
  uint64_t row_count = 0;
  std::vector<ColumnStatistics> statistics;  ///< by column
};

/// The rows of one table. Thread-safe. Shared by the catalog's entries and by running statements.
/// Each commit that inserts makes a new snapshot; old ones go when no transaction can see them any more.
class Table : public std::enable_shared_from_this<Table> {
 public:
  Table(std::vector<LogicalType> types, MemoryTracker& memory);

  const std::vector<LogicalType>& types() const { return types_; }
  /// What `transaction` sees, without its own inserts.
  std::shared_ptr<const TableSnapshot> Snapshot(const Transaction& transaction) const;

  /// Hands rows over to a transaction: they become visible when it commits, and vanish when it does not.
  /// Row groups are taken as they are; a small last one is joined with the table's own at commit.
  void Insert(Transaction& transaction, std::vector<std::shared_ptr<const RowGroup>> row_groups,
              const std::vector<ColumnStatistics>& statistics);

 private:
  class InsertUndo;
  void Publish(std::vector<std::shared_ptr<const RowGroup>> row_groups,
               const std::vector<ColumnStatistics>& statistics, Timestamp commit_timestamp) noexcept;
  /// Drops versions that no transaction sees. True if only the newest is left.
  bool Prune(Timestamp oldest_start) noexcept;
  bool TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept;

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  mutable std::mutex mutex_;
  struct Version {
    Timestamp timestamp;
    std::shared_ptr<const TableSnapshot> snapshot;
  };
  std::vector<Version> versions_;  // Ascending; never empty.
};

}  // namespace scaup
