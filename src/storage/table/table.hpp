// Table: the data of a table as a list of row groups, versioned by commit, and the versions of its rows.
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

/// Whose change it is. Borrowed.
struct TableWrite {
  Transaction& transaction;
  std::string_view table_name;  ///< for messages
};

/// The source of an element table: the collection and the arrays whose elements it has.
struct ElementSource {
  std::weak_ptr<Table> collection;
  uint64_t collection_id;  ///< Table::id
  std::string path;        ///< by its name in documents (document_path.hpp)
};

/// The columns of an element table behind kRecordColumn: the number of the document that has the array, and
/// the element's place in it, counted from 0.
inline constexpr size_t kElementDocumentColumn = 1;
inline constexpr size_t kElementPositionColumn = 2;

/// Rows that estimates may look at. A value; shares them.
struct SampledView {
  TableView view;
  bool is_whole;  ///< all rows of the table, not a sample of them
};

/// The rows of one table. Thread-safe. Shared by the catalog's entries and by running statements.
/// Each commit that changes something makes a new snapshot; old ones go when no transaction can see them any
/// more. Inserted rows are their transaction's own until it commits, and get their numbers then; updates and
/// deletions are made in place at once (`versions`), where only their transaction sees them.
class Table final : public CommitFollower, public std::enable_shared_from_this<Table> {
 public:
  /// `store`: the file that keeps the rows; null for a table in memory. The log knows the table by `id`.
  /// `attributes`: of a collection, whose first column are records of documents; null for other tables.
  Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id = 0,
        std::shared_ptr<BlockStore> store = nullptr,
        std::shared_ptr<AttributeDictionary> attributes = nullptr);

  uint64_t id() const { return id_; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Null for a table in memory.
  const std::shared_ptr<BlockStore>& store() const { return store_; }
  /// Null unless it is a collection.
  const std::shared_ptr<AttributeDictionary>& attributes() const { return attributes_; }
  /// The attributes of the documents that `transaction` sees. Valid as long as the transaction.
  /// REQUIRES: it is a collection.
  VisibleAttributes AttributesSeenBy(const Transaction& transaction) const;
  TableLayout layout(const ShreddingPolicy& policy = {}) const { return {types_, attributes_.get(), policy}; }
  /// For whoever makes checkpoints, between commits.
  AttributeLog& attribute_log() { return attribute_log_; }
  const std::shared_ptr<TableVersions>& versions() const { return versions_; }
  MemoryTracker& memory() const { return memory_; }
  /// The snapshot for transactions that begin now.
  std::shared_ptr<const TableSnapshot> NewestSnapshot() const;
  /// The snapshot that `transaction` sees, without its own changes.
  std::shared_ptr<const TableSnapshot> Snapshot(const Transaction& transaction) const;
  /// The view of `transaction`, its own changes among it.
  TableView View(const Transaction& transaction) const;
  /// The view of committed rows as `reader` sees them, without any transaction's own changes.
  TableView View(const ReadView& reader) const;
  /// Statistics of all that `transaction` sees: bounds hold, counts are estimates. By column: of `columns`
  /// those that are stored, then projections.
  std::shared_ptr<const std::vector<ColumnStatistics>> Statistics(const Transaction& transaction,
                                                                  const TableColumns& columns) const;
  /// Statistics of the attributes of a collection, which may know of later commits, too.
  AttributeStatistics StatisticsOfAttributes(const Transaction& transaction) const;

  /// Rows picked at random, for estimates; null where there is none, as in tables with few rows.
  std::shared_ptr<const TableSample> Sample() const;
  /// Where estimates may look at rows: all that `transaction` sees, if there are few, else the sample.
  std::optional<SampledView> SampleView(const Transaction& transaction) const;
  /// Picks a sample of what `transaction` sees. Throws Error(kIo) and Error(kOutOfMemory).
  void Analyze(const Transaction& transaction);
  /// Picks a sample of what is committed, if one row in `share` is another than when that was last done.
  /// Where it cannot be had, the old one stays. Not for a transaction that is replayed.
  void RefreshSample(TransactionManager& transactions, uint64_t share) noexcept;
  /// One of a checkpoint.
  void SetSample(std::shared_ptr<const TableSample> sample) noexcept;
  /// Replaces a sample by the same rows, stored otherwise; unless there is another sample meanwhile.
  void ReplaceSample(const TableSample& replaced, std::shared_ptr<const TableSample> sample) noexcept;

  /// Hands rows over to a transaction: they become visible to others when it commits, and vanish when it does
  /// not. Throws Error(kConstraint, 23505) for a key that a unique index has already and Error(kTransaction,
  /// 40001) for one that another transaction writes or wrote meanwhile; then the transaction must be rolled
  /// back, at least to where it was.
  /// `statistics` are those of the rows, by column; `attributes` those of their documents, for a collection.
  void Insert(const TableWrite& write, std::vector<std::shared_ptr<const RowGroup>> row_groups,
              const std::vector<ColumnStatistics>& statistics, const AttributeStatistics& attributes);
  /// Deletes rows that the transaction sees; their numbers ascend. Throws Error(kTransaction, 40001) when
  /// another one changed one of them meanwhile; then the transaction must be rolled back, at least to where
  /// it was.
  void Delete(const TableWrite& write, std::span<const RowNumber> rows);
  /// Replaces values in `columns` of at most 1024 rows that the transaction sees, whose numbers ascend. The
  /// columns of `values` are of the table's types. Throws as Delete does. Keys that rows exchange are in
  /// order at the end of the statement only: CheckKeys must follow.
  void Update(const TableWrite& write, std::span<const RowNumber> rows, std::span<const size_t> columns,
              DataChunk& values);

  /// Ends a statement that has updated rows: throws as Insert does.
  void CheckKeys(const TableWrite& write);
  /// The row that has a key of a unique index, as the transaction sees it and names it; none if nobody has.
  /// Throws Error(kTransaction, 40001) when another transaction decides that: it has written such a key.
  /// Does not note the read.
  std::optional<RowNumber> FindKey(const TableWrite& write, const TableIndex& index, KeyBytes key) const;

  /// The indexes that are maintained now.
  TableIndexList Indexes() const;
  /// The indexes that have all rows that `transaction` sees: one that was made later does not know the rows
  /// as they were.
  SeenIndexes IndexesSeenBy(const Transaction& transaction) const;
  /// The transaction's number in IndexValue; none while it has changed nothing of the table.
  std::optional<uint32_t> WriterOf(const Transaction& transaction) const;
  /// Tells who has a key of a unique index, as `transaction` reads with the rows that it has inserted so far.
  KeyHolderTest HoldersSeenBy(const Transaction& transaction, const TableIndex& index) const;
  /// Makes an index over all rows. Until the transaction ends nobody else may write to the table; throws
  /// Error(kTransaction, 40001) if somebody does. What was committed since the transaction began is for the
  /// caller to find out, by a read that is validated. Throws Error(kConstraint, 23505) if it cannot be
  /// unique.
  TableIndexRef CreateIndex(const TableWrite& write, IndexDefinition definition);
  /// One of the checkpoint that Load was given.
  TableIndexRef LoadIndex(IndexDefinition definition, IndexPlace place);
  /// In the way of CreateIndex.
  void DropIndex(const TableWrite& write, const TableIndexRef& index);

  /// For a constraint that statements check as they find it in the catalog: until the transaction ends nobody
  /// else may write to the table, and afterwards nobody who began before. Throws Error(kTransaction, 40001)
  /// if somebody else writes now.
  void BeginRuleChange(const TableWrite& write);

  /// The source of an element table; null for any other. Set before any other thread knows the table.
  const ElementSource* element_source() const { return element_source_ ? &*element_source_ : nullptr; }
  void SetElementSource(ElementSource source) { element_source_ = std::move(source); }
  /// From now on `elements`, whose source this is, has a row for each object in the arrays: what transactions
  /// do to documents they do to its rows, too. In the way of BeginRuleChange.
  void AttachElements(const TableWrite& write, const std::shared_ptr<Table>& elements);
  /// Puts in the elements of documents that the transaction sees. Those committed since it began are for the
  /// caller to find out, as with CreateIndex.
  void FillElements(const TableWrite& write, Table& elements);
  /// For a DROP of `elements`, in the way of AttachElements.
  void DetachElements(const TableWrite& write, const std::shared_ptr<Table>& elements);

  /// Does what the log says, after the kind of the record and the table's id.
  void InsertLogged(Transaction& transaction, ByteReader& reader);
  void DeleteLogged(Transaction& transaction, ByteReader& reader);
  void UpdateLogged(Transaction& transaction, ByteReader& reader);
  void ReadLoggedAttributes(ByteReader& reader) { attribute_log_.ReadLogged(reader); }

  /// Fills an empty table with what a checkpoint says.
  void Load(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowNumber> deleted,
            AttributeStatistics attributes);
  /// Writes the statistics of a collection, of all that was ever committed: for a checkpoint.
  void WriteAttributeStatistics(ByteWriter& writer) const;
  /// Puts the same rows, kept otherwise, in the place of the newest snapshot's, after what `reader` sees of
  /// the rows in `compacted` was put into them: see CompactVersions. No commit may be on its way, and no
  /// other fold. What was compacted is freed by DropCompacted once nobody reads older row groups.
  void ReplaceNewest(std::shared_ptr<const TableSnapshot> snapshot, std::span<const RowRange> compacted,
                     const ReadView& reader, TransactionManager& transactions);
  /// Frees what was compacted, if nobody reads older row groups any more.
  void DropCompacted() noexcept;
  /// Frees what was compacted, and refreshes the sample; in memory, where no checkpoint does it, folds row
  /// groups that have been changed enough to be worth it. Then other commits wait only while the new row
  /// groups take their place.
  void AfterCommit(TransactionManager& transactions) noexcept override;
  /// Compactions row groups that have been changed enough, now. One thread at a time; not for tables in
  /// files.
  void CompactChanges(TransactionManager& transactions);
  /// The number of row groups of a collection in a file that are not stored as the policy wants it.
  size_t CountUnlike(const ShreddingPolicy& policy) const;
  /// Writes one of them anew, to free blocks, and puts it in the place of the old one: readers see the same
  /// rows before, during and after it; commits wait only while the two are exchanged. The next checkpoint
  /// makes it durable. False: there was none. Throws Error(kIo, kOutOfMemory), with nothing changed.
  bool ShredNext(TransactionManager& transactions, const ShreddingPolicy& policy,
                 std::optional<Encoding> forced);
  /// For a DROP, or an ALTER that gives the table another storage: from now on nobody else may change it.
  /// Throws Error(kTransaction, 40001) where another transaction has, or drops it. Goes on after the commit.
  void BeginDrop(const TableWrite& write);
  /// The drop was taken back.
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
  /// The changes of the transaction so far. Throws Error(kTransaction, 40001) if another one drops the table.
  TableChanges& RequireChanges(const TableWrite& write);
  /// Returns the transaction's number.
  uint32_t BeginWriter(const TableWrite& write);
  void EndWriter(const Transaction& transaction) noexcept;
  /// With the lock: throws Error(kTransaction, 40001) if another transaction writes, alters or drops.
  void RequireAlone(const TableWrite& write) const;
  std::shared_ptr<const TableSnapshot> SnapshotAt(Timestamp start) const;
  bool IsCompactionDue() const;
  enum class SampleNeed : uint8_t { kNone, kNewRows, kWhole };
  SampleNeed NeedOfSample(uint64_t share) const noexcept;
  /// Whether the newest snapshot has rows among these, or may get some.
  bool IsInRowGroup(RowNumber begin, RowNumber end) const;
  /// Until the transaction ends nobody else may write.
  void BeginAlter(const TableWrite& write);
  WriteUndo& BeginWrite(const TableWrite& write);

  /// Takes a statement's changes to the census of attributes into those of its transaction.
  void AddAttributeChanges(const TableWrite& write, TableChanges& changes, const AttributeDelta& delta) const;

  // Indexes: table_indexes.cpp.
  void AddInsertedKeys(const TableWrite& write,
                       const std::vector<std::shared_ptr<const RowGroup>>& row_groups, RowNumber first_row,
                       IndexEdits& edits);
  void NoteDeletedKeys(const TableWrite& write, std::span<const RowNumber> rows, IndexEdits& edits);
  /// The keys of rows before and after an update, in those indexes that it concerns.
  std::vector<KeyChange> ReadKeyChanges(const TableWrite& write, std::span<const RowNumber> rows,
                                        std::span<const size_t> columns, DataChunk& values) const;
  void ChangeKeys(const TableWrite& write, std::span<const RowNumber> rows,
                  const std::vector<KeyChange>& changes, IndexEdits& edits);
  void BuildIndex(const TableWrite& write, const TableIndexRef& index, IndexEdits& edits);

  // Element tables: element_tables.cpp.
  /// The element tables that the transaction has to maintain.
  std::vector<std::shared_ptr<Table>> ElementTables(const Transaction& transaction) const;
  void AddElements(const TableWrite& write, const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                   RowNumber first_row);
  void DeleteElements(const TableWrite& write, std::span<const RowNumber> rows);
  /// After an update of the records of documents.
  void ChangeElements(const TableWrite& write, std::span<const RowNumber> rows, const Vector& old_records,
                      const Vector& new_records);
  /// Deletes the rows of an element table that are of these documents, whose numbers ascend.
  void DeleteElementsOf(const TableWrite& write, std::span<const RowNumber> documents);
  /// Gives documents of the transaction the numbers that they get with its commit, in rows of an element
  /// table that are to be committed. REQUIRES: the collection's changes are prepared.
  void NumberDocuments(const Transaction& transaction, TableChanges& changes,
                       std::vector<std::shared_ptr<const RowGroup>>& rows) const;

  /// Calls change(block, writer, first_row) for the versions of row `row`, with their lock.
  template <typename Change>
  void ChangeBlock(const TableWrite& write, WriteUndo& undo, RowNumber row, Change&& change);
  /// Makes the snapshot that a commit will publish, on top of those prepared before. May throw.
  /// Returns the number of the first inserted row.
  RowNumber PreparePublish(const TableChanges& changes,
                           const std::vector<std::shared_ptr<const RowGroup>>& inserted);
  /// The census of attributes of the newest prepared snapshot.
  std::shared_ptr<const AttributeCensus> PreparedAttributes() const;
  /// Takes back the newest prepared snapshot.
  void CancelPublish() noexcept;
  /// Publishes the oldest prepared snapshot.
  void Publish(Timestamp commit_timestamp) noexcept;
  /// Drops versions that no transaction sees. True if only the newest is left.
  bool Prune(Timestamp oldest_start) noexcept;
  /// The log may only change rows that there are.
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
  std::list<Version> snapshots_;  // Ascending; never empty.
  std::list<Version> prepared_;   // Of commits on their way; moves to the other list without allocating.
  // Of a collection, of all that commits ever wrote, those on their way among them. As they only widen, they
  // hold for all snapshots: a copy for each would cost more than most commits.
  AttributeStatistics attribute_statistics_;
  // Transactions that have changed something and have not ended, and their numbers.
  std::map<Timestamp, uint32_t> writers_;
  TableIndexList indexes_;
  std::optional<ElementSource> element_source_;
  std::vector<std::shared_ptr<Table>> element_tables_;  // Those with elements of this collection's arrays.
  Timestamp rules_since_ = 0;                           // Who began before does not know all constraints.
  Timestamp altered_by_ = 0;                            // The transaction that alone may write; 0: none.
  Timestamp dropped_by_ = 0;  // The transaction that drops, or dropped, the table; 0: none.
  // Folding: in table_compaction.cpp.
  std::atomic<uint64_t> uncompacted_changes_{
      0};                                   // Rows that commits changed since a fold was last considered.
  std::atomic<bool> is_compacting_{false};  // Somebody is in CompactChanges.
  std::mutex compaction_mutex_;             // Held by who marks what was compacted, or drops it.
  std::atomic<uint64_t> compaction_count_{0};
  std::atomic<uint64_t> ended_compaction_{0};    // Up to this one nobody reads row groups of before.
  std::atomic<uint64_t> dropped_compaction_{0};  // Up to this one what was compacted is freed.
  // The sample: in table_sampling.cpp.
  mutable std::mutex sample_mutex_;
  std::shared_ptr<const TableSample> sample_;
  std::atomic<uint64_t> sample_changes_{0};      // Rows that commits changed since a whole sample was picked.
  std::atomic<uint64_t> sample_count_{0};        // So that each has other rows.
  std::atomic<RowNumber> sample_not_before_{0};  // After a failure: not again before there are such rows.
  std::atomic<bool> is_sampling_{false};         // Somebody is in RefreshSample.
};

}  // namespace scaup
