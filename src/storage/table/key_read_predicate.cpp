// Tests whether a commit hits keys that were found free.
#include "storage/table/key_read_predicate.hpp"

#include <algorithm>

#include "storage/table/table_changes.hpp"
#include "storage/table_index/key_search.hpp"

namespace scaup {

KeyReadPredicate::KeyReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                   std::shared_ptr<const KeyReads> reads)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      reads_(std::move(reads)) {}

bool KeyReadPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  if (&changes.table() != table_.get()) return false;
  const TableView before = table_->View(changes.Before()), after = table_->View(changes.After());
  const auto has_any = [](KeySearch& search, const TableView& view, const RowRanges& rows) {
    return rows.AnyBatch([&](const std::vector<RowNumber>& batch) { return search.HasAny(view, batch); });
  };
  const auto is_hit = [&](KeySearch& search, const TableIndex& index) {
    const bool is_inserted = std::any_of(changes.inserted.begin(), changes.inserted.end(),
                                         [&](const auto& row_group) { return search.HasAny(*row_group); });
    if (is_inserted || has_any(search, before, changes.deleted)) return true;
    // An update that leaves the index's columns alone keeps all keys.
    if (!index.IsOver(changes.columns)) return false;
    return has_any(search, after, changes.updated) || has_any(search, before, changes.updated);
  };
  for (const IndexEntryList* keys = reads_->first(); keys != nullptr; keys = keys->next.get()) {
    const TableIndex& index = *keys->index();
    for (size_t begin = 0, end = 0; begin < keys->size(); begin = end) {
      end = keys->PageEnd(begin);
      KeySearch search(table_->types(), *keys, begin, end, index.columns().size(), table_->memory());
      if (is_hit(search, index)) return true;
    }
  }
  return false;
}

}  // namespace scaup
