// TableIndex: an index of a table, with its columns, its properties and the tree of its keys.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/index/index_key.hpp"
#include "storage/index/index_place.hpp"
#include "storage/table_index/index_names.hpp"
#include "storage/table_index/text_keys.hpp"
#include "storage/version/row_number.hpp"
#include "storage/version/value_list.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class BlockStore;
class OrderedIndex;

/// The columns and properties of an index.
struct IndexDefinition {
  std::string name;                       ///< for messages
  std::vector<std::string> column_names;  ///< for messages
  std::vector<size_t> columns;            ///< of the table, in key order
  /// No two rows may have the same key, unless one of its values is NULL.
  bool is_unique = false;
  std::vector<LogicalType> column_types = {};  ///< for messages; if empty, the table's types
  /// The scope of a text index, which has one column and is not unique.
  std::optional<TextIndexScope> text = std::nullopt;
  /// Equal keys of a unique index may be there until the commit.
  bool is_deferrable = false;
};

/// The keys that some rows have in an index: one per row, or in a text index one for each of the row's words.
/// Used by one thread.
class RowKeys {
 public:
  explicit RowKeys(MemoryTracker& memory) : keys_(memory) {}
  /// The keys of a row are those with positions begin(row) to end(row), ascending.
  size_t begin(size_t row) const { return begins_.empty() ? row : begins_[row]; }
  size_t end(size_t row) const { return begins_.empty() ? row + 1 : begins_[row + 1]; }
  KeyBytes operator[](size_t i) const { return keys_[i]; }
  /// Returns whether a column of the key is NULL; in a unique index, the key then equals no other key.
  bool has_null(size_t i) const { return keys_.has_null(i); }
  bool Has(size_t row, KeyBytes key) const;

 private:
  friend class TableIndex;
  IndexKeys keys_;
  std::vector<size_t> begins_;  // if empty, each row has one key
};

/// The encoding of an index's values. A value is a row number, or the place of a row that a transaction has
/// inserted and that gets its number at the commit. Such a place also reserves the key: other transactions
/// see whose it is. The mark of a place is the highest bit, as OrderedIndex::Replace requires it, so that
/// numbering cannot fail.
class IndexValue {
 public:
  /// The number of a transaction that writes to a table is below this.
  static constexpr uint32_t kWriterEnd = uint32_t{1} << 23;

  static uint64_t OfLocal(uint32_t writer, RowNumber local_row) {
    return kLocalMark | uint64_t{writer} << kRowBits | (local_row - kFirstLocalRow);
  }
  static bool IsLocal(uint64_t value) { return (value & kLocalMark) != 0; }
  static uint32_t WriterOf(uint64_t value) {
    return static_cast<uint32_t>((value & ~kLocalMark) >> kRowBits);
  }
  /// Returns the row, for use by its own transaction.
  static RowNumber LocalRowOf(uint64_t value) {
    return kFirstLocalRow + (value & ((uint64_t{1} << kRowBits) - 1));
  }

 private:
  static constexpr uint64_t kLocalMark = uint64_t{1} << 63;
  static constexpr int kRowBits = 40;
};

/// An index of a table. Owned by its table; shared by catalog entries and by the pending changes of
/// transactions. Thread-safe.
///
/// An entry says that some version of a row has the key, perhaps one that no transaction sees any more. So a
/// reader that follows an entry tests whether it sees the row, and with this key. There is an entry for each
/// version as long as some transaction may see the version. A writer changes the row first and inserts the
/// entry afterwards. So if two transactions write the same key, at least the later one finds the other's
/// entry.
class TableIndex {
 public:
  /// Makes an empty index, on behalf of the transaction with stamp `made_by`. `store` is null for a table in
  /// memory.
  TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
             std::shared_ptr<BlockStore> store, MemoryTracker& memory,
             std::shared_ptr<const CommitStamp> made_by);
  /// Opens an index in the file. Nothing is read before its first use.
  TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
             std::shared_ptr<BlockStore> store, IndexPlace place);
  ~TableIndex();

  const std::vector<size_t>& columns() const { return columns_; }
  /// Returns the types of the key. The keys of a text index are words, so they differ from the types of the
  /// columns.
  const std::vector<LogicalType>& key_types() const { return encoder_.types(); }
  /// Returns the types of columns() in the table, from which EncodeRows makes keys.
  const std::vector<LogicalType>& row_types() const { return row_types_; }
  bool is_text() const { return text_ != nullptr; }
  /// Returns whether a text index has all words of the texts at a path of its column, and below it.
  bool HasTextsAt(size_t column, PathId path) const {
    return is_text() && columns_[0] == column && text_->Covers(path);
  }
  /// Makes the keys of the first `count` rows. REQUIRES: `columns` has the types row_types(). Throws
  /// Error(kOutOfMemory), and Error(kIo) if text is read from damaged records.
  void EncodeRows(DataChunk& columns, size_t count, RowKeys& keys) const;
  bool is_unique() const { return is_unique_; }
  /// Returns whether equal keys of a unique index may be there until the commit: writers note them, and
  /// whoever commits tests them.
  bool is_deferrable() const { return is_deferrable_; }
  const IndexKeyEncoder& encoder() const { return encoder_; }
  bool IsOver(const std::vector<size_t>& columns) const;
  /// Returns the tree. The first call may read the file and throw Error(kIo, kOutOfMemory).
  OrderedIndex& tree() const;
  /// Returns whether a checkpoint has anything to write.
  bool HasChanges() const;
  /// Returns the location that the last checkpoint gave it.
  IndexPlace place() const;
  /// Returns whether the index has all rows that `view` sees; false if it was made later.
  bool IsWholeFor(const ReadView& view) const { return !made_by_ || view.Sees(made_by_->load()); }

  std::string name() const { return names_.index(); }
  /// Returns what messages show of the index.
  IndexNames& names() const { return names_; }
  /// Returns whether column `place` of the key equals value i of `values`.
  bool HasValue(KeyBytes key, size_t place, const ValueList& values, size_t i) const;
  /// Appends the keys that value i of `values` has in a text index.
  void AppendKeys(const ValueList& values, size_t i, std::vector<IndexKey>& keys) const;

  /// Returns the transaction that has dropped the index, for which it no longer applies; 0 if there is none.
  Timestamp dropped_by() const { return dropped_by_.load(); }
  void SetDroppedBy(Timestamp transaction) { dropped_by_.store(transaction); }
  /// Returns whether the index is no longer maintained.
  bool is_gone() const { return is_gone_.load(); }
  void SetGone() { is_gone_.store(true); }

 private:
  std::vector<size_t> columns_;
  std::vector<LogicalType> row_types_;
  std::unique_ptr<const TextKeyReader> text_;  // null if keys are values
  bool is_unique_;
  bool is_deferrable_;
  IndexKeyEncoder encoder_;
  std::shared_ptr<const CommitStamp> made_by_;  // null if made before the database was opened
  std::shared_ptr<BlockStore> store_;
  IndexPlace stored_place_;   // until the tree is open
  mutable Mutex open_mutex_;  // held while the tree is opened; then is_open_ suffices
  mutable std::atomic<bool> is_open_{false};
  mutable std::unique_ptr<OrderedIndex> tree_;
  mutable IndexNames names_;  // thread-safe
  std::atomic<Timestamp> dropped_by_{0};
  std::atomic<bool> is_gone_{false};
};

/// Returns whether no transaction ever sees two rows with the same key without NULL.
inline bool IsAlwaysUnique(const TableIndex& index) { return index.is_unique() && !index.is_deferrable(); }

using TableIndexRef = std::shared_ptr<TableIndex>;
using TableIndexList = std::vector<TableIndexRef>;

/// The indexes of a table as one transaction reads them. A value type that keeps them alive.
struct SeenIndexes {
  TableIndexList indexes;  ///< those that have all rows that the transaction sees
  /// The transaction's number in IndexValue; none until it changes the table.
  std::optional<uint32_t> writer;
};

}  // namespace scaup
