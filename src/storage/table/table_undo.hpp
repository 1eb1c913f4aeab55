// The participants of a table in a transaction: what commits, logs and rolls back its changes.
#pragma once

#include <memory>
#include <vector>

#include "document/attribute_census.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table_index/index_edits.hpp"
#include "storage/wal/attribute_log.hpp"

namespace scaup {

/// Everything that one transaction did to the table, as a participant in its commit.
class TableChangesUndo final : public UndoEntry {
 public:
  TableChangesUndo(std::shared_ptr<Table> table, Transaction& transaction,
                   std::shared_ptr<TableChanges> changes)
      : table_(std::move(table)), transaction_(transaction), changes_(std::move(changes)) {}

  void Prepare() override;
  void Log(ByteWriter& writer) const override;
  void CancelPrepare() noexcept override;
  std::shared_ptr<const ChangeSet> Changes() const override { return change_set_; }
  void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept override;
  bool CleanUp(Timestamp oldest_start) noexcept override;
  uint64_t table_id() const override { return table_->id(); }
  void Rollback() noexcept override;

 private:
  /// Gives the entries of inserted rows in the indexes their final row numbers.
  void NumberEntries(RowNumber first_row);

  std::shared_ptr<Table> table_;
  Transaction& transaction_;  // owns this entry until it commits
  std::shared_ptr<TableChanges> changes_;
  std::vector<std::shared_ptr<const RowGroup>> final_rows_;
  std::shared_ptr<const TableChangeSet> change_set_;
  mutable AttributeLog::Counts attributes_;  // size of the dictionary in the file once this is logged
  bool is_prepared_ = false;
  RemovedEntries removed_;  // of all statements, once it has committed
  Timestamp commit_timestamp_ = 0;
};

/// The rows that one statement inserted, for its rollback.
class InsertUndo final : public UndoEntry {
 public:
  InsertUndo(std::shared_ptr<Table> table, TableChanges& changes, std::shared_ptr<const TableSnapshot> before)
      : table_(std::move(table)), changes_(changes), before_(std::move(before)) {}
  IndexEdits& edits() { return edits_; }
  /// Sets the attribute changes that Rollback undoes.
  void SetAttributes(AttributeDelta delta) noexcept { attributes_ = std::move(delta); }
  void Commit(Timestamp, Timestamp) noexcept override;
  void Rollback() noexcept override;

 private:
  std::shared_ptr<Table> table_;
  TableChanges& changes_;  // of the same transaction
  std::shared_ptr<const TableSnapshot> before_;
  AttributeDelta attributes_;
  IndexEdits edits_;
};

/// The in-place changes of one statement: Rollback restores the before-images, CleanUp frees them. Before it
/// does, TableChangesUndo, which is older, has erased the index entries that the changes made unneeded.
class WriteUndo final : public UndoEntry {
 public:
  WriteUndo(std::shared_ptr<Table> table, TableChanges& changes)
      : table_(std::move(table)), changes_(&changes) {}
  IndexEdits& edits() { return edits_; }
  /// Sets the attribute changes that Rollback undoes.
  void SetAttributes(AttributeDelta delta) noexcept { attributes_ = std::move(delta); }
  /// Calls change(block, writer, first_row) for the versions of row `row`, under their lock, and adds the
  /// record that it returns. Throws what `change` throws, with nothing added.
  template <typename Change>
  void ChangeBlock(const TableWrite& write, RowNumber row, Change&& change) {
    TableVersions& versions = IsLocalRow(row) ? *changes_->local_versions : *table_->versions();
    const VersionWriter writer{write.transaction.view(), write.transaction.stamp(), write.table_name};
    // Nothing may fail between the change and its entry in the undo list.
    ReserveOne();
    while (true) {
      const auto block = versions.Require(row);
      MutexLock lock(block->mutex);
      if (versions.Find(row) != block) continue;  // another thread removed it as empty meanwhile
      const RowNumber first = row - (row - versions.first_row()) % kVectorSize;
      Add(versions, {first, block, change(*block, writer, first)});
      return;
    }
  }

  void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept override;
  bool CleanUp(Timestamp oldest_start) noexcept override;
  uint64_t table_id() const override { return table_->id(); }
  void Rollback() noexcept override;

 private:
  /// Reserves space for one more change of a block, so that Add cannot fail.
  void ReserveOne();
  /// Adds a change of a block of `versions`. REQUIRES: ReserveOne was called.
  void Add(const TableVersions& versions, WrittenRows rows);

  std::shared_ptr<Table> table_;
  TableChanges* changes_;  // of the same transaction; null once it has committed
  AttributeDelta attributes_;
  IndexEdits edits_;
  std::vector<WrittenRows> rows_;
  size_t table_rows_ = 0;  // how many of them are not local
  Timestamp commit_timestamp_ = 0;
};

}  // namespace scaup
