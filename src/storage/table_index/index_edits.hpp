// What transactions have changed in the indexes of a table, until it is settled.
#pragma once

#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table_index/table_index.hpp"
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

/// Entries of one index, with copies of their keys. Accounted. One thread.
class IndexEntryList {
 public:
  IndexEntryList(TableIndexRef index, MemoryTracker& memory)
      : index_(std::move(index)), reservation_(memory) {}

  const TableIndexRef& index() const { return index_; }
  size_t size() const { return values_.size(); }
  KeyBytes key(size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {bytes_.data() + begin, ends_[i] - begin};
  }
  uint64_t value(size_t i) const { return values_[i]; }
  void SetValue(size_t i, uint64_t value) { values_[i] = value; }
  /// Throws Error(kOutOfMemory).
  void Add(KeyBytes key, uint64_t value);
  void RemoveLast() noexcept;
  std::unique_ptr<IndexEntryList> next;  ///< for KeyReads

 private:
  TableIndexRef index_;
  std::vector<std::byte> bytes_;
  std::vector<size_t> ends_;
  std::vector<uint64_t> values_;
  MemoryReservation reservation_;
};

/// The rows that a transaction inserted, before it commits. Borrows all of it.
struct InsertedRows {
  const TableView& view;  ///< as the transaction sees the table
  const TableColumns& columns;
  bool were_changed;                      ///< whether some were updated or deleted again
  const std::vector<RowNumber>& deleted;  ///< of them, those that were deleted again; ascending
  MemoryTracker& memory;
};

/// The changes that one statement made to the indexes of a table. Owned by its undo entry.
class IndexEdits {
 public:
  /// The value of an entry of `added` that is not in the index any more.
  static constexpr uint64_t kErased = UINT64_MAX;
  /// Added to the number that a row got for a commit, which then may not happen.
  static constexpr uint64_t kNumbered = uint64_t{1} << 62;

  /// Entries that were put in.
  IndexEntryList& Added(const TableIndexRef& index, MemoryTracker& memory) {
    return ListOf(added_, index, memory);
  }
  /// Entries of rows of the table that were deleted, or got another key: they stay as long as somebody sees
  /// the rows as they were.
  IndexEntryList& Removed(const TableIndexRef& index, MemoryTracker& memory) {
    return ListOf(removed_, index, memory);
  }
  /// Puts an entry into the index. `present`, if wanted: what the key had before.
  void Insert(const TableIndexRef& index, KeyBytes key, uint64_t value, MemoryTracker& memory,
              std::vector<uint64_t>* present);

  /// Before a commit: entries of rows that the transaction inserted get the rows' numbers, the first of which
  /// is `first_row`; those of rows that were deleted again, or whose key was changed since, go.
  void NumberRows(const InsertedRows& inserted, RowNumber first_row);
  /// After the rows were put back as they were. `reads`, if not null, gets the keys of unique indexes.
  void TakeBack(const TableVersions& versions, KeyReads* reads) noexcept;
  /// Forgets what was put in, which stays in the indexes.
  void ForgetAdded() noexcept { added_.clear(); }
  /// Erases what was removed and nobody sees any more who begins at `oldest_start` or later. REQUIRES: the
  /// records of the changes are still there.
  void CleanUp(const TableVersions& versions, Timestamp oldest_start) noexcept;

 private:
  using Lists = std::vector<std::unique_ptr<IndexEntryList>>;
  static IndexEntryList& ListOf(Lists& lists, const TableIndexRef& index, MemoryTracker& memory);

  Lists added_;
  Lists removed_;
};

}  // namespace scaup
