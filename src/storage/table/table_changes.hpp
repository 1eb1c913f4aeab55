// TableChanges: what one transaction has changed in one table.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "document/attribute_census.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table.hpp"
#include "storage/table_index/key_reads.hpp"
#include "storage/version/row_ranges.hpp"

namespace scaup {

/// Rows of one version block that one statement deleted or updated.
struct WrittenRows {
  RowNumber first_row;  ///< of the block
  TableVersions::BlockRef block;
  VersionRecords::iterator record;
};

/// The rows that a commit changed, for transactions that may have read them. The rows are read again, in
/// their versions before and after the commit.
class TableChangeSet final : public ChangeSet {
 public:
  TableChangeSet(std::shared_ptr<const Table> table, std::shared_ptr<const CommitStamp> stamp)
      : ChangeSet(table->id()), table_(std::move(table)), stamp_(std::move(stamp)) {}

  const Table& table() const { return *table_; }
  /// Returns views of what was committed right before the changes, and with them.
  ReadView Before() const;
  ReadView After() const;

  std::vector<std::shared_ptr<const RowGroup>> inserted;
  RowRanges deleted;
  RowRanges updated;            ///< and not deleted
  std::vector<size_t> columns;  ///< that were updated in any row, ascending
  /// Statistics by column of everything that was written: inserted rows and new values.
  std::vector<ColumnStatistics> statistics;
  /// The attribute census after the commit, for a collection; null for other tables.
  std::shared_ptr<const AttributeCensus> attributes;

 private:
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const CommitStamp> stamp_;
};

/// A transaction's changes to a table. Owned by the transaction; used by one thread at a time.
class TableChanges final : public TransactionLocal {
 public:
  TableChanges(Table& table, uint32_t writer_in);

  /// The transaction's number in IndexValue.
  uint32_t writer;

  /// Inserted rows, numbered from kFirstLocalRow on.
  std::shared_ptr<const TableSnapshot> local;
  std::shared_ptr<TableVersions> local_versions;
  /// Statistics by column of everything that was written.
  std::vector<ColumnStatistics> statistics;
  /// Statistics of the documents that were written, for a collection.
  AttributeStatistics attributes;
  /// The change in the number of documents that have each attribute.
  AttributeChanges attribute_changes;
  /// Rows of the table, without local ones, in the order of the statements.
  std::vector<WrittenRows> written;
  uint64_t deleted_count = 0;  ///< of `written`
  /// The index changes of the statements, in order. Borrowed from their undo entries.
  std::vector<IndexEdits*> index_edits;
  /// Keys that updates have given to rows and that other rows had; see Table::CheckKeys.
  std::vector<std::unique_ptr<IndexEntryList>> unchecked_keys;
  /// Returns the unchecked keys of an index.
  IndexEntryList& UncheckedKeys(const TableIndexRef& index, MemoryTracker& memory);
  /// Keys of deferrable unique indexes that rows got while others had them. They stay to the transaction's
  /// end: those that have gone meanwhile do no harm.
  std::vector<std::unique_ptr<IndexEntryList>> late_keys;
  /// Returns the late keys of an index.
  IndexEntryList& LateKeys(const TableIndexRef& index, MemoryTracker& memory);
  /// Null until a transaction whose reads are logged writes a key of a unique index.
  std::shared_ptr<KeyReads> key_reads;
  void RequireKeyReads(const TableWrite& write, const std::shared_ptr<const Table>& table);

  /// Lists the edits of a statement while `add_undo` hands their owner to the transaction; does both or
  /// neither. Spills those of the statements before if they take too much memory.
  template <typename AddUndo>
  void AddEdits(IndexEdits& edits, AddUndo&& add_undo) {
    SpillEdits();
    index_edits.push_back(&edits);
    try {
      add_undo();
    } catch (...) {
      index_edits.pop_back();
      throw;
    }
  }
  /// Removes the edits of a statement that is rolled back, which is the last one if it is listed.
  void RemoveEdits(const IndexEdits& edits) noexcept {
    if (!index_edits.empty() && index_edits.back() == &edits) index_edits.pop_back();
    counted_edits_ = std::min(counted_edits_, index_edits.size());
    spilled_edits_ = std::min(spilled_edits_, index_edits.size());
  }

  /// The mapping of local rows to final numbers, set by Prepare if an element table needs it. Ascending.
  RowNumber first_final_row = 0;
  std::vector<RowNumber> deleted_local;
  /// Returns the number that an inserted row gets. REQUIRES: it was not deleted again.
  RowNumber FinalNumberOf(RowNumber local_row) const;

  /// Returns the inserted rows as they will be committed: without rows deleted again, and with updated
  /// values.
  std::vector<std::shared_ptr<const RowGroup>> FinalRows(const Transaction& transaction,
                                                         const Table& table) const;
  /// Returns the change set that is committed with these changes.
  std::shared_ptr<const TableChangeSet> MakeChangeSet(
      const Table& table, const std::shared_ptr<const CommitStamp>& stamp,
      const std::vector<std::shared_ptr<const RowGroup>>& inserted,
      std::shared_ptr<const AttributeCensus> census) const;

 private:
  void SpillEdits();

  MemoryTracker& memory_;
  // The first ones of index_edits are counted in edits_bytes_; the first ones of these were spilled.
  size_t counted_edits_ = 0;
  size_t spilled_edits_ = 0;
  size_t edits_bytes_ = 0;  // at least what those take that are counted and were not spilled
};

/// Returns the changes of a transaction to a table; null if it has none.
inline TableChanges* ChangesOf(const Table& table, const Transaction& transaction) {
  return static_cast<TableChanges*>(transaction.FindLocal(&table));
}

}  // namespace scaup
