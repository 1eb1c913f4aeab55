// ElementTables: the tables whose rows are the objects in arrays of a collection's documents.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/lock/mutex.hpp"
#include "storage/row_group/row_group.hpp"
#include "storage/snapshot/table_snapshot.hpp"
#include "storage/table/table_locks.hpp"
#include "vector/vector.hpp"

namespace scaup {

class Table;
class TableChanges;

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

/// The element tables of one collection, which follow the changes of its documents. Thread-safe. Owned by the
/// collection.
class ElementTables {
 public:
  explicit ElementTables(Table& collection) : collection_(collection) {}

  /// Makes `elements`, whose source is the collection, follow it: it has a row for each object in the arrays,
  /// and changes to documents change its rows. Excludes writers as TableLocks::BeginRuleChange does.
  void Attach(const TableWrite& write, const std::shared_ptr<Table>& elements);
  /// Inserts the elements of the documents that the transaction sees. The caller must detect documents that
  /// were committed since it began, as for MaintainedIndexes::Create.
  void Fill(const TableWrite& write, Table& elements);
  /// Undoes Attach, for a DROP of `elements`, with the same exclusion of writers.
  void Detach(const TableWrite& write, const std::shared_ptr<Table>& elements);

  // The maintenance by writes of the collection.
  void Insert(const TableWrite& write, const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
              RowNumber first_row);
  void Delete(const TableWrite& write, std::span<const RowNumber> rows);
  /// Called after an update of document records.
  void Update(const TableWrite& write, std::span<const RowNumber> rows, const Vector& old_records,
              const Vector& new_records);

 private:
  class ElementsUndo;
  /// Returns the element tables that the transaction must maintain.
  std::vector<std::shared_ptr<Table>> MaintainedBy(const Transaction& transaction) const;
  void Remove(const std::shared_ptr<Table>& elements) noexcept;

  Table& collection_;  // owns this
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<Table>> tables_ SCAUP_GUARDED_BY(mutex_);
};

/// Replaces local document numbers in an element table's rows by those that the documents get with the
/// commit. REQUIRES: the collection's changes are prepared.
void NumberDocuments(const Table& elements, const Transaction& transaction, TableChanges& changes,
                     std::vector<std::shared_ptr<const RowGroup>>& rows);

}  // namespace scaup
