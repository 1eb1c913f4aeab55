// Reading in the order of an index: a batch of entries at a time, whose rows are fetched in their own order.
#include "storage/table/index_order_scan.hpp"

#include <algorithm>

#include "storage/table/index_lookup.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

IndexOrderScan::IndexOrderScan(TableView view, std::vector<LogicalType> table_types,
                               TableScanSpecification specification, const KernelTable& kernels,
                               const TableChanges* own, TableIndexRef index, KeyRange range, bool descending,
                               MemoryTracker& memory)
    : fetcher_(std::move(view), std::move(table_types), std::move(specification), kernels, index->columns()),
      own_(own),
      index_(std::move(index)),
      scan_(index_->tree(), range, descending),
      is_empty_(IsEmpty(range)),
      keys_(memory) {}

void IndexOrderScan::CollectCandidates() {
  candidates_.clear();
  for (size_t i = 0; i < batch_.values.size(); i++) {
    const uint64_t value = batch_.values[i];
    if (!IndexValue::IsLocal(value)) {
      candidates_.push_back({value, i});
    } else if (own_ != nullptr && IndexValue::WriterOf(value) == own_->writer) {
      candidates_.push_back({IndexValue::LocalRowOf(value), i});
    }
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.row < b.row; });
  listed_.clear();
  first_of_.clear();
  for (size_t i = 0; i < candidates_.size(); i++) {
    if (i != 0 && candidates_[i].row == candidates_[i - 1].row) continue;
    listed_.push_back(candidates_[i].row);
    first_of_.push_back(i);
  }
}

size_t IndexOrderScan::FindEntry(size_t fetched) const {
  const size_t first = first_of_[fetcher_.ListedAt(fetched)];
  const KeyBytes seen = keys_[fetched];
  // Of a row whose key was changed there may be entries for both keys.
  for (size_t i = first; i < candidates_.size() && candidates_[i].row == candidates_[first].row; i++) {
    const KeyBytes key = batch_.key(candidates_[i].entry);
    if (std::equal(seen.begin(), seen.end(), key.begin(), key.end())) return candidates_[i].entry;
  }
  return kNoEntry;
}

size_t IndexOrderScan::KeepCurrent(size_t count, sel_t* passing) {
  DataChunk columns(index_->key_types());
  for (size_t i = 0; i < index_->columns().size(); i++)
    columns.column(i).Reference(fetcher_.ColumnOf(index_->columns()[i]));
  index_->encoder().Encode(columns, fetcher_.row_count(), keys_);
  entry_of_.resize(fetcher_.row_count());
  for (size_t i = 0; i < count; i++) entry_of_[passing[i]] = FindEntry(passing[i]);
  const auto end =
      std::remove_if(passing, passing + count, [&](sel_t row) { return entry_of_[row] == kNoEntry; });
  std::sort(passing, end, [&](sel_t a, sel_t b) { return entry_of_[a] < entry_of_[b]; });
  return static_cast<size_t>(end - passing);
}

bool IndexOrderScan::Next(size_t most, DataChunk& output) {
  output.Release();
  if (is_empty_ || !scan_.Next(std::min(most, kVectorSize), true, batch_)) return false;
  entry_count_ += batch_.values.size();
  CollectCandidates();
  auto selection = std::make_shared<SelectionVector>();
  const size_t passing = fetcher_.Fetch(listed_, selection->rows);
  const size_t count = passing == 0 ? 0 : KeepCurrent(passing, selection->rows);
  if (count == 0) return true;
  given_ = std::move(selection);
  fetcher_.Give(given_, count, output);
  output.batch_index = chunk_count_++;
  return true;
}

Value IndexOrderScan::KeyValue(size_t column, size_t row) {
  return fetcher_.ColumnOf(column).GetValue(given_->rows[row]);
}

}  // namespace scaup
