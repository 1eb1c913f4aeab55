// Reads in index order: a batch of entries at a time, whose rows are fetched in row order.
#include "storage/table_index/index_order_scan.hpp"

#include <algorithm>

#include "storage/index/ordered_index.hpp"
#include "storage/table_index/index_lookup.hpp"

namespace scaup {

IndexOrderScan::IndexOrderScan(TableView view, TableColumns table_columns,
                               TableScanSpecification specification, const KernelTable& kernels,
                               std::optional<uint32_t> writer, TableIndexRef index, KeyRange range,
                               bool descending, MemoryTracker& memory)
    : fetcher_(std::move(view), std::move(table_columns), std::move(specification), kernels, index, memory),
      writer_(writer),
      index_(std::move(index)),
      scan_(index_->tree(), range, descending),
      is_empty_(IsEmpty(range)) {}

bool IndexOrderScan::Next(size_t most, DataChunk& output) {
  output.Release();
  if (is_empty_ || !scan_.Next(std::min(most, kVectorSize), true, batch_)) return false;
  entry_count_ += batch_.values.size();
  candidates_.clear();
  for (size_t i = 0; i < batch_.values.size(); i++) {
    if (const auto row = RowOfValue(batch_.values[i], writer_)) candidates_.push_back({*row, i});
  }
  // The fetcher reads rows by ascending number, then restores the order of the entries.
  fetcher_.Fetch(
      candidates_, [&](size_t entry) { return batch_.key(entry); }, found_);
  if (found_.empty()) return true;
  given_ = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < found_.size(); i++) given_->rows[i] = found_[i].row;
  fetcher_.Give(given_, found_.size(), output);
  output.batch_index = chunk_count_++;
  return true;
}

Value IndexOrderScan::KeyValue(size_t column, size_t row) {
  return fetcher_.ColumnOf(column).GetValue(given_->rows[row]);
}

}  // namespace scaup
