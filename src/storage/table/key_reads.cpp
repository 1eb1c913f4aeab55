// Whether a commit concerns keys that were free.
#include "storage/table/key_reads.hpp"

#include <algorithm>
#include <cstring>

#include "storage/table/row_fetcher.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

bool IsLess(KeyBytes a, KeyBytes b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// Looks for keys of rows among some keys.
class KeySearch {
 public:
  KeySearch(const Table& table, const IndexEntryList& keys)
      : table_(table), index_(*keys.index()), encoded_(table.memory()) {
    for (size_t i = 0; i < keys.size(); i++) keys_.push_back(keys.key(i));
    std::sort(keys_.begin(), keys_.end(), IsLess);
  }

  bool HasAny(const RowGroup& row_group) {
    std::vector<std::unique_ptr<SegmentReader>> readers;
    for (const size_t column : index_.columns())
      readers.push_back(row_group.column(column)->MakeReader(KernelsOf(BestKernelLevel())));
    DataChunk columns(index_.key_types());
    for (size_t block = 0; block < row_group.block_count(); block++) {
      const size_t count = row_group.BlockRows(block);
      columns.Release();
      for (size_t i = 0; i < readers.size(); i++) readers[i]->Read(block, count, columns.column(i));
      if (HasAny(columns, count)) return true;
    }
    return false;
  }

  bool HasAny(const ReadView& reader, const std::vector<RowNumber>& rows) {
    if (rows.empty()) return false;
    RowFetcher fetcher(table_.View(reader), table_.types(), index_.columns(), KernelsOf(BestKernelLevel()));
    DataChunk columns(index_.key_types());
    for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, rows.size() - begin);
      fetcher.Fetch({rows.data() + begin, count}, columns);
      if (HasAny(columns, count)) return true;
    }
    return false;
  }

 private:
  bool HasAny(DataChunk& columns, size_t count) {
    index_.encoder().Encode(columns, count, encoded_);
    for (size_t i = 0; i < count; i++) {
      if (std::binary_search(keys_.begin(), keys_.end(), encoded_[i], IsLess)) return true;
    }
    return false;
  }

  const Table& table_;
  const TableIndex& index_;
  std::vector<KeyBytes> keys_;  // Ascending.
  IndexKeys encoded_;
};

}  // namespace

KeyReadPredicate::KeyReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                   std::shared_ptr<const KeyReads> reads)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      reads_(std::move(reads)) {}

bool KeyReadPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  if (&changes.table() != table_.get()) return false;
  for (const IndexEntryList* keys = reads_->first(); keys != nullptr; keys = keys->next.get()) {
    KeySearch search(*table_, *keys);
    const bool is_inserted = std::any_of(changes.inserted.begin(), changes.inserted.end(),
                                         [&](const auto& row_group) { return search.HasAny(*row_group); });
    if (is_inserted || search.HasAny(changes.Before(), changes.deleted)) return true;
    if (!keys->index()->IsOver(changes.columns)) continue;
    if (search.HasAny(changes.After(), changes.updated) || search.HasAny(changes.Before(), changes.updated))
      return true;
  }
  return false;
}

}  // namespace scaup
