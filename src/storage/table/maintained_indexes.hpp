// MaintainedIndexes: the indexes of a table, and their maintenance by every write.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/row_group/row_group.hpp"
#include "storage/table/table_locks.hpp"
#include "storage/table_index/table_index.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

class IndexEdits;
class IndexEntryList;
struct KeyChange;
class KeyHolderTest;
class Table;

/// The indexes of one table. Thread-safe. Owned by the table.
class MaintainedIndexes {
 public:
  explicit MaintainedIndexes(Table& table) : table_(table) {}

  /// Returns the indexes that are maintained now.
  TableIndexList List() const;
  /// Returns the indexes that have all rows that `transaction` sees. An index that was made later lacks the
  /// older versions of rows.
  SeenIndexes SeenBy(const Transaction& transaction) const;
  /// Returns the transaction's number in IndexValue; none until it changes the table.
  std::optional<uint32_t> WriterOf(const Transaction& transaction) const;
  /// Returns a test for holders of keys of a unique index, including the rows that `transaction` has inserted
  /// so far.
  KeyHolderTest HoldersSeenBy(const Transaction& transaction, const TableIndex& index) const;
  /// Returns the row that has a key of a unique index, as the transaction sees and names it; none if there is
  /// none. Throws Error(kTransaction, 40001) if the answer depends on another transaction that has written
  /// such a key. Does not log the read.
  std::optional<RowNumber> FindKey(const TableWrite& write, const TableIndex& index, KeyBytes key) const;

  /// Makes an index over all rows. No other transaction may write to the table until this one ends; throws
  /// Error(kTransaction, 40001) if one does now. The caller must detect what was committed since the
  /// transaction began, by a read that is validated. Throws Error(kConstraint, 23505) if the index is to be
  /// unique and cannot be.
  TableIndexRef Create(const TableWrite& write, IndexDefinition definition);
  /// Adds an index of the checkpoint that LoadTable was given.
  TableIndexRef Load(IndexDefinition definition, IndexPlace place);
  /// Drops an index, with the same exclusion of writers as Create.
  void Drop(const TableWrite& write, const TableIndexRef& index);

  // The maintenance by writes of the table. The transaction has changes to it already, and `edits` belong to
  // an undo entry of the transaction.
  /// Adds the keys of inserted rows. Throws as Table::Insert does.
  void AddInserted(const TableWrite& write, const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                   RowNumber first_row, IndexEdits& edits);
  /// Notes the keys of rows that are about to be deleted; `rows` ascend.
  void NoteDeleted(const TableWrite& write, std::span<const RowNumber> rows, IndexEdits& edits);
  /// Returns the keys of rows before and after an update, for the indexes that it concerns.
  std::vector<KeyChange> ReadChanges(const TableWrite& write, std::span<const RowNumber> rows,
                                     std::span<const size_t> columns, DataChunk& values) const;
  /// Applies them. Uniqueness is tested by CheckKeys.
  void Apply(const TableWrite& write, std::span<const RowNumber> rows, const std::vector<KeyChange>& changes,
             IndexEdits& edits);
  /// Tests the keys that a statement's updates have made, but not those of deferrable indexes. Throws as
  /// Table::Insert does.
  void CheckKeys(const TableWrite& write);
  /// Tests the keys that the transaction has given to rows in a deferrable index while other rows had them.
  /// Throws as Table::Insert does.
  void CheckLateKeys(const TableWrite& write, const TableIndexRef& index);
  /// Forgets keys that have passed the test. Called when no rollback is possible that would bring back rows,
  /// but that of the whole transaction.
  void ForgetLateKeys(const Transaction& transaction, const TableIndexRef& index);
  /// Returns whether there are such keys.
  bool HasLateKeys(const Transaction& transaction, const TableIndexRef& index) const;

 private:
  class IndexUndo;
  class InsertedKeys;
  void Build(const TableWrite& write, const TableIndexRef& index, IndexEdits& edits);
  /// Tests the keys of a list: each is that of one row at most.
  void CheckListed(const TableWrite& write, const IndexEntryList& list) const;
  /// Throws 23505 for a row whose key another row has.
  [[noreturn]] void ThrowTaken(const TableWrite& write, const TableIndex& index, RowNumber row) const;
  /// Throws for the row of an entry whose key another row has, unless a NULL is in the key.
  void CheckDuplicate(const TableWrite& write, const TableIndex& index, uint64_t value) const;
  void Add(const TableIndexRef& index);
  void Remove(const TableIndexRef& index) noexcept;

  Table& table_;  // owns this
  mutable Mutex mutex_;
  TableIndexList indexes_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
