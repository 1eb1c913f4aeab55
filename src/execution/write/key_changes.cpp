// Key changes: what a statement has done to keys.
#include "execution/write/key_changes.hpp"
#include "catalog/catalog_dependencies.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

void KeyChanges::AddWritten(QueryContext& context, const TableEntryRef& table, size_t foreign_key,
                            DataChunk& keys) {
  MutexLock lock(mutex_);
  auto place = std::find_if(written_.begin(), written_.end(), [&](const auto& written) {
    return written->table == table && written->foreign_key == foreign_key;
  });
  if (place == written_.end()) {
    auto rows = std::make_unique<SpillableRows>(context, keys.types());
    written_.push_back(std::make_unique<Written>(Written{table, foreign_key, std::move(rows)}));
    place = written_.end() - 1;
  }
  (*place)->keys->Append(keys);
}

void KeyChanges::AddRemoved(QueryContext& context, const ForeignKeyReference& reference, bool is_update,
                            DataChunk& keys) {
  MutexLock lock(mutex_);
  auto place = std::find_if(removed_.begin(), removed_.end(), [&](const auto& removed) {
    return removed->reference.from == reference.from &&
           removed->reference.foreign_key == reference.foreign_key && removed->is_update == is_update;
  });
  if (place == removed_.end()) {
    auto rows = std::make_unique<SpillableRows>(context, keys.types());
    removed_.push_back(std::make_unique<Removed>(Removed{reference, is_update, std::move(rows)}));
    place = removed_.end() - 1;
  }
  (*place)->keys->Append(keys);
}

bool KeyChanges::empty() const {
  MutexLock lock(mutex_);
  return written_.empty() && removed_.empty() && tables_.empty();
}

void KeyChanges::AddTable(const TableEntryRef& table) {
  MutexLock lock(mutex_);
  if (std::find(tables_.begin(), tables_.end(), table) == tables_.end()) tables_.push_back(table);
}

std::vector<TableEntryRef> KeyChanges::TakeTables() {
  MutexLock lock(mutex_);
  return std::exchange(tables_, {});
}

std::vector<std::unique_ptr<KeyChanges::Written>> KeyChanges::TakeWritten() {
  MutexLock lock(mutex_);
  for (const auto& written : written_) written->keys->Finish();
  return std::exchange(written_, {});
}

std::vector<std::unique_ptr<KeyChanges::Removed>> KeyChanges::TakeRemoved() {
  MutexLock lock(mutex_);
  for (const auto& removed : removed_) removed->keys->Finish();
  return std::exchange(removed_, {});
}

}  // namespace scaup
