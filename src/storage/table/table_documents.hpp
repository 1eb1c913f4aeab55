// TableDocuments: what a collection has beyond the rows of a table.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/lock/mutex.hpp"
#include "document/visible_attributes.hpp"
#include "storage/shredded/attribute_delta.hpp"
#include "storage/table/element_tables.hpp"
#include "storage/wal/attribute_log.hpp"

namespace scaup {

class TableColumns;

/// The documents of a collection: the dictionary of their attributes, statistics of these, their log, and the
/// element tables. Thread-safe. Owned by the table that holds the records.
class TableDocuments {
 public:
  TableDocuments(Table& collection, std::shared_ptr<AttributeDictionary> dictionary)
      : collection_(collection),
        dictionary_(std::move(dictionary)),
        log_(dictionary_),
        elements_(collection) {}

  /// Gives checkpoints access to the log of attributes. Use it between commits only.
  AttributeLog& log() { return log_; }
  ElementTables& elements() { return elements_; }

  /// Returns the attributes of the documents that `transaction` sees. Valid as long as the transaction.
  VisibleAttributes SeenBy(const Transaction& transaction) const;
  /// Returns the statistics of the attributes. They may cover later commits as well.
  AttributeStatistics Statistics(const Transaction& transaction) const;
  /// Appends the statistics of the projections among `columns`, from position `first` on. `changes` are the
  /// transaction's; null if it has none.
  void AddStatistics(const TableColumns& columns, size_t first, const TableChanges* changes,
                     std::vector<ColumnStatistics>& statistics) const;
  /// Widens the statistics by the documents of a commit, before any transaction can see these. If the commit
  /// fails, they stay wider than necessary.
  void Widen(const AttributeStatistics& written);
  /// Sets the statistics of a checkpoint.
  void Load(AttributeStatistics statistics);
  /// Writes the statistics, over everything that was ever committed, for a checkpoint.
  void WriteStatistics(ByteWriter& writer) const;

  // Deltas of writes: by how much each changes the counts of attributes. `statistics` covers the inserted
  // documents.
  AttributeDelta DeltaOfInsert(const Transaction& transaction,
                               const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                               const AttributeStatistics& statistics) const;
  AttributeDelta DeltaOfDelete(const Transaction& transaction, std::span<const RowNumber> rows) const;
  AttributeDelta DeltaOfUpdate(Vector& old_records, Vector& new_records, size_t count) const;
  /// Adds a statement's change of the attribute census to the transaction's.
  void AddDelta(const Transaction& transaction, TableChanges& changes, const AttributeDelta& delta) const;

 private:
  Table& collection_;  // owns this
  std::shared_ptr<AttributeDictionary> dictionary_;
  AttributeLog log_;
  ElementTables elements_;
  mutable Mutex mutex_;
  // Statistics over everything that commits ever wrote, commits in progress included. They only widen, so
  // they hold for all snapshots. A copy for each snapshot would cost more than most commits.
  AttributeStatistics statistics_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
