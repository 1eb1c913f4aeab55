// The changes that transactions make to the indexes of a table, until they commit or roll back.
#pragma once

#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table_index/index_entry_list.hpp"
#include "storage/version/table_versions.hpp"

namespace scaup {

class KeyReads;

/// The keys of some rows in one index, before and after an update.
struct KeyChange {
  KeyChange(TableIndexRef index_in, MemoryTracker& memory)
      : index(std::move(index_in)), old_keys(memory), new_keys(memory) {}
  TableIndexRef index;
  RowKeys old_keys;
  RowKeys new_keys;
};

/// The rows that a transaction has inserted, before it commits. Borrows everything.
struct InsertedRows {
  const TableView& view;  ///< the table as the transaction sees it
  const TableColumns& columns;
  bool were_changed;                      ///< whether any were updated or deleted again
  const std::vector<RowNumber>& deleted;  ///< those that were deleted again, ascending
  MemoryTracker& memory;
};

/// Entries of rows that were deleted or got another key, by statement and index.
using RemovedEntries = std::vector<std::unique_ptr<IndexEntryList>>;

/// Erases entries of one transaction that no transaction with a start of `oldest_start` or later needs, and
/// frees the lists. Where they are many, they are sorted by key first, so that each part of an index that is
/// not in memory is read once. The version records of the changes, which it reads, must outlive the call.
void CleanUpEntries(RemovedEntries& lists, const TableVersions& versions, Timestamp oldest_start) noexcept;

/// The changes that one statement made to the indexes of a table. Owned by its undo entry.
class IndexEdits {
 public:
  /// The value of an entry in `added_` that is no longer in the index.
  static constexpr uint64_t kErased = UINT64_MAX;
  /// Marks a row number that an entry got for a commit, which may still fail.
  static constexpr uint64_t kNumbered = uint64_t{1} << 62;

  /// Returns the list of entries that were inserted.
  IndexEntryList& Added(const TableIndexRef& index, MemoryTracker& memory) {
    return ListOf(added_, index, memory);
  }
  /// Returns the list of entries of rows that were deleted or got another key. They stay in the index as long
  /// as any transaction sees the rows as they were.
  IndexEntryList& Removed(const TableIndexRef& index, MemoryTracker& memory) {
    return ListOf(removed_, index, memory);
  }
  /// Inserts an entry into the index. If `present` is not null, it receives the values that the key had
  /// before.
  void Insert(const TableIndexRef& index, KeyBytes key, uint64_t value, MemoryTracker& memory,
              std::vector<uint64_t>* present);

  /// Called before a commit. Entries of rows that the transaction inserted get the rows' numbers, which begin
  /// at `first_row`. Entries of rows that were deleted again, or whose key has changed since, are erased.
  void NumberRows(const InsertedRows& inserted, RowNumber first_row);
  /// Undoes the changes, after the rows themselves were restored. `reads`, if not null, receives the keys of
  /// unique indexes.
  void TakeBack(const TableVersions& versions, KeyReads* reads) noexcept;
  /// Forgets the inserted entries, which stay in the indexes.
  void ForgetAdded() noexcept { added_.clear(); }
  size_t removed_count() const { return removed_.size(); }
  /// Moves the removed entries, for CleanUpEntries. `lists` has room for removed_count() more.
  void TakeRemoved(RemovedEntries& lists) noexcept;
  /// Returns the memory of the lists.
  size_t reserved_bytes() const;
  /// Writes the lists to temporary storage, as IndexEntryList::Spill does.
  void Spill();

 private:
  using Lists = std::vector<std::unique_ptr<IndexEntryList>>;
  static IndexEntryList& ListOf(Lists& lists, const TableIndexRef& index, MemoryTracker& memory);
  static void NumberRows(IndexEntryList& list, const InsertedRows& inserted, RowNumber first_row);

  Lists added_;
  Lists removed_;
};

}  // namespace scaup
