// Precision locking for single rows.
#include "storage/table/row_read.hpp"

#include <algorithm>

#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

/// Returns whether two ascending lists have a common element.
template <typename T>
bool HaveCommon(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? i++ : j++;
  }
  return false;
}

}  // namespace

RowReadPredicate::RowReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                   std::vector<RowNumber> rows, std::vector<size_t> columns)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      rows_(std::move(rows)),
      columns_(std::move(columns)) {
  // Other transactions cannot change this transaction's own rows.
  std::erase_if(rows_, IsLocalRow);
  std::sort(rows_.begin(), rows_.end());
  std::sort(columns_.begin(), columns_.end());
}

std::string RowReadPredicate::Describe() const { return "rows of table \"" + table_name_ + "\""; }

bool RowReadPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  if (&changes.table() != table_.get()) return false;
  if (changes.deleted.ContainsAny(rows_)) return true;
  return HaveCommon(columns_, changes.columns) && changes.updated.ContainsAny(rows_);
}

}  // namespace scaup
