// An index of a table: over which columns it is, and the tree that has their keys.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "storage/index/ordered_index.hpp"
#include "storage/table_index/text_keys.hpp"
#include "storage/version/row_number.hpp"
#include "storage/version/value_list.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The columns and properties of an index.
struct IndexDefinition {
  std::string name;                       ///< for messages
  std::vector<std::string> column_names;  ///< for messages
  std::vector<size_t> columns;            ///< of the table, in the order of the key
  /// No two rows may have the same key, unless one of its values is NULL.
  bool is_unique = false;
  std::vector<LogicalType> column_types = {};  ///< for messages; none: as the table has them
  /// The scope of a text index, which is over one column and not unique.
  std::optional<TextIndexScope> text = std::nullopt;
};

/// The keys that some rows have in an index: one each, or in a text index one for each of their words. One
/// thread.
class RowKeys {
 public:
  explicit RowKeys(MemoryTracker& memory) : keys_(memory) {}
  /// The keys of a row are keys begin(row) to end(row), ascending.
  size_t begin(size_t row) const { return begins_.empty() ? row : begins_[row]; }
  size_t end(size_t row) const { return begins_.empty() ? row + 1 : begins_[row + 1]; }
  KeyBytes operator[](size_t i) const { return keys_[i]; }
  /// Whether one of the key's columns is NULL: in a unique index it then equals no other key.
  bool has_null(size_t i) const { return keys_.has_null(i); }
  bool Has(size_t row, KeyBytes key) const;

 private:
  friend class TableIndex;
  IndexKeys keys_;
  std::vector<size_t> begins_;  // None: each row has one.
};

/// Values of an index: the number of a row; or the place of a row that a transaction inserted and that gets
/// its number when it commits. Such a place also reserves the key: others see whose it is. The bit that
/// tells it apart is the one that OrderedIndex::Replace wants, so that numbering cannot fail.
class IndexValue {
 public:
  /// Transactions that write to a table have a number in it, below this.
  static constexpr uint32_t kWriterEnd = uint32_t{1} << 23;

  static uint64_t OfLocal(uint32_t writer, RowNumber local_row) {
    return kLocalMark | uint64_t{writer} << kRowBits | (local_row - kFirstLocalRow);
  }
  static bool IsLocal(uint64_t value) { return (value & kLocalMark) != 0; }
  static uint32_t WriterOf(uint64_t value) {
    return static_cast<uint32_t>((value & ~kLocalMark) >> kRowBits);
  }
  /// The row, for its own transaction.
  static RowNumber LocalRowOf(uint64_t value) {
    return kFirstLocalRow + (value & ((uint64_t{1} << kRowBits) - 1));
  }

 private:
  static constexpr uint64_t kLocalMark = uint64_t{1} << 63;
  static constexpr int kRowBits = 40;
};

/// Owned by its table, and shared by the catalog's entries and by what transactions have changed in it.
/// Thread-safe.
///
/// An entry says that some version of a row has the key, perhaps one that nobody sees any more: who finds a
/// row tests whether he sees it, and with this key. There is an entry for each version that some transaction
/// may see, as long as it may. Whoever changes a row makes the change first and the entry then; so of two
/// transactions that write the same key, at least the later one finds the other's entry.
class TableIndex {
 public:
  /// An empty one, made by the transaction of `made_by`. `store`: null for a table in memory.
  TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
             std::shared_ptr<BlockStore> store, MemoryTracker& memory,
             std::shared_ptr<const CommitStamp> made_by);
  /// One of the file, of which nothing is read before it is used.
  TableIndex(IndexDefinition definition, const std::vector<LogicalType>& table_types,
             std::shared_ptr<BlockStore> store, IndexPlace place);

  const std::vector<size_t>& columns() const { return columns_; }
  /// The types of the key. In a text index, whose keys are words, these are not those of the columns.
  const std::vector<LogicalType>& key_types() const { return encoder_.types(); }
  /// The types of columns() in the table, from which EncodeRows makes keys.
  const std::vector<LogicalType>& row_types() const { return row_types_; }
  bool is_text() const { return text_ != nullptr; }
  /// Whether a text index has all words of the texts at a path of its column, and below.
  bool HasTextsAt(size_t column, PathId path) const {
    return is_text() && columns_[0] == column && text_->Covers(path);
  }
  /// The keys of the first `count` rows. REQUIRES: `columns` has the types row_types(). Throws
  /// Error(kOutOfMemory), and Error(kIo) where text is read out of damaged records.
  void EncodeRows(DataChunk& columns, size_t count, RowKeys& keys) const;
  bool is_unique() const { return is_unique_; }
  const IndexKeyEncoder& encoder() const { return encoder_; }
  bool IsOver(const std::vector<size_t>& columns) const;
  /// Throws Error(kIo, kOutOfMemory) when it is read from the file.
  OrderedIndex& tree() const;
  /// Whether a checkpoint has anything to write.
  bool HasChanges() const;
  /// Where the last checkpoint put it.
  IndexPlace place() const;
  /// Whether it has all rows as `view` sees them: not if it was made later.
  bool IsWholeFor(const ReadView& view) const { return !made_by_ || view.Sees(made_by_->load()); }

  std::string name() const;
  std::vector<std::string> column_names() const;
  std::vector<LogicalType> column_types() const;
  /// After the index, or columns of the table, have got other names, or enums other labels.
  void Rename(std::string name, std::vector<std::string> column_names,
              std::vector<LogicalType> column_types = {});
  /// "(a, b)=(1, x)".
  std::string DescribeKey(DataChunk& key_columns, size_t row) const;
  /// Whether value i of `values` is what column `place` of the key has.
  bool HasValue(KeyBytes key, size_t place, const ValueList& values, size_t i) const;
  /// Appends the keys of value i of `values` in a text index.
  void AppendKeys(const ValueList& values, size_t i, std::vector<IndexKey>& keys) const;

  /// The transaction that has dropped the index, for which it holds no longer; 0 if none has.
  Timestamp dropped_by() const { return dropped_by_.load(); }
  void SetDroppedBy(Timestamp transaction) { dropped_by_.store(transaction); }
  /// Nobody maintains it any more.
  bool is_gone() const { return is_gone_.load(); }
  void SetGone() { is_gone_.store(true); }

 private:
  std::vector<size_t> columns_;
  std::vector<LogicalType> row_types_;
  std::unique_ptr<const TextKeyReader> text_;  // Null where keys are values.
  bool is_unique_;
  IndexKeyEncoder encoder_;
  std::shared_ptr<const CommitStamp> made_by_;  // Null: before the database was opened.
  std::shared_ptr<BlockStore> store_;
  IndexPlace stored_place_;  // Until the tree is there.
  mutable std::mutex open_mutex_;
  mutable std::atomic<bool> is_open_{false};
  mutable std::unique_ptr<OrderedIndex> tree_;
  mutable std::mutex names_mutex_;
  std::string name_;
  std::vector<std::string> column_names_;
  std::vector<LogicalType> column_types_;
  std::atomic<Timestamp> dropped_by_{0};
  std::atomic<bool> is_gone_{false};
};

using TableIndexRef = std::shared_ptr<TableIndex>;
using TableIndexList = std::vector<TableIndexRef>;

/// Indexes as one transaction reads them. A value; keeps them alive.
struct SeenIndexes {
  TableIndexList indexes;  ///< those that have all rows that it sees
  /// The transaction's number in IndexValue; none while it has changed nothing of the table.
  std::optional<uint32_t> writer;
};

}  // namespace scaup
