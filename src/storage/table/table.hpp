// Table: the data of a table as a list of row groups, versioned by commit.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/block_store.hpp"
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
  /// `store`: the file that keeps the rows; null for a table in memory. The log knows the table by `id`.
  Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id = 0,
        std::shared_ptr<BlockStore> store = nullptr);

  uint64_t id() const { return id_; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Null for a table in memory.
  const std::shared_ptr<BlockStore>& store() const { return store_; }
  /// What all see who begin now.
  std::shared_ptr<const TableSnapshot> NewestSnapshot() const;
  /// What `transaction` sees, without its own inserts.
  std::shared_ptr<const TableSnapshot> Snapshot(const Transaction& transaction) const;

  /// Hands rows over to a transaction: they become visible when it commits, and vanish when it does not.
  /// Row groups are taken as they are; a small last one is joined with the table's own at commit.
  void Insert(Transaction& transaction, std::vector<std::shared_ptr<const RowGroup>> row_groups,
              const std::vector<ColumnStatistics>& statistics);
  /// Inserts what the log says of an insert, after the kind of the record and the table's id.
  void InsertLogged(Transaction& transaction, ByteReader& reader);
  /// Puts the same rows, kept otherwise, in the place of the newest snapshot's. For loading and for
  /// checkpoints: no commit may be on its way.
  void ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot);
  /// The commit of a DROP: inserts that commit later are not logged, as a checkpoint may have forgotten the
  /// table's id.
  void MarkDropped() noexcept { is_dropped_.store(true); }

 private:
  class InsertUndo;
  /// Makes the snapshot that a commit will publish, on top of those prepared before. May throw.
  void PreparePublish(const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                      const std::vector<ColumnStatistics>& statistics);
  /// Takes back the newest prepared snapshot.
  void CancelPublish() noexcept;
  /// Publishes the oldest prepared snapshot.
  void Publish(Timestamp commit_timestamp) noexcept;
  /// Drops versions that no transaction sees. True if only the newest is left.
  bool Prune(Timestamp oldest_start) noexcept;
  bool TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept;

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  uint64_t id_;
  std::shared_ptr<BlockStore> store_;
  mutable std::mutex mutex_;
  struct Version {
    Timestamp timestamp;
    std::shared_ptr<const TableSnapshot> snapshot;
  };
  std::list<Version> versions_;  // Ascending; never empty.
  std::list<Version> prepared_;  // Of commits on their way; moves to the other list without allocating.
  std::atomic<bool> is_dropped_{false};
};

}  // namespace scaup
