// TableDocuments: attributes and their statistics as transactions see and change them.
#include "storage/table/table_documents.hpp"

#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

VisibleAttributes TableDocuments::SeenBy(const Transaction& any) const {
  const Transaction& transaction = any.In(collection_.transactions());
  const TableChanges* changes = ChangesOf(collection_, transaction);
  return {dictionary_, collection_.snapshots().SeenBy(transaction)->attributes,
          changes == nullptr ? nullptr : &changes->attribute_changes};
}

AttributeStatistics TableDocuments::Statistics(const Transaction& any) const {
  const Transaction& transaction = any.In(collection_.transactions());
  AttributeStatistics merged;
  const TableChanges* changes = ChangesOf(collection_, transaction);
  if (changes != nullptr) merged.Merge(changes->attributes, *dictionary_);
  // Merged under the lock, since commits widen them.
  MutexLock lock(mutex_);
  merged.Merge(statistics_, *dictionary_);
  return merged;
}

void TableDocuments::AddStatistics(const TableColumns& columns, size_t first, const TableChanges* changes,
                                   std::vector<ColumnStatistics>& statistics) const {
  std::vector<ProjectionAttributes> projections;
  for (size_t i = first; i < columns.size(); i++) projections.push_back(columns.AttributesOf(i));
  std::vector<const AttributeStatistics*> parts{&statistics_};
  if (changes != nullptr) parts.push_back(&changes->attributes);
  MutexLock lock(mutex_);
  for (size_t i = first; i < columns.size(); i++)
    statistics.push_back(StatisticsOf(columns[i], projections[i - first], parts));
}

void TableDocuments::Widen(const AttributeStatistics& written) {
  MutexLock lock(mutex_);
  statistics_.Merge(written, *dictionary_);
}

void TableDocuments::Load(AttributeStatistics statistics) {
  MutexLock lock(mutex_);
  statistics_ = std::move(statistics);
}

void TableDocuments::WriteStatistics(ByteWriter& writer) const {
  MutexLock lock(mutex_);
  statistics_.Write(*dictionary_, writer);
}

AttributeDelta TableDocuments::DeltaOfInsert(const Transaction& transaction,
                                             const std::vector<std::shared_ptr<const RowGroup>>& row_groups,
                                             const AttributeStatistics& statistics) const {
  // Logged statistics cover the whole transaction, so they are not exact for one statement.
  const bool is_exact = !transaction.is_replay();
  const VisibleAttributes seen = SeenBy(transaction);
  return AttributesOfInserted(row_groups, is_exact ? &statistics : nullptr, dictionary_->attribute_count(),
                              [&](AttributeId id) { return seen.Has(id); });
}

AttributeDelta TableDocuments::DeltaOfDelete(const Transaction& transaction,
                                             std::span<const RowNumber> rows) const {
  return AttributesOfDeleted(collection_.UnloggedView(transaction), rows, dictionary_->attribute_count());
}

AttributeDelta TableDocuments::DeltaOfUpdate(Vector& old_records, Vector& new_records, size_t count) const {
  return AttributesOfChanged(old_records, new_records, count, dictionary_->attribute_count());
}

void TableDocuments::AddDelta(const Transaction& transaction, TableChanges& changes,
                              const AttributeDelta& delta) const {
  changes.attribute_changes.Add(delta, *collection_.snapshots().SeenBy(transaction)->attributes,
                                *dictionary_);
}

}  // namespace scaup
