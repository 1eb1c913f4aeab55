// Precision locking: whether a change concerns what was read.
#include "storage/table/table_read.hpp"

#include <algorithm>
#include <iterator>

#include "storage/table/row_fetcher.hpp"
#include "storage/table/scan_filter_kernels.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

/// Whether one of `count` rows passes all filters; `column_of(filter)` gives its flat column.
template <typename ColumnOf>
bool AnyRowPasses(const std::vector<ScanFilter>& filters, const std::vector<LogicalType>& types, size_t count,
                  ColumnOf&& column_of) {
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  uint8_t mask[kVectorSize];
  std::fill_n(mask, count, 1);
  for (size_t i = 0; i < filters.size(); i++) {
    uint8_t filter_mask[kVectorSize];
    Vector& column = column_of(i);
    column.Flatten(count);
    EvaluateScanFilter(kernels, filters[i], PhysicalTypeOf(types[filters[i].column]),
                       column.Data<std::byte>(), column.Validity(), count, filter_mask);
    kernels.mask_and(mask, filter_mask, count);
  }
  return std::find(mask, mask + count, 1) != mask + count;
}

}  // namespace

TableReadPredicate::TableReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                       std::vector<size_t> columns, std::vector<ScanFilter> filters)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      columns_(std::move(columns)),
      filters_(std::move(filters)) {
  std::erase_if(columns_, [&](size_t column) { return column >= table_->types().size(); });
  for (const ScanFilter& filter : filters_) columns_.push_back(filter.column);
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

std::string TableReadPredicate::Describe() const {
  return (filters_.empty() ? "table \"" : "rows of table \"") + table_name_ + "\"";
}

bool TableReadPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  if (&changes.table() != table_.get()) return false;
  for (const auto& row_group : changes.inserted) {
    if (IsHitByInsert(*row_group)) return true;
  }
  if (!changes.deleted.empty() && AnyPasses(changes.Before(), changes.deleted)) return true;
  std::vector<size_t> common;
  std::set_intersection(columns_.begin(), columns_.end(), changes.columns.begin(), changes.columns.end(),
                        std::back_inserter(common));
  if (common.empty() || changes.updated.empty()) return false;
  return AnyPasses(changes.After(), changes.updated) || AnyPasses(changes.Before(), changes.updated);
}

bool TableReadPredicate::IsHitByInsert(const RowGroup& row_group) const {
  const auto& types = table_->types();
  std::vector<std::unique_ptr<SegmentReader>> readers;
  for (const ScanFilter& filter : filters_) {
    const auto segment = row_group.column(filter.column);
    if (MatchZone(segment->zone(), filter, PhysicalTypeOf(types[filter.column])) == ZoneMatch::kNone)
      return false;
    readers.push_back(segment->MakeReader(KernelsOf(BestKernelLevel())));
  }
  for (size_t block = 0; block < row_group.block_count(); block++) {
    const size_t count = row_group.BlockRows(block);
    std::vector<Vector> columns;
    for (size_t i = 0; i < filters_.size(); i++) {
      columns.emplace_back(types[filters_[i].column]);
      readers[i]->Read(block, count, columns.back());
    }
    if (AnyRowPasses(filters_, types, count, [&](size_t i) -> Vector& { return columns[i]; })) return true;
  }
  return false;
}

bool TableReadPredicate::AnyPasses(const ReadView& reader, const std::vector<RowNumber>& rows) const {
  if (filters_.empty()) return true;
  const auto& types = table_->types();
  std::vector<size_t> columns;
  std::vector<LogicalType> column_types;
  for (const ScanFilter& filter : filters_) {
    columns.push_back(filter.column);
    column_types.push_back(types[filter.column]);
  }
  RowFetcher fetcher(table_->View(reader), types, std::move(columns), KernelsOf(BestKernelLevel()));
  DataChunk chunk(column_types);
  for (size_t begin = 0; begin < rows.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, rows.size() - begin);
    fetcher.Fetch({rows.data() + begin, count}, chunk);
    if (AnyRowPasses(filters_, types, count, [&](size_t i) -> Vector& { return chunk.column(i); }))
      return true;
  }
  return false;
}

}  // namespace scaup
