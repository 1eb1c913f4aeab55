// Index entries of pending changes: numbered at the commit, erased at a rollback or when no longer needed.
#include "storage/table_index/index_edits.hpp"

#include <algorithm>

#include "storage/index/ordered_index.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table_index/key_reads.hpp"

namespace scaup {

namespace {

/// Does the work of EraseUnneeded for the words of a row in a text index, visiting each version of the row
/// once.
void EraseUnneededWords(const IndexEntryList& list, size_t begin, size_t end, RowNumber row,
                        const VersionBlock& block, Timestamp settled) SCAUP_REQUIRES_LOCK(block.mutex) {
  const TableIndex& index = *list.index();
  std::vector<IndexKey> needed;
  const auto note = [&](size_t, const ValueList& values, size_t i) {
    index.AppendKeys(values, i, needed);
    return false;
  };
  // If a version is unknown here because it equals the row group's, its words are unknown, too; then all
  // entries stay.
  if (block.AnyVersion(static_cast<sel_t>(row % kVectorSize), index.columns(), settled, note)) return;
  std::sort(needed.begin(), needed.end());
  for (size_t i = begin; i < end; i++) {
    const KeyBytes key = list.key(i);
    const bool is_needed = std::binary_search(needed.begin(), needed.end(), key,
                                              [](KeyBytes a, KeyBytes b) { return KeyIsLess(a, b); });
    if (!is_needed) index.tree().Erase(key, row);
  }
}

/// Erases entries [begin, end) of a list, which belong to one row with a number. An entry stays if some
/// version of the row that is visible to transactions with a start of `settled` or later has its key.
/// It holds the lock of the row's versions. A writer that gives the row such a key again changes the row
/// first, under this lock, and then inserts the entry if it is missing; so the entry is not lost.
void EraseUnneeded(const IndexEntryList& list, size_t begin, size_t end, RowNumber row,
                   const TableVersions& versions, Timestamp settled) noexcept {
  try {
    const TableIndex& index = *list.index();
    const auto block = versions.Find(row);
    if (!block) return;
    MutexLock lock(block->mutex);
    if (index.is_text()) return EraseUnneededWords(list, begin, end, row, *block, settled);
    for (size_t k = begin; k < end; k++) {
      const auto has_value = [&](size_t place, const ValueList& values, size_t i) {
        return index.HasValue(list.key(k), place, values, i);
      };
      const auto in_block = static_cast<sel_t>(row % kVectorSize);
      if (!block->AnyVersion(in_block, index.columns(), settled, has_value))
        index.tree().Erase(list.key(k), row);
    }
  } catch (const std::exception&) {
    // Without memory, or if a part cannot be read, the entry stays. Readers that find it see that the row
    // does not have the key.
  }
}

/// Erases an entry that is in memory. That holds for all entries without a number, and for those inserted
/// just now.
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
  // The reservation comes before any growth, so a failure leaves the list unchanged.
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
  // The list comes first: once the entry is in the tree, noting it must not fail.
  IndexEntryList& list = Added(index, memory);
  list.Add(key, value);
  bool is_new = false;
  try {
    is_new = index->tree().Insert(key, value, present);
  } catch (...) {
    list.RemoveLast();
    throw;
  }
  // The entry of a local row belongs to the statement that inserted it first. The entry of a numbered row may
  // be about to be erased by its former owner; so it is noted here even if it existed, and this statement's
  // rollback tests whether it is needed.
  if (!is_new && IndexValue::IsLocal(value)) list.RemoveLast();
}

void IndexEdits::NumberRows(const InsertedRows& inserted, RowNumber first_row) {
  const std::vector<RowNumber>& deleted = inserted.deleted;
  // Numbers are consecutive, without rows that were deleted again.
  const auto number_of = [&](RowNumber local_row) {
    const auto gone = std::lower_bound(deleted.begin(), deleted.end(), local_row) - deleted.begin();
    return first_row + (local_row - kFirstLocalRow) - static_cast<RowNumber>(gone);
  };
  for (const auto& list : added_) {
    const TableIndex& index = *list->index();
    RowFetcher fetcher(inserted.view, inserted.columns, index.columns(), KernelsOf(BestKernelLevel()));
    RowKeys keys(inserted.memory);
    DataChunk columns(index.row_types());
    std::vector<RowNumber> rows;
    for (size_t begin = 0; begin < list->size();) {
      rows.clear();
      // The entries of a row are adjacent.
      size_t end = begin;
      for (; end < list->size() && IndexValue::IsLocal(list->value(end)); end++) {
        const RowNumber row = IndexValue::LocalRowOf(list->value(end));
        if (!rows.empty() && rows.back() == row) continue;
        if (rows.size() == kVectorSize) break;
        rows.push_back(row);
      }
      if (rows.empty()) {
        begin++;
        continue;
      }
      // Without updates and deletions, every entry is current and no row needs to be read.
      if (inserted.were_changed) {
        fetcher.Fetch(rows, columns);
        index.EncodeRows(columns, rows.size(), keys);
      }
      for (size_t at = begin, i = 0; at < end; at++) {
        const KeyBytes key = list->key(at);
        const RowNumber row = IndexValue::LocalRowOf(list->value(at));
        if (row != rows[i]) i++;
        const bool is_current =
            !inserted.were_changed ||
            (!std::binary_search(deleted.begin(), deleted.end(), row) && keys.Has(i, key));
        if (is_current) {
          // Replaces in place, which needs no memory: a commit must not fail here.
          index.tree().Replace(key, list->value(at), number_of(row));
          list->SetValue(at, number_of(row) | kNumbered);
        } else {
          index.tree().Erase(key, list->value(at));
          list->SetValue(at, kErased);
        }
      }
      begin = end;
    }
  }
}

void IndexEdits::TakeBack(const TableVersions& versions, KeyReads* reads) noexcept {
  // Newest first within each list, like every rollback.
  for (const auto& list : added_) {
    for (size_t i = list->size(); i-- > 0;) {
      const uint64_t value = list->value(i);
      if (value == kErased) continue;
      if (IndexValue::IsLocal(value) || (value & kNumbered) != 0) {
        EraseNew(*list->index(), list->key(i), IndexValue::IsLocal(value) ? value : value & ~kNumbered);
        continue;
      }
      const size_t end = i + 1;
      while (i > 0 && list->value(i - 1) == value) i--;
      EraseUnneeded(*list, i, end, value, versions, 0);
    }
  }
  // Keys of unique indexes become reads; see KeyReads.
  for (auto& list : added_) {
    if (reads != nullptr && list->index()->is_unique()) reads->Add(std::move(list));
  }
  added_.clear();
  removed_.clear();
}

void IndexEdits::CleanUp(const TableVersions& versions, Timestamp oldest_start) noexcept {
  for (const auto& list : removed_) {
    for (size_t begin = 0, end = 0; begin < list->size(); begin = end) {
      while (end < list->size() && list->value(end) == list->value(begin)) end++;
      EraseUnneeded(*list, begin, end, list->value(begin), versions, oldest_start);
    }
  }
  removed_.clear();
}

}  // namespace scaup
