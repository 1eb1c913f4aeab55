// Fetches the rows of index entries in row order, then compares their keys.
#include "storage/table_index/keyed_fetcher.hpp"

#include <algorithm>

namespace scaup {

std::optional<RowNumber> RowOfValue(uint64_t value, std::optional<uint32_t> writer) {
  if (!IndexValue::IsLocal(value)) return value;
  if (!writer || IndexValue::WriterOf(value) != *writer) return std::nullopt;
  return IndexValue::LocalRowOf(value);
}

KeyedFetcher::KeyedFetcher(TableView view, TableColumns table_columns, TableScanSpecification specification,
                           const KernelTable& kernels, TableIndexRef index, MemoryTracker& memory)
    : fetcher_(std::move(view), std::move(table_columns), std::move(specification), kernels,
               index->columns()),
      index_(std::move(index)),
      keys_(memory) {}

void KeyedFetcher::Fetch(std::vector<Candidate>& candidates,
                         const std::function<KeyBytes(size_t number)>& key_of, std::vector<Found>& found) {
  // Ascending rows let the fetcher read each block once.
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.row < b.row; });
  listed_.clear();
  first_of_.clear();
  for (size_t i = 0; i < candidates.size(); i++) {
    if (i != 0 && candidates[i].row == candidates[i - 1].row) continue;
    listed_.push_back(candidates[i].row);
    first_of_.push_back(i);
  }
  found.clear();
  sel_t passing[kVectorSize];
  const size_t count = fetcher_.Fetch(listed_, passing);
  if (count == 0) return;
  DataChunk columns(index_->key_types());
  for (size_t i = 0; i < columns.column_count(); i++)
    columns.column(i).Reference(fetcher_.ColumnOf(index_->columns()[i]));
  index_->encoder().Encode(columns, fetcher_.row_count(), keys_);
  for (size_t i = 0; i < count; i++) {
    const KeyBytes seen = keys_[passing[i]];
    // A row whose key was changed may have entries for both keys.
    const RowNumber row = listed_[fetcher_.ListedAt(passing[i])];
    for (size_t at = first_of_[fetcher_.ListedAt(passing[i])];
         at < candidates.size() && candidates[at].row == row; at++) {
      const KeyBytes key = key_of(candidates[at].number);
      if (std::equal(seen.begin(), seen.end(), key.begin(), key.end()))
        found.push_back({candidates[at].number, passing[i]});
    }
  }
  // Back to the order of the entries.
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.number < b.number; });
}

}  // namespace scaup
