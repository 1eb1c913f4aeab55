// Entries on their way: numbered at the commit, erased at a rollback or when nobody needs them.
#include "storage/table/index_edits.hpp"

#include <algorithm>

#include "storage/table/key_reads.hpp"
#include "storage/table/row_fetcher.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

/// Erases an entry of a row that has a number, unless some version of the row has the key that somebody may
/// see who began before `settled`. With the lock of the row's versions: who gives the row this key again
/// changes the row first, and then looks whether the entry is there.
void EraseUnneeded(const TableIndex& index, const TableVersions& versions, KeyBytes key, RowNumber row,
                   Timestamp settled) noexcept {
  try {
    const auto block = versions.Find(row);
    if (!block) return;
    std::lock_guard lock(block->mutex);
    const auto has_value = [&](size_t place, const ValueList& values, size_t i) {
      return index.HasValue(key, place, values, i);
    };
    const auto in_block = static_cast<sel_t>(row % kVectorSize);
    if (!block->AnyVersion(in_block, index.columns(), settled, has_value)) index.tree().Erase(key, row);
  } catch (const std::exception&) {
    // No memory, or the part cannot be read: the entry stays, and whoever finds it sees that the row does not
    // have the key.
  }
}

/// Of an entry that is in memory, as all those are that have no number or were put in just now.
void EraseNew(const TableIndex& index, KeyBytes key, uint64_t value) noexcept {
  try {
    index.tree().Erase(key, value);
  } catch (const std::exception&) {
  }
}

}  // namespace

void IndexEntryList::Add(KeyBytes key, uint64_t value) {
  const auto grown = [](auto& vector, size_t more) {
    const size_t wanted = vector.size() + more;
    return wanted <= vector.capacity() ? vector.capacity() : std::max(wanted, 2 * vector.size());
  };
  const size_t bytes = grown(bytes_, key.size()), ends = grown(ends_, 1), values = grown(values_, 1);
  const size_t size_bytes = bytes + ends * sizeof(size_t) + values * sizeof(uint64_t);
  if (size_bytes > reservation_.size_bytes()) {
    reservation_.Resize(size_bytes);
    bytes_.reserve(bytes);
    ends_.reserve(ends);
    values_.reserve(values);
  }
  bytes_.insert(bytes_.end(), key.begin(), key.end());
  ends_.push_back(bytes_.size());
  values_.push_back(value);
}

void IndexEntryList::RemoveLast() noexcept {
  ends_.pop_back();
  values_.pop_back();
  bytes_.resize(ends_.empty() ? 0 : ends_.back());
}

IndexEntryList& IndexEdits::ListOf(Lists& lists, const TableIndexRef& index, MemoryTracker& memory) {
  for (const auto& list : lists) {
    if (list->index() == index) return *list;
  }
  lists.push_back(std::make_unique<IndexEntryList>(index, memory));
  return *lists.back();
}

void IndexEdits::Insert(const TableIndexRef& index, KeyBytes key, uint64_t value, MemoryTracker& memory,
                        std::vector<uint64_t>* present) {
  IndexEntryList& list = Added(index, memory);
  list.Add(key, value);
  bool is_new = false;
  try {
    is_new = index->tree().Insert(key, value, present);
  } catch (...) {
    list.RemoveLast();
    throw;
  }
  // The entry of a local row belongs to the statement that made it first. That of a row with a number may be
  // about to be erased by who had it before; then it is erased after this change is taken back, or stays.
  if (!is_new && IndexValue::IsLocal(value)) list.RemoveLast();
}

void IndexEdits::NumberRows(const TableChanges& changes, const Table& table, const Transaction& transaction,
                            const std::vector<RowNumber>& deleted, RowNumber first_row) {
  const auto number_of = [&](RowNumber local_row) {
    const auto gone = std::lower_bound(deleted.begin(), deleted.end(), local_row) - deleted.begin();
    return first_row + (local_row - kFirstLocalRow) - static_cast<RowNumber>(gone);
  };
  const bool has_changed_rows = changes.local_versions->has_blocks();
  for (const auto& list : added_) {
    const TableIndex& index = *list->index();
    RowFetcher fetcher(table.View(transaction), table.types(), index.columns(), KernelsOf(BestKernelLevel()));
    IndexKeys keys(table.memory());
    DataChunk columns(index.key_types());
    std::vector<RowNumber> rows;
    for (size_t begin = 0; begin < list->size();) {
      rows.clear();
      size_t end = begin;
      for (; end < list->size() && rows.size() < kVectorSize; end++) {
        if (!IndexValue::IsLocal(list->value(end))) break;
        rows.push_back(IndexValue::LocalRowOf(list->value(end)));
      }
      if (rows.empty()) {
        begin++;
        continue;
      }
      if (has_changed_rows) {
        fetcher.Fetch(rows, columns);
        index.encoder().Encode(columns, rows.size(), keys);
      }
      for (size_t i = 0; i < rows.size(); i++) {
        const KeyBytes key = list->key(begin + i);
        const bool is_current =
            !has_changed_rows || (!std::binary_search(deleted.begin(), deleted.end(), rows[i]) &&
                                  std::equal(key.begin(), key.end(), keys[i].begin(), keys[i].end()));
        if (is_current) {
          index.tree().Replace(key, list->value(begin + i), number_of(rows[i]));
          list->SetValue(begin + i, number_of(rows[i]) | kNumbered);
        } else {
          index.tree().Erase(key, list->value(begin + i));
          list->SetValue(begin + i, kErased);
        }
      }
      begin = end;
    }
  }
}

void IndexEdits::TakeBack(const TableVersions& versions, KeyReads* reads) noexcept {
  for (const auto& list : added_) {
    for (size_t i = list->size(); i-- > 0;) {
      const uint64_t value = list->value(i);
      if (value == kErased) continue;
      if (IndexValue::IsLocal(value) || (value & kNumbered) != 0) {
        EraseNew(*list->index(), list->key(i), IndexValue::IsLocal(value) ? value : value & ~kNumbered);
      } else {
        EraseUnneeded(*list->index(), versions, list->key(i), value, 0);
      }
    }
  }
  for (auto& list : added_) {
    if (reads != nullptr && list->index()->is_unique()) reads->Add(std::move(list));
  }
  added_.clear();
  removed_.clear();
}

void IndexEdits::CleanUp(const TableVersions& versions, Timestamp oldest_start) noexcept {
  for (const auto& list : removed_) {
    for (size_t i = 0; i < list->size(); i++)
      EraseUnneeded(*list->index(), versions, list->key(i), list->value(i), oldest_start);
  }
  removed_.clear();
}

}  // namespace scaup
