// SnapshotHistory: the snapshots of a table, one for each commit that some transaction still sees.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "common/lock/mutex.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class TableChanges;

/// The snapshots of one table by commit. Each commit that changes something prepares a snapshot and publishes
/// it; old snapshots go when no transaction can see them any more. Commits call Prepare, Cancel and Publish
/// in the order of the commits; Publish and Cancel cannot fail. Thread-safe. Owned by the table.
class SnapshotHistory {
 public:
  /// Begins with an empty snapshot. `types` and `memory` are the table's and must outlive this. `attributes`
  /// is the dictionary of a collection; null for other tables.
  SnapshotHistory(const std::vector<LogicalType>& types, MemoryTracker& memory,
                  std::shared_ptr<AttributeDictionary> attributes);

  /// Returns the snapshot for transactions that begin now.
  std::shared_ptr<const TableSnapshot> Newest() const;
  /// Returns the snapshot for transactions that began at `start`.
  std::shared_ptr<const TableSnapshot> At(Timestamp start) const;

  /// Returns the snapshot that `transaction` sees, without its own changes.
  std::shared_ptr<const TableSnapshot> SeenBy(const Transaction& transaction) const {
    return At(transaction.start_timestamp());
  }

  /// Makes the snapshot that a commit will publish, on top of those prepared before. May throw, with nothing
  /// changed. Returns the number of the first inserted row.
  RowNumber Prepare(const TableChanges& changes,
                    const std::vector<std::shared_ptr<const RowGroup>>& inserted);
  /// Returns the attribute census of the newest prepared snapshot; null if the table is not a collection.
  /// REQUIRES: there is a prepared snapshot.
  std::shared_ptr<const AttributeCensus> PreparedAttributes() const;
  /// Discards the newest prepared snapshot. REQUIRES: there is one.
  void Cancel() noexcept;
  /// Publishes the oldest prepared snapshot. REQUIRES: there is one.
  void Publish(Timestamp commit_timestamp) noexcept;
  /// Drops snapshots that no transaction sees. Returns true if only the newest is left.
  bool Prune(Timestamp oldest_start) noexcept;
  /// Replaces the newest snapshot by one with the same rows in another form; its timestamp stays. No commit
  /// may be in progress.
  void ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot) noexcept;

 private:
  struct Version {
    Timestamp timestamp;
    std::shared_ptr<const TableSnapshot> snapshot;
  };
  const std::vector<LogicalType>& types_;
  MemoryTracker& memory_;
  std::shared_ptr<AttributeDictionary> attributes_;
  mutable Mutex mutex_;
  std::list<Version> published_ SCAUP_GUARDED_BY(mutex_);  // ascending; never empty
  // Snapshots of commits in progress. Publish splices them into published_ without allocation.
  std::list<Version> prepared_ SCAUP_GUARDED_BY(mutex_);
};

/// Appends a row group to a snapshot: joins it with the last one if both are small and in memory, as far as
/// the types and the memory of the table allow it.
void AppendJoined(TableSnapshot& snapshot, const std::shared_ptr<const RowGroup>& row_group,
                  const std::vector<LogicalType>& types, MemoryTracker& memory);

}  // namespace scaup
