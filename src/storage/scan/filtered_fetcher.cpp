// Filtered fetcher: tests visibility, reads the columns of the visible rows, then applies the filters.
#include "storage/scan/filtered_fetcher.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

std::vector<size_t> FetchedColumns(const TableScanSpecification& specification,
                                   std::span<const size_t> more_columns) {
  std::vector<size_t> columns;
  columns.reserve(specification.columns.size() + specification.predicate.filters.size() +
                  more_columns.size());
  const auto add = [&](size_t column) {
    if (column == kRowNumberColumn) return;
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  for (const size_t column : specification.columns) add(column);
  for (const ScanFilter& filter : specification.predicate.filters) add(filter.column);
  for (const size_t column : more_columns) add(column);
  return columns;
}

}  // namespace

FilteredFetcher::FilteredFetcher(TableView view, TableColumns table_columns,
                                 TableScanSpecification specification, const KernelTable& kernels,
                                 std::span<const size_t> more_columns)
    : table_columns_(std::move(table_columns)),
      specification_(std::move(specification)),
      kernels_(kernels),
      fetched_(FetchedColumns(specification_, more_columns)),
      fetcher_(std::move(view), table_columns_, fetched_, kernels) {
  fetched_types_.reserve(fetched_.size());
  for (const size_t column : fetched_) fetched_types_.push_back(table_columns_[column]);
}

Vector& FilteredFetcher::ColumnOf(size_t column) {
  const auto place = std::find(fetched_.begin(), fetched_.end(), column) - fetched_.begin();
  return chunk_.column(static_cast<size_t>(place));
}

size_t FilteredFetcher::Fetch(std::span<const RowNumber> listed, sel_t* passing) {
  SCAUP_ASSERT(listed.size() <= kVectorSize && std::is_sorted(listed.begin(), listed.end()));
  uint8_t mask[kVectorSize];
  fetcher_.TestVisible(listed, mask);
  rows_.clear();
  listed_at_.clear();
  for (size_t i = 0; i < listed.size(); i++) {
    if (mask[i] == 0) continue;
    rows_.push_back(listed[i]);
    listed_at_.push_back(static_cast<sel_t>(i));
  }
  const size_t count = rows_.size();
  if (count == 0) return 0;
  chunk_ = DataChunk(fetched_types_);  // a new chunk, because outputs share the memory of the last one
  fetcher_.Fetch(rows_, chunk_);
  std::fill_n(mask, count, 1);
  for (const ScanFilter& filter : specification_.predicate.filters) {
    uint8_t passes[kVectorSize];
    const Vector& column = ColumnOf(filter.column);
    EvaluateScanFilter(kernels_, filter, PhysicalTypeOf(table_columns_[filter.column]),
                       column.Data<std::byte>(), column.Validity(), count, passes);
    kernels_.mask_and(mask, passes, count);
  }
  return kernels_.select(mask, count, passing);
}

void FilteredFetcher::Give(const SelectionRef& selection, size_t count, DataChunk& output) {
  const size_t row_count = rows_.size();
  for (size_t i = 0; i < specification_.columns.size(); i++) {
    Vector& target = output.column(i);
    if (specification_.columns[i] != kRowNumberColumn) {
      target.Reference(ColumnOf(specification_.columns[i]));
      continue;
    }
    target.Reset();
    for (size_t row = 0; row < row_count; row++)
      target.MutableData<int64_t>()[row] = static_cast<int64_t>(rows_[row]);
  }
  output.SetSize(row_count);
  // A slice of all rows in order would only add an indirection to each column.
  bool is_all = count == row_count;
  for (size_t i = 0; i < count && is_all; i++) is_all = selection->rows[i] == i;
  if (!is_all) output.Slice(selection, count);
}

}  // namespace scaup
