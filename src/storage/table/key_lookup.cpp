// Tests whether a commit hits keys that were looked up.
#include "storage/table/key_lookup.hpp"

#include <algorithm>
#include <iterator>

#include "storage/table/table_changes.hpp"
#include "storage/table_index/key_search.hpp"

namespace scaup {

namespace {

/// The predicate records at most this many keys; beyond that, it only notes that there were many.
constexpr size_t kMostKeys = size_t{1} << 16;

}  // namespace

KeyLookupPredicate::KeyLookupPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                       const TableColumns& table_columns, TableIndexRef index,
                                       size_t key_count, const TableScanSpecification& scan)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      key_count_(key_count),
      columns_(table_columns.SourcesOfAll(scan.columns, scan.predicate.filters)),
      keys_(std::make_unique<IndexEntryList>(std::move(index), table_->memory())) {
  const auto& indexed = keys_->index()->columns();
  columns_.insert(columns_.end(), indexed.begin(), indexed.begin() + static_cast<ptrdiff_t>(key_count));
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

KeyLookupPredicate::~KeyLookupPredicate() = default;

void KeyLookupPredicate::Add(KeyBytes key) {
  const MutexLock lock(mutex_);
  if (is_all_) return;
  // Inputs often have equal keys in a row.
  if (const size_t count = keys_->size(); count != 0) {
    const KeyBytes last = keys_->key(count - 1);
    if (std::equal(last.begin(), last.end(), key.begin(), key.end())) return;
  }
  search_.reset();
  if (keys_->size() < kMostKeys) return keys_->Add(key, 0);
  is_all_ = true;
  keys_ = std::make_unique<IndexEntryList>(keys_->index(), table_->memory());
}

bool KeyLookupPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  if (&changes.table() != table_.get()) return false;
  // Updates matter only if they changed a column that was read.
  std::vector<size_t> common;
  std::set_intersection(columns_.begin(), columns_.end(), changes.columns.begin(), changes.columns.end(),
                        std::back_inserter(common));
  const MutexLock lock(mutex_);
  if (is_all_) return !changes.inserted.empty() || !changes.deleted.empty() || !common.empty();
  if (keys_->size() == 0) return false;
  if (!search_) {
    search_ =
        std::make_unique<KeySearch>(table_->types(), *keys_, 0, keys_->size(), key_count_, table_->memory());
  }
  const bool is_inserted = std::any_of(
      changes.inserted.begin(), changes.inserted.end(),
      [&](const auto& row_group) SCAUP_REQUIRES_LOCK(mutex_) { return search_->HasAny(*row_group); });
  // Inserted rows are tested by their values, changed rows by their values before and after the commit.
  const TableView before = table_->View(changes.Before());
  const auto has_any = [&](const TableView& view, const RowRanges& rows) {
    return rows.AnyBatch([&](const auto& batch)
                             SCAUP_REQUIRES_LOCK(mutex_) { return search_->HasAny(view, batch); });
  };
  if (is_inserted || has_any(before, changes.deleted)) return true;
  if (common.empty()) return false;
  return has_any(table_->View(changes.After()), changes.updated) || has_any(before, changes.updated);
}

}  // namespace scaup
