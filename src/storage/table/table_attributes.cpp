// Table: the attributes of a collection's documents, and their statistics.
#include "document/visible_attributes.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

VisibleAttributes Table::AttributesSeenBy(const Transaction& transaction) const {
  const auto* changes = static_cast<const TableChanges*>(transaction.FindLocal(this));
  return {attributes_, Snapshot(transaction)->attributes,
          changes == nullptr ? nullptr : &changes->attribute_changes};
}

void Table::AddAttributeChanges(const TableWrite& write, TableChanges& changes,
                                const AttributeDelta& delta) const {
  changes.attribute_changes.Add(delta, *Snapshot(write.transaction)->attributes, *attributes_);
}

std::shared_ptr<const AttributeCensus> Table::PreparedAttributes() const {
  std::lock_guard lock(mutex_);
  return prepared_.back().snapshot->attributes;
}

void Table::WriteAttributeStatistics(ByteWriter& writer) const {
  std::lock_guard lock(mutex_);
  attribute_statistics_.Write(*attributes_, writer);
}

AttributeStatistics Table::StatisticsOfAttributes(const Transaction& transaction) const {
  AttributeStatistics merged;
  const auto* changes = static_cast<const TableChanges*>(transaction.FindLocal(this));
  if (changes != nullptr) merged.Merge(changes->attributes, *attributes_);
  // Merged under the lock, since commits widen them.
  std::lock_guard lock(mutex_);
  merged.Merge(attribute_statistics_, *attributes_);
  return merged;
}

}  // namespace scaup
