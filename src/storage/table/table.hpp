// Table: the data of a table as row groups that are versioned by commit, plus the versions of its rows.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/snapshot/table_layout.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table/attribute_log.hpp"
#include "storage/table_index/table_index.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

enum class Encoding : uint8_t;

class AttributeCensus;
class AttributeDelta;
class IndexEdits;
struct KeyChange;
class KeyHolderTest;
class Table;
class TableColumns;
class TableChanges;
struct TableSample;
class VisibleAttributes;

/// The transaction and the table name of a change. Borrowed.
struct TableWrite {
  Transaction& transaction;
  std::string_view table_name;  ///< for messages
};

/// The source of an element table: the collection, and the path of the arrays whose elements are its rows.
struct ElementSource {
  std::weak_ptr<Table> collection;
  uint64_t collection_id;  ///< Table::id
  std::string path;        ///< in its name form (document_path.hpp)
};

/// Columns of an element table after kRecordColumn: the row number of the document with the array, and the
/// element's position in the array, from 0.
inline constexpr size_t kElementDocumentColumn = 1;
inline constexpr size_t kElementPositionColumn = 2;

/// Rows that estimates may inspect. A value type that shares the rows.
struct SampledView {
  TableView view;
  bool is_whole;  ///< all rows of the table rather than a sample
};

/// The rows of one table. Thread-safe. Shared by catalog entries and running statements.
///
/// Each commit that changes something makes a new snapshot; old snapshots go when no transaction can see them
/// any more. Inserted rows belong to their transaction until it commits, and get their numbers then. Updates
/// and deletions are made in place at once (`versions`), where only their transaction sees them.
class Table final : public CommitFollower, public std::enable_shared_from_this<Table> {
 public:
  /// `store` is the file with the rows; null for a table in memory. The log identifies the table by `id`.
  /// `attributes` is the dictionary of a collection, whose first column holds document records; null for
  /// other tables.
  Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id = 0,
        std::shared_ptr<BlockStore> store = nullptr,
        std::shared_ptr<AttributeDictionary> attributes = nullptr);

  uint64_t id() const { return id_; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Returns the file with the rows; null for a table in memory.
  const std::shared_ptr<BlockStore>& store() const { return store_; }
  /// Returns the dictionary of a collection; null for other tables.
  const std::shared_ptr<AttributeDictionary>& attributes() const { return attributes_; }
  /// Returns the attributes of the documents that `transaction` sees. Valid as long as the transaction.
  /// REQUIRES: it is a collection.
  VisibleAttributes AttributesSeenBy(const Transaction& transaction) const;
  TableLayout layout(const ShreddingPolicy& policy = {}) const { return {types_, attributes_.get(), policy}; }
  /// Gives checkpoints access to the log of attributes. Use it between commits only.
  AttributeLog& attribute_log() { return attribute_log_; }
  const std::shared_ptr<TableVersions>& versions() const { return versions_; }
  MemoryTracker& memory() const { return memory_; }
  /// Returns the snapshot for transactions that begin now.
  std::shared_ptr<const TableSnapshot> NewestSnapshot() const;
  /// Returns the snapshot that `transaction` sees, without its own changes.
  std::shared_ptr<const TableSnapshot> Snapshot(const Transaction& transaction) const;
  /// Returns the view of `transaction`, including its own changes.
  TableView View(const Transaction& transaction) const;
  /// Returns the view of committed rows that `reader` sees, without the changes of any transaction in
  /// progress.
  TableView View(const ReadView& reader) const;
  /// Returns statistics of everything that `transaction` sees, first for the stored columns of `columns`,
  /// then for projections. Bounds hold; counts are estimates.
  std::shared_ptr<const std::vector<ColumnStatistics>> Statistics(const Transaction& transaction,
                                                                  const TableColumns& columns) const;
  /// Returns the statistics of a collection's attributes. They may cover later commits as well.
  AttributeStatistics StatisticsOfAttributes(const Transaction& transaction) const;

  /// Returns randomly picked rows for estimates; null if there is no sample, as in small tables.
  std::shared_ptr<const TableSample> Sample() const;
  /// Returns the rows that estimates may inspect: all that `transaction` sees if they are few, else the
  /// sample.
  std::optional<SampledView> SampleView(const Transaction& transaction) const;
  /// Picks a sample of what `transaction` sees. Throws Error(kIo) and Error(kOutOfMemory).
  void Analyze(const Transaction& transaction);
  /// Picks a sample of the committed rows if at least one row in `share` has changed since the last one. If
  /// that fails, the old sample stays. Not for a transaction that replays the log.
  void RefreshSample(TransactionManager& transactions, uint64_t share) noexcept;
  /// Sets a sample from a checkpoint.
  void SetSample(std::shared_ptr<const TableSample> sample) noexcept;
  /// Replaces a sample by the same rows in another storage form, unless there is a newer sample.
  void ReplaceSample(const TableSample& replaced, std::shared_ptr<const TableSample> sample) noexcept;

  /// Adds rows on behalf of a transaction. They become visible to others when it commits, and vanish if it
  /// does not. Throws Error(kConstraint, 23505) for a key that a unique index has already, and
  /// Error(kTransaction, 40001) for a key that another transaction is writing or has written meanwhile. The
  /// transaction must then be rolled back, at least to its state before the call. `statistics` covers the
  /// rows, by column; `attributes` covers their documents, for a collection.
  void Insert(const TableWrite& write, std::vector<std::shared_ptr<const RowGroup>> row_groups,
              const std::vector<ColumnStatistics>& statistics, const AttributeStatistics& attributes);
  /// Deletes rows that the transaction sees; `rows` ascend. Throws Error(kTransaction, 40001) if another
  /// transaction has changed one of them meanwhile. The transaction must then be rolled back, at least to its
  /// state before the call.
  void Delete(const TableWrite& write, std::span<const RowNumber> rows);
  /// Replaces the values of `columns` in at most 1024 rows that the transaction sees; `rows` ascend. The
  /// columns of `values` have the table's types. Throws as Delete does. Rows may exchange unique keys within
  /// a statement, so uniqueness is tested at the statement's end only: CheckKeys must follow.
  void Update(const TableWrite& write, std::span<const RowNumber> rows, std::span<const size_t> columns,
              DataChunk& values);

  /// Ends a statement that has updated rows. Throws as Insert does.
  void CheckKeys(const TableWrite& write);
  /// Returns the row that has a key of a unique index, as the transaction sees and names it; none if there is
  /// none. Throws Error(kTransaction, 40001) if the answer depends on another transaction that has written
  /// such a key. Does not log the read.
  std::optional<RowNumber> FindKey(const TableWrite& write, const TableIndex& index, KeyBytes key) const;

  /// Returns the indexes that are maintained now.
  TableIndexList Indexes() const;
  /// Returns the indexes that have all rows that `transaction` sees. An index that was made later lacks the
  /// older versions of rows.
  SeenIndexes IndexesSeenBy(const Transaction& transaction) const;
  /// Returns the transaction's number in IndexValue; none until it changes the table.
  std::optional<uint32_t> WriterOf(const Transaction& transaction) const;
  /// Returns a test for holders of keys of a unique index, including the rows that `transaction` has inserted
  /// so far.
  KeyHolderTest HoldersSeenBy(const Transaction& transaction, const TableIndex& index) const;
  /// Makes an index over all rows. No other transaction may write to the table until this one ends; throws
  /// Error(kTransaction, 40001) if one does now. The caller must detect what was committed since the
  /// transaction began, by a read that is validated. Throws Error(kConstraint, 23505) if the index is to be
  /// unique and cannot be.
  TableIndexRef CreateIndex(const TableWrite& write, IndexDefinition definition);
  /// Adds an index of the checkpoint that Load was given.
  TableIndexRef LoadIndex(IndexDefinition definition, IndexPlace place);
  /// Drops an index, with the same exclusion of writers as CreateIndex.
  void DropIndex(const TableWrite& write, const TableIndexRef& index);

  /// Prepares a change of a constraint that statements read from the catalog. No other transaction may write
  /// to the table until this one ends, and transactions that began earlier may not write afterwards. Throws
  /// Error(kTransaction, 40001) if another transaction writes now.
  void BeginRuleChange(const TableWrite& write);

  /// Returns the source of an element table; null for any other. Set before any other thread knows the table.
  const ElementSource* element_source() const { return element_source_ ? &*element_source_ : nullptr; }
  void SetElementSource(ElementSource source) { element_source_ = std::move(source); }
  /// Makes `elements`, whose source this is, follow this collection: it has a row for each object in the
  /// arrays, and changes to documents change its rows. Excludes writers as BeginRuleChange does.
  void AttachElements(const TableWrite& write, const std::shared_ptr<Table>& elements);
  /// Inserts the elements of the documents that the transaction sees. The caller must detect documents that
  /// were committed since it began, as for CreateIndex.
  void FillElements(const TableWrite& write, Table& elements);
  /// Undoes AttachElements, for a DROP of `elements`, with the same exclusion of writers.
  void DetachElements(const TableWrite& write, const std::shared_ptr<Table>& elements);

  /// These functions apply log records, after the kind of the record and the table's id were read.
  void InsertLogged(Transaction& transaction, ByteReader& reader);
  void DeleteLogged(Transaction& transaction, ByteReader& reader);
  void UpdateLogged(Transaction& transaction, ByteReader& reader);
  void ReadLoggedAttributes(ByteReader& reader) { attribute_log_.ReadLogged(reader); }

  /// Fills an empty table from a checkpoint.
  void Load(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowNumber> deleted,
            AttributeStatistics attributes);
  /// Writes the statistics of a collection, over everything that was ever committed, for a checkpoint.
  void WriteAttributeStatistics(ByteWriter& writer) const;
  /// Replaces the newest snapshot by one with the same rows in another form, after compaction has put what
  /// `reader` sees of the rows in `compacted` into it; see CompactVersions. No commit and no other compaction
  /// may be in progress. DropCompacted frees the compacted versions once no transaction reads older row
  /// groups.
  void ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowRange> compacted,
                     const ReadView& reader, TransactionManager& transactions);
  /// Frees compacted versions if no transaction reads older row groups any more.
  void DropCompacted() noexcept;
  /// Frees compacted versions and refreshes the sample. A table in memory, which has no checkpoints, also
  /// compacts row groups that have changed enough. Other commits wait only while the new row groups are
  /// exchanged.
  void AfterCommit(TransactionManager& transactions) noexcept override;
  /// Compacts row groups that have changed enough, now. Called by one thread at a time; not for tables in
  /// files.
  void CompactChanges(TransactionManager& transactions);
  /// Returns how many row groups of a collection in a file are not stored as the policy demands.
  size_t CountUnlike(const ShreddingPolicy& policy) const;
  /// Rewrites one of them to free blocks and puts it in the place of the old one. Readers see the same rows
  /// before, during and after this; commits wait only during the exchange. The next checkpoint makes it
  /// durable. Returns false if there was none. Throws Error(kIo, kOutOfMemory), with nothing changed.
  bool ShredNext(TransactionManager& transactions, const ShreddingPolicy& policy,
                 std::optional<Encoding> forced);
  /// Prepares a DROP, or an ALTER that gives the table another storage: from now on no other transaction may
  /// change the table. Throws Error(kTransaction, 40001) if another transaction has changes to it or drops
  /// it. The lock outlasts the commit.
  void BeginDrop(const TableWrite& write);
  /// Ends the lock after the drop was rolled back.
  void CancelDrop() noexcept;

 private:
  friend class TableChanges;
  class ChangesUndo;
  class InsertUndo;
  class WriteUndo;
  class CompactionUndo;
  class AlterUndo;
  class RuleUndo;
  class IndexUndo;
  class ElementsUndo;
  /// Returns the changes of the transaction so far. Throws Error(kTransaction, 40001) if another one drops
  /// the table.
  TableChanges& RequireChanges(const TableWrite& write);
  /// Registers a writer and returns its number.
  uint32_t BeginWriter(const TableWrite& write);
  void EndWriter(const Transaction& transaction) noexcept;
  /// Throws Error(kTransaction, 40001) if another transaction writes, alters or drops. The caller holds the
  /// lock.
  void RequireAlone(const TableWrite& write) const;
  std::shared_ptr<const TableSnapshot> SnapshotAt(Timestamp start) const;
  bool IsCompactionDue() const;
  enum class SampleNeed : uint8_t { kNone, kNewRows, kWhole };
  SampleNeed NeedOfSample(uint64_t share) const noexcept;
  /// Returns whether the newest snapshot has rows with these numbers, or may get some.
  bool IsInRowGroup(RowNumber begin, RowNumber end) const;
  /// Excludes all other writers until the transaction ends.
  void BeginAlter(const TableWrite& write);
  WriteUndo& BeginWrite(const TableWrite& write);

  /// Adds a statement's change of the attribute census to the transaction's.
  void AddAttributeChanges(const TableWrite& write, TableChanges& changes, const AttributeDelta& delta) const;

  // Indexes: table_indexes.cpp.
  void AddInsertedKeys(const TableWrite& write,
                       const std::vector<std::shared_ptr<const RowGroup>>& row_groups, RowNumber first_row,
                       IndexEdits& edits);
  void NoteDeletedKeys(const TableWrite& write, std::span<const RowNumber> rows, IndexEdits& edits);
  /// Returns the keys of rows before and after an update, for the indexes that it concerns.
  std::vector<KeyChange> ReadKeyChanges(const TableWrite& write, std::span<const RowNumber> rows,
                                        std::span<const size_t> columns, DataChunk& values) const;
  void ChangeKeys(const TableWrite& write, std::span<const RowNumber> rows,
                  const std::vector<KeyChange>& changes, IndexEdits& edits);
  void BuildIndex(const TableWrite& write, const TableIndexRef& index, IndexEdits& edits);

  // Element tables: element_tables.cpp.
  /// Returns the element tables that the transaction must maintain.
  std::vector<std::shared_ptr<Table>> ElementTables(const Transaction& transaction) const;
  void AddElements(const TableWrite& write, const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                   RowNumber first_row);
  void DeleteElements(const TableWrite& write, std::span<const RowNumber> rows);
  /// Called after an update of document records.
  void ChangeElements(const TableWrite& write, std::span<const RowNumber> rows, const Vector& old_records,
                      const Vector& new_records);
  /// Deletes the rows of an element table that belong to these documents; `documents` ascend.
  void DeleteElementsOf(const TableWrite& write, std::span<const RowNumber> documents);
  /// Replaces local document numbers in an element table's rows by those that the documents get with the
  /// commit. REQUIRES: the collection's changes are prepared.
  void NumberDocuments(const Transaction& transaction, TableChanges& changes,
                       std::vector<std::shared_ptr<const RowGroup>>& rows) const;

  /// Calls change(block, writer, first_row) for the versions of row `row`, under their lock.
  template <typename Change>
  void ChangeBlock(const TableWrite& write, WriteUndo& undo, RowNumber row, Change&& change);
  /// Makes the snapshot that a commit will publish, on top of those prepared before. May throw. Returns the
  /// number of the first inserted row.
  RowNumber PreparePublish(const TableChanges& changes,
                           const std::vector<std::shared_ptr<const RowGroup>>& inserted);
  /// Returns the attribute census of the newest prepared snapshot.
  std::shared_ptr<const AttributeCensus> PreparedAttributes() const;
  /// Discards the newest prepared snapshot.
  void CancelPublish() noexcept;
  /// Publishes the oldest prepared snapshot.
  void Publish(Timestamp commit_timestamp) noexcept;
  /// Drops snapshots that no transaction sees. Returns true if only the newest is left.
  bool Prune(Timestamp oldest_start) noexcept;
  /// Checks that rows of a log record exist.
  void CheckLogged(const Transaction& transaction, std::span<const RowNumber> rows, ByteReader& reader) const;
  bool TryJoin(TableSnapshot& snapshot, const RowGroup& row_group) noexcept;

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  uint64_t id_;
  std::shared_ptr<BlockStore> store_;
  std::shared_ptr<AttributeDictionary> attributes_;
  AttributeLog attribute_log_;
  std::shared_ptr<TableVersions> versions_;
  mutable std::mutex mutex_;
  struct Version {
    Timestamp timestamp;
    std::shared_ptr<const TableSnapshot> snapshot;
  };
  std::list<Version> snapshots_;  // ascending; never empty
  std::list<Version> prepared_;   // of commits in progress; spliced into snapshots_ without allocation
  // Statistics of a collection over everything that commits ever wrote, commits in progress included. They
  // only widen, so they hold for all snapshots. A copy for each snapshot would cost more than most commits.
  AttributeStatistics attribute_statistics_;
  // Transactions with changes that have not ended, and their numbers.
  std::map<Timestamp, uint32_t> writers_;
  TableIndexList indexes_;
  std::optional<ElementSource> element_source_;
  std::vector<std::shared_ptr<Table>> element_tables_;  // those with elements of this collection's arrays
  Timestamp rules_since_ = 0;                           // older transactions do not know all constraints
  Timestamp altered_by_ = 0;                            // the only transaction that may write; 0 if any may
  Timestamp dropped_by_ = 0;  // the transaction that drops or dropped the table; 0 if none
  // Compaction: in table_compaction.cpp.
  std::atomic<uint64_t> uncompacted_changes_{0};  // rows changed since compaction was last considered
  std::atomic<bool> is_compacting_{false};        // a thread is in CompactChanges
  std::mutex compaction_mutex_;                   // guards marking and dropping of compacted versions
  std::atomic<uint64_t> compaction_count_{0};
  std::atomic<uint64_t> ended_compaction_{0};    // row groups from before this compaction have no readers
  std::atomic<uint64_t> dropped_compaction_{0};  // versions up to this one are freed
  // The sample: in table_sampling.cpp.
  mutable std::mutex sample_mutex_;
  std::shared_ptr<const TableSample> sample_;
  std::atomic<uint64_t> sample_changes_{0};      // rows changed since a whole sample was picked
  std::atomic<uint64_t> sample_count_{0};        // seeds the next sample, so that it has other rows
  std::atomic<RowNumber> sample_not_before_{0};  // after a failure, no sample before there are such rows
  std::atomic<bool> is_sampling_{false};         // a thread is in RefreshSample
};

}  // namespace scaup
