// Index entries of pending changes: numbered at the commit, erased at a rollback or when no longer needed.
#include "storage/table_index/index_edits.hpp"

#include <algorithm>

#include "common/memory/memory_advance.hpp"
#include "storage/index/entry_sorter.hpp"
#include "storage/index/index_spill.hpp"
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

/// Erases an entry as EraseUnneeded does. REQUIRES: the index is no text index.
void EraseUnneededKey(const TableIndex& index, KeyBytes key, RowNumber row, const VersionBlock& block,
                      Timestamp settled) SCAUP_REQUIRES_LOCK(block.mutex) {
  const auto has_value = [&](size_t place, const ValueList& values, size_t i) {
    return index.HasValue(key, place, values, i);
  };
  if (!block.AnyVersion(static_cast<sel_t>(row % kVectorSize), index.columns(), settled, has_value))
    index.tree().Erase(key, row);
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
    for (size_t k = begin; k < end; k++) EraseUnneededKey(index, list.key(k), row, *block, settled);
  } catch (const std::exception&) {
    // Without memory, or if a part cannot be read, the entry stays. Readers that find it see that the row
    // does not have the key.
  }
}

/// Reading a part back for a rollback may exceed the memory limit: a rollback must not fail, and frees more.
constexpr size_t kRollbackAdvance = SIZE_MAX / 2;

/// Erases the entries of a list from its index, the newest first, like every rollback.
void EraseAdded(const IndexEntryList& list, const TableVersions& versions) {
  for (size_t i = list.size(); i-- > 0;) {
    const uint64_t value = list.value(i);
    if (value == IndexEdits::kErased) continue;
    if (IndexValue::IsLocal(value) || (value & IndexEdits::kNumbered) != 0) {
      list.index()->tree().Erase(list.key(i),
                                 IndexValue::IsLocal(value) ? value : value & ~IndexEdits::kNumbered);
      continue;
    }
    const size_t end = i + 1;
    while (i > 0 && list.value(i - 1) == value) i--;
    EraseUnneeded(list, i, end, value, versions, 0);
  }
}

/// Erases unneeded entries of a list in the order in which they were added, which is that of the rows.
void CleanUpInOrder(const IndexEntryList& list, const TableVersions& versions, Timestamp oldest_start) {
  for (size_t begin = 0, end = 0; begin < list.size(); begin = end) {
    const RowNumber row = list.value(begin);
    while (end < list.size() && list.value(end) == row) end++;
    EraseUnneeded(list, begin, end, row, versions, oldest_start);
  }
}

/// The lists of one index. Used by one thread.
using ListsOfIndex = std::span<const std::unique_ptr<IndexEntryList>>;

/// Whether changes of so many entries may meet more parts of an index than its share of the memory has.
bool MayExceedMemory(ListsOfIndex lists) {
  // The memory of an entry in a tree, roughly.
  constexpr size_t kEntryBytes = 64;
  size_t entry_count = 0;
  for (const auto& list : lists) entry_count += list->size();
  const TableIndex& index = *lists[0]->index();
  // The words of a row are tested together, so a text index is cleaned up row by row.
  return !index.is_text() && index.tree().temporary_storage() != nullptr &&
         entry_count > IndexSpill::MostBytes(lists[0]->memory()) / kEntryBytes;
}

/// Erases unneeded entries of one index in the order of its keys. Throws if it cannot sort or read them.
void CleanUpSorted(ListsOfIndex lists, const TableVersions& versions, Timestamp oldest_start) {
  const TableIndex& index = *lists[0]->index();
  // The transaction has committed, so nothing interrupts this.
  EntrySorter sorter(lists[0]->memory(), index.tree().temporary_storage(), [] {});
  for (const auto& list : lists) {
    for (size_t i = 0; i < list->size(); i++) sorter.Add(list->key(i), list->value(i));
    list->FreeReadPage();
  }
  sorter.BeginReading();
  KeyBytes key;
  uint64_t row = 0;
  while (sorter.Next(key, row)) {
    try {
      const auto block = versions.Find(row);
      if (!block) continue;
      MutexLock lock(block->mutex);
      EraseUnneededKey(index, key, row, *block, oldest_start);
    } catch (const std::exception&) {
      // The entry stays, as in EraseUnneeded.
    }
  }
}

/// The keys that inserted rows have now, for entries of one index. Used by one thread.
class CurrentKeys {
 public:
  CurrentKeys(const InsertedRows& inserted, const TableIndex& index)
      : inserted_(inserted),
        index_(index),
        fetcher_(inserted.view, inserted.columns, index.columns(), KernelsOf(BestKernelLevel())),
        keys_(inserted.memory),
        columns_(index.row_types()) {}
  /// Reads the rows that entries [begin, end) of a list name, which are at most 1024.
  void Fetch(const IndexEntryList& list, size_t begin, size_t end) {
    rows_.clear();
    for (size_t i = begin; i < end; i++) {
      if (IndexValue::IsLocal(list.value(i))) rows_.push_back(IndexValue::LocalRowOf(list.value(i)));
    }
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    if (rows_.empty()) return;
    fetcher_.Fetch(rows_, columns_);
    index_.EncodeRows(columns_, rows_.size(), keys_);
  }
  bool Has(RowNumber row, KeyBytes key) const {
    if (std::binary_search(inserted_.deleted.begin(), inserted_.deleted.end(), row)) return false;
    const auto place = std::lower_bound(rows_.begin(), rows_.end(), row);
    return keys_.Has(static_cast<size_t>(place - rows_.begin()), key);
  }

 private:
  const InsertedRows& inserted_;
  const TableIndex& index_;
  RowFetcher fetcher_;
  RowKeys keys_;
  DataChunk columns_;
  std::vector<RowNumber> rows_;  // ascending
};

}  // namespace

IndexEntryList& IndexEdits::ListOf(Lists& lists, const TableIndexRef& index, MemoryTracker& memory) {
  for (const auto& list : lists) {
    if (list->index() == index) return *list;
  }
  lists.push_back(std::make_unique<IndexEntryList>(index, memory, index->tree().temporary_storage()));
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
  for (const auto& list : added_) {
    if (!list->has_local()) continue;
    NumberRows(*list, inserted, first_row);
    list->FreeReadPage();
  }
}

void IndexEdits::NumberRows(IndexEntryList& list, const InsertedRows& inserted, RowNumber first_row) {
  const std::vector<RowNumber>& deleted = inserted.deleted;
  // Numbers are consecutive, without rows that were deleted again.
  const auto number_of = [&](RowNumber local_row) {
    const auto gone = std::lower_bound(deleted.begin(), deleted.end(), local_row) - deleted.begin();
    return first_row + (local_row - kFirstLocalRow) - static_cast<RowNumber>(gone);
  };
  const TableIndex& index = *list.index();
  CurrentKeys current(inserted, index);
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.size(), begin + kVectorSize);
    // Without updates and deletions, every entry is current and no row needs to be read.
    if (inserted.were_changed) current.Fetch(list, begin, end);
    for (size_t i = begin; i < end; i++) {
      const uint64_t value = list.value(i);
      if (!IndexValue::IsLocal(value)) continue;
      const RowNumber row = IndexValue::LocalRowOf(value);
      const KeyBytes key = list.key(i);
      if (!inserted.were_changed || current.Has(row, key)) {
        // Replaces in place, which needs no more memory than the part has.
        index.tree().Replace(key, value, number_of(row));
        list.SetValue(i, number_of(row) | kNumbered);
      } else {
        index.tree().Erase(key, value);
        list.SetValue(i, kErased);
      }
    }
    begin = end;
  }
}

void IndexEdits::TakeBack(const TableVersions& versions, KeyReads* reads) noexcept {
  for (const auto& list : added_) {
    try {
      const MemoryAdvance advance(list->memory(), kRollbackAdvance);
      EraseAdded(*list, versions);
      list->FreeReadPage();
    } catch (const std::exception&) {
      // Entries that cannot be read back stay. Those with a number name a row that does not have the key;
      // those without one keep others from writing the key until the database is opened again.
    }
  }
  // Keys of unique indexes become reads; see KeyReads.
  for (auto& list : added_) {
    if (reads != nullptr && list->index()->is_unique()) reads->Add(std::move(list));
  }
  added_.clear();
  removed_.clear();
}

void IndexEdits::TakeRemoved(RemovedEntries& lists) noexcept {
  for (auto& list : removed_) lists.push_back(std::move(list));
  removed_.clear();
}

size_t IndexEdits::reserved_bytes() const {
  size_t size_bytes = 0;
  for (const Lists* lists : {&added_, &removed_}) {
    for (const auto& list : *lists) size_bytes += list->reserved_bytes();
  }
  return size_bytes;
}

void IndexEdits::Spill() {
  for (const Lists* lists : {&added_, &removed_}) {
    for (const auto& list : *lists) list->Spill();
  }
}

void CleanUpEntries(RemovedEntries& lists, const TableVersions& versions, Timestamp oldest_start) noexcept {
  std::stable_sort(lists.begin(), lists.end(),
                   [](const auto& a, const auto& b) { return a->index().get() < b->index().get(); });
  for (size_t begin = 0, end = 0; begin < lists.size(); begin = end) {
    while (end < lists.size() && lists[end]->index() == lists[begin]->index()) end++;
    const ListsOfIndex of_index(lists.data() + begin, end - begin);
    try {
      if (MayExceedMemory(of_index)) {
        CleanUpSorted(of_index, versions, oldest_start);
        continue;
      }
    } catch (const std::exception&) {
      // Without memory to sort them, they are erased row by row; a second time has no effect.
    }
    for (size_t i = begin; i < end; i++) {
      try {
        CleanUpInOrder(*lists[i], versions, oldest_start);
      } catch (const std::exception&) {
        // Entries that cannot be read back stay, which readers expect.
      }
      lists[i].reset();
    }
  }
  lists.clear();
}

}  // namespace scaup
