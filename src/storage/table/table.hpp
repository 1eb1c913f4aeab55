// Table: the data of a table as row groups that are versioned by commit, plus the versions of its rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "storage/buffer/block_store.hpp"
#include "storage/snapshot/table_layout.hpp"
#include "storage/table/element_tables.hpp"
#include "storage/table/snapshot_history.hpp"

namespace scaup {

class AttributeStatistics;
class MaintainedIndexes;
class TableColumns;
class TableCompactor;
class TableDocuments;
class TableLocks;
class TableSampler;

/// The rows of one table. Thread-safe. Shared by catalog entries and running statements.
///
/// Each commit that changes something makes a new snapshot; old snapshots go when no transaction can see them
/// any more. Inserted rows belong to their transaction until it commits, and get their numbers then. Updates
/// and deletions are made in place at once (`versions`), where only their transaction sees them.
///
/// A transaction may be any member of its family: the table finds the one of its database. So what reads and
/// writes tables need not know that there are several databases.
///
/// Its parts have their own mutexes and call each other through the table: snapshots, locks, indexes,
/// sampler, compactor, and documents if it is a collection.
class Table final : public CommitFollower, public DatabaseObject, public std::enable_shared_from_this<Table> {
 public:
  /// `store` is the file with the rows; null for a table in memory. The log identifies the table by `id`.
  /// `attributes` is the dictionary of a collection, whose first column holds document records; null for
  /// other tables.
  Table(std::vector<LogicalType> types, MemoryTracker& memory, uint64_t id = 0,
        std::shared_ptr<BlockStore> store = nullptr,
        std::shared_ptr<AttributeDictionary> attributes = nullptr);
  ~Table() override;

  uint64_t id() const { return id_; }
  const std::vector<LogicalType>& types() const { return types_; }
  /// Returns the file with the rows; null for a table in memory.
  const std::shared_ptr<BlockStore>& store() const { return store_; }
  MemoryTracker& memory() const { return memory_; }
  const std::shared_ptr<TableVersions>& versions() const { return versions_; }
  /// Returns the dictionary of a collection; null for other tables.
  const std::shared_ptr<AttributeDictionary>& attributes() const { return attributes_; }
  TableLayout layout(const ShreddingPolicy& policy = {}) const { return {types_, attributes_.get(), policy}; }

  // The parts, each of which is thread-safe.
  SnapshotHistory& snapshots() const { return *snapshots_; }
  TableLocks& locks() const { return *locks_; }
  MaintainedIndexes& indexes() const { return *indexes_; }
  TableSampler& sampler() const { return *sampler_; }
  TableCompactor& compactor() const { return *compactor_; }
  /// Returns the documents of a collection; null for other tables.
  TableDocuments* documents() const { return documents_.get(); }
  /// Returns the source of an element table; null for any other. Set before any other thread knows the table.
  const ElementSource* element_source() const { return element_source_ ? &*element_source_ : nullptr; }
  void SetElementSource(ElementSource source) { element_source_ = std::move(source); }

  /// Returns the view of `transaction`, including its own changes, without logging a read. For TableReader,
  /// for rows that the transaction has read already, and for checks of the database itself; lint knows the
  /// callers.
  TableView UnloggedView(const Transaction& transaction) const;
  /// Returns the view of committed rows that `reader` sees, without the changes of any transaction in
  /// progress.
  TableView View(const ReadView& reader) const;
  /// Returns statistics of everything that `transaction` sees, first for the stored columns of `columns`,
  /// then for projections. Bounds hold; counts are estimates.
  std::shared_ptr<const std::vector<ColumnStatistics>> Statistics(const Transaction& transaction,
                                                                  const TableColumns& columns) const;

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
  /// a statement, so uniqueness is tested at the statement's end only: MaintainedIndexes::CheckKeys must
  /// follow.
  void Update(const TableWrite& write, std::span<const RowNumber> rows, std::span<const size_t> columns,
              DataChunk& values);

  /// Frees compacted versions and refreshes the sample. A table in memory, which has no checkpoints, also
  /// compacts row groups that have changed enough.
  void AfterCommit(TransactionManager& transactions) noexcept override;

 private:
  /// Returns the changes of the transaction so far. Throws Error(kTransaction, 40001) if another one drops
  /// the table.
  TableChanges& RequireChanges(const TableWrite& write);

  std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  uint64_t id_;
  std::shared_ptr<BlockStore> store_;
  std::shared_ptr<AttributeDictionary> attributes_;
  std::shared_ptr<TableVersions> versions_;
  std::unique_ptr<TableDocuments> documents_;  // null if the table is not a collection
  std::optional<ElementSource> element_source_;
  std::unique_ptr<SnapshotHistory> snapshots_;
  std::shared_ptr<TableLocks> locks_;
  std::unique_ptr<MaintainedIndexes> indexes_;
  std::unique_ptr<TableSampler> sampler_;
  std::unique_ptr<TableCompactor> compactor_;
};

}  // namespace scaup
