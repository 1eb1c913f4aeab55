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

/// Of rows of the table those whose blocks' zones do not exclude them: mostly few, and found without reading.
std::vector<RowNumber> MayPass(const TableView& view, const std::vector<ScanFilter>& filters,
                               const std::vector<LogicalType>& types, const std::vector<RowNumber>& rows) {
  const TableSnapshot& snapshot = *view.parts[0].snapshot;
  VersionReader versions(view.parts[0].versions, view.reader);
  std::vector<RowNumber> candidates;
  for (size_t begin = 0; begin < rows.size();) {
    const size_t row_group = snapshot.FindRowGroup(rows[begin]);
    const RowNumber first = snapshot.first_rows[row_group];
    const size_t block = (rows[begin] - first) / kVectorSize;
    const RowNumber block_first = first + block * kVectorSize;
    size_t end = begin + 1;
    while (end < rows.size() && rows[end] < block_first + kVectorSize) end++;
    const bool has_versions = versions.Seek(rows[begin], rows[end - 1] - rows[begin] + 1);
    const bool may_pass = std::all_of(filters.begin(), filters.end(), [&](const ScanFilter& filter) {
      const PhysicalType type = PhysicalTypeOf(types[filter.column]);
      const auto segment = snapshot.row_groups[row_group]->column(filter.column);
      return MatchZone(segment->block_zone(block), filter, type) != ZoneMatch::kNone ||
             (has_versions && versions.MayMatch(filter, type));
    });
    if (may_pass) candidates.insert(candidates.end(), rows.begin() + begin, rows.begin() + end);
    begin = end;
  }
  return candidates;
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

void TableReadPredicate::Narrow(ScanFilter filter) {
  const auto place = std::lower_bound(columns_.begin(), columns_.end(), filter.column);
  if (place == columns_.end() || *place != filter.column) columns_.insert(place, filter.column);
  filters_.push_back(std::move(filter));
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
  if (AnyPasses(changes.After(), changes.updated)) return true;
  // Where no filter asks for what was changed, the same rows passed before.
  const bool changes_passing = std::any_of(filters_.begin(), filters_.end(), [&](const ScanFilter& filter) {
    return std::binary_search(changes.columns.begin(), changes.columns.end(), filter.column);
  });
  return changes_passing && AnyPasses(changes.Before(), changes.updated);
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
  const TableView view = table_->View(reader);
  const std::vector<RowNumber> candidates = MayPass(view, filters_, types, rows);
  if (candidates.empty()) return false;
  RowFetcher fetcher(view, types, std::move(columns), KernelsOf(BestKernelLevel()));
  DataChunk chunk(column_types);
  for (size_t begin = 0; begin < candidates.size(); begin += kVectorSize) {
    const size_t count = std::min(kVectorSize, candidates.size() - begin);
    fetcher.Fetch({candidates.data() + begin, count}, chunk);
    if (AnyRowPasses(filters_, types, count, [&](size_t i) -> Vector& { return chunk.column(i); }))
      return true;
  }
  return false;
}

}  // namespace scaup
