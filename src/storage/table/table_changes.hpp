// What one transaction has done to one table.
#pragma once

#include <memory>
#include <vector>

#include "document/attribute_census.hpp"
#include "storage/table/table.hpp"
#include "storage/table_index/key_reads.hpp"

namespace scaup {

/// Rows of one block of versions that one statement deleted or updated.
struct WrittenRows {
  RowNumber first_row;  ///< of the block
  TableVersions::BlockRef block;
  VersionRecords::iterator record;
};

/// Rows that were changed by a commit, for transactions that may have read them. The rows are read again, as
/// they were before and after it.
class TableChangeSet final : public ChangeSet {
 public:
  TableChangeSet(std::shared_ptr<const Table> table, std::shared_ptr<const CommitStamp> stamp)
      : ChangeSet(table->id()), table_(std::move(table)), stamp_(std::move(stamp)) {}

  const Table& table() const { return *table_; }
  /// Views of what was committed just before the changes, and with them.
  ReadView Before() const;
  ReadView After() const;

  std::vector<std::shared_ptr<const RowGroup>> inserted;
  std::vector<RowNumber> deleted;  ///< ascending
  std::vector<RowNumber> updated;  ///< ascending
  std::vector<size_t> columns;     ///< that were updated in any row, ascending
  /// By column, of all that was written: what was inserted, and what values became.
  std::vector<ColumnStatistics> statistics;
  /// The census that the commit of a collection makes; null for other tables.
  std::shared_ptr<const AttributeCensus> attributes;

 private:
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const CommitStamp> stamp_;
};

/// Kept with the transaction. One thread at a time.
class TableChanges final : public TransactionLocal {
 public:
  TableChanges(Table& table, uint32_t writer_in);

  /// The transaction's number in IndexValue.
  uint32_t writer;

  /// Rows inserted, numbered from kFirstLocalRow on.
  std::shared_ptr<const TableSnapshot> local;
  std::shared_ptr<TableVersions> local_versions;
  /// Statistics of everything that was written, by column.
  std::vector<ColumnStatistics> statistics;
  /// Statistics of the documents of a collection that were written.
  AttributeStatistics attributes;
  /// By how much fewer or more documents have each attribute.
  AttributeChanges attribute_changes;
  /// Rows of the table, not local ones, in the order of the statements.
  std::vector<WrittenRows> written;
  uint64_t deleted_count = 0;  ///< of them
  /// The changes that the statements made to indexes, in their order. Borrowed from their undo entries.
  std::vector<IndexEdits*> index_edits;
  /// Keys that updates have given to rows and somebody else has had: see Table::CheckKeys.
  std::vector<std::unique_ptr<IndexEntryList>> unchecked_keys;
  /// The unchecked keys of an index.
  IndexEntryList& UncheckedKeys(const TableIndexRef& index, MemoryTracker& memory);
  /// Null until the transaction, if its reads count, writes a key that is to be unique.
  std::shared_ptr<KeyReads> key_reads;
  void RequireKeyReads(const TableWrite& write, const std::shared_ptr<const Table>& table);

  /// Lists the edits of a statement while `add_undo` hands their owner to the transaction; both or neither.
  template <typename AddUndo>
  void AddEdits(IndexEdits& edits, AddUndo&& add_undo) {
    index_edits.push_back(&edits);
    try {
      add_undo();
    } catch (...) {
      index_edits.pop_back();
      throw;
    }
  }
  /// When a statement is taken back: the last one, if it is listed at all.
  void RemoveEdits(const IndexEdits& edits) noexcept {
    if (!index_edits.empty() && index_edits.back() == &edits) index_edits.pop_back();
  }

  /// Set by Prepare where an element table needs them: what becomes of the inserted rows. Ascending.
  RowNumber first_final_row = 0;
  std::vector<RowNumber> deleted_local;
  /// The number that an inserted row gets. REQUIRES: it is not deleted again.
  RowNumber FinalNumberOf(RowNumber local_row) const;

  /// The inserted rows as they shall be committed: without those deleted again, with values updated since.
  std::vector<std::shared_ptr<const RowGroup>> FinalRows(const Transaction& transaction,
                                                         const Table& table) const;
  /// The change set that is committed with this.
  std::shared_ptr<const TableChangeSet> MakeChangeSet(
      const Table& table, const std::shared_ptr<const CommitStamp>& stamp,
      const std::vector<std::shared_ptr<const RowGroup>>& inserted,
      std::shared_ptr<const AttributeCensus> census) const;
};

}  // namespace scaup
