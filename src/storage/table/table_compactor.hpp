// TableCompactor: moves in-place changes of a table into row groups, and frees their versions.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class Table;

/// The compaction of one table. Tables in files are compacted by checkpoints, with a Replacement; tables in
/// memory by a thread that has committed. Thread-safe. Owned by the table.
class TableCompactor {
 public:
  explicit TableCompactor(Table& table) : table_(table) {}
  class Replacement;

  /// Notes that a commit has updated or deleted rows.
  void NoteChanges(uint64_t row_count) noexcept {
    uncompacted_changes_.fetch_add(row_count, std::memory_order_relaxed);
  }
  /// Frees compacted versions if no transaction reads older row groups any more.
  void DropCompacted() noexcept;
  /// Compacts row groups that have changed enough, now. Called by one thread at a time; not for tables in
  /// files.
  void CompactChanges(TransactionManager& transactions);
  /// Compacts row groups of a table in memory if enough rows have changed. Other commits wait only while the
  /// new row groups are exchanged. Without memory for them, the versions stay.
  void CompactIfDue(TransactionManager& transactions) noexcept;

 private:
  class CompactionUndo;
  bool IsDue() const;
  /// Returns whether the newest snapshot has rows with these numbers, or may get some.
  bool IsInRowGroup(RowNumber begin, RowNumber end) const;

  Table& table_;                                  // owns this
  std::atomic<uint64_t> uncompacted_changes_{0};  // rows changed since compaction was last considered
  std::atomic<bool> is_compacting_{false};        // a thread is in CompactChanges
  Mutex mutex_;                                   // held while compacted versions are marked or dropped
  std::atomic<uint64_t> count_{0};                // compactions so far
  std::atomic<uint64_t> ended_{0};                // row groups from before this compaction have no readers
  std::atomic<uint64_t> dropped_{0};              // versions up to this one are freed
};

/// The exchange of a table's newest snapshot for one with the same rows in another form, after compaction has
/// put what a reader sees of some rows into it; see CompactVersions. The constructor allocates what Install
/// needs, since nothing may fail once a checkpoint's header is written.
class TableCompactor::Replacement {
 public:
  /// `compacted` are the rows whose values are in row groups of the new snapshot. No commit and no other
  /// compaction may be in progress from here until Install has returned.
  Replacement(std::shared_ptr<Table> table, std::shared_ptr<const TableSnapshot> snapshot,
              std::span<const RowRange> compacted);
  Replacement(Replacement&&) noexcept;
  ~Replacement();

  /// Exchanges the snapshots, once. DropCompacted frees the compacted versions once no transaction reads
  /// older row groups. `reader` is the view of the compaction.
  void Install(const ReadView& reader, TransactionManager& transactions) noexcept;
  const std::shared_ptr<Table>& table() const { return table_; }

 private:
  struct CleanRows;
  std::shared_ptr<Table> table_;
  std::shared_ptr<const TableSnapshot> snapshot_;
  std::vector<CleanRows> clean_;
  std::unique_ptr<CompactionUndo> undo_;  // null if the table has no versions
};

}  // namespace scaup
