// Precision locking: tests whether a change hits what was read.
#include "storage/table/table_read_predicate.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "storage/snapshot/row_fetcher.hpp"
#include "storage/snapshot/row_group_reader.hpp"
#include "storage/table/table_changes.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

namespace {

/// Computes which of `count` rows meet the predicate. `column_of(i)` returns the column of the i-th filter,
/// which is flattened.
template <typename ColumnOf>
void FindPassing(const ScanPredicate& predicate, size_t count, ColumnOf&& column_of, uint8_t* mask) {
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  std::fill_n(mask, count, 1);
  size_t filter_index = 0;
  predicate.AllTerms([&](std::span<const ScanFilter> any) {
    uint8_t term_mask[kVectorSize], filter_mask[kVectorSize];
    std::fill_n(term_mask, count, 0);
    for (const ScanFilter& filter : any) {
      Vector& column = column_of(filter_index++);
      column.Flatten(count);
      EvaluateScanFilter(kernels, filter, column.physical_type(), column.Data<std::byte>(), column.Validity(),
                         count, filter_mask);
      kernels.mask_or(term_mask, filter_mask, count);
    }
    kernels.mask_and(mask, term_mask, count);
    return true;
  });
}

template <typename ColumnOf>
bool AnyRowPasses(const ScanPredicate& predicate, size_t count, ColumnOf&& column_of) {
  uint8_t mask[kVectorSize];
  FindPassing(predicate, count, column_of, mask);
  return std::find(mask, mask + count, 1) != mask + count;
}

/// Returns whether a row has the same value, or NULL, in two flat columns of one type.
bool IsSameValue(const Vector& a, const Vector& b, size_t row) {
  const auto is_valid = [row](const Vector& column) {
    return column.Validity() == nullptr || TestValid(column.Validity(), row);
  };
  if (!is_valid(a) || !is_valid(b)) return is_valid(a) == is_valid(b);
  if (a.physical_type() == PhysicalType::kString)
    return a.Data<StringRef>()[row].view() == b.Data<StringRef>()[row].view();
  const size_t width = PhysicalSize(a.physical_type());
  return std::memcmp(a.Data<std::byte>() + row * width, b.Data<std::byte>() + row * width, width) == 0;
}

/// Returns the rows whose block zone maps do not exclude them. Usually these are few, and nothing is read.
std::vector<RowNumber> MayPass(const TableView& view, const ScanPredicate& predicate,
                               const TableColumns& columns, const std::vector<RowNumber>& rows) {
  const TableSnapshot& snapshot = *view.parts[0].snapshot;
  VersionReader versions(view.parts[0].versions, view.reader);
  std::vector<RowNumber> candidates;
  for (size_t begin = 0; begin < rows.size();) {
    const size_t row_group = snapshot.FindRowGroup(rows[begin]);
    const RowNumber first = snapshot.first_rows[row_group];
    const size_t block = (rows[begin] - first) / kVectorSize;
    // A row group need not end where a block of 1024 rows would: the next rows have zone maps of their own.
    const RowNumber block_end =
        first + std::min<uint64_t>((block + 1) * kVectorSize, snapshot.row_groups[row_group]->row_count());
    size_t end = begin + 1;
    while (end < rows.size() && rows[end] < block_end) end++;
    // Updated values may lie outside the zone map of their block.
    const bool has_versions = versions.Seek(rows[begin], rows[end - 1] - rows[begin] + 1);
    const bool may_pass = predicate.MayBeMet([&](const ScanFilter& filter) {
      return columns.MatchBlock(*snapshot.row_groups[row_group], block, filter) != ZoneMatch::kNone ||
             (has_versions && columns.MayMatch(versions, filter));
    });
    if (may_pass) candidates.insert(candidates.end(), rows.begin() + begin, rows.begin() + end);
    begin = end;
  }
  return candidates;
}

}  // namespace

TableReadPredicate::TableReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                                       TableColumns table_columns, const std::vector<size_t>& columns,
                                       ScanPredicate predicate)
    : ReadPredicate(table->id()),
      table_(std::move(table)),
      table_name_(std::move(table_name)),
      table_columns_(std::move(table_columns)),
      predicate_(std::move(predicate)) {
  for (const size_t column : columns) AddColumn(column);
  predicate_.ForEachFilter([&](const ScanFilter& filter) {
    AddColumn(filter.column);
    filtered_.push_back(filter.column);
  });
}

void TableReadPredicate::AddColumn(size_t column) {
  if (column == kRowNumberColumn) return;
  std::vector<size_t>& read = table_columns_.IsStored(column) ? columns_ : projections_;
  const auto place = std::lower_bound(read.begin(), read.end(), column);
  if (place == read.end() || *place != column) read.insert(place, column);
}

void TableReadPredicate::Narrow(ScanFilter filter) {
  AddColumn(filter.column);
  // Exact filters come before those of alternatives.
  filtered_.insert(filtered_.begin() + static_cast<ptrdiff_t>(predicate_.filters.size()), filter.column);
  predicate_.filters.push_back(std::move(filter));
}

std::string TableReadPredicate::Describe() const {
  return (filtered_.empty() ? "table \"" : "rows of table \"") + table_name_ + "\"";
}

bool TableReadPredicate::IsHitBy(const ChangeSet& change_set) const {
  const auto& changes = static_cast<const TableChangeSet&>(change_set);
  // Changes of another table object, as after an ALTER with new storage, do not concern this read.
  if (&changes.table() != table_.get()) return false;
  for (const auto& row_group : changes.inserted) {
    // Inserted rows come first, since they need no versions.
    if (IsHitByInsert(*row_group)) return true;
  }
  // Deleted rows passed if they did so before the commit.
  if (!changes.deleted.empty() && AnyPasses(changes.Before(), changes.deleted)) return true;
  return !changes.updated.empty() && IsHitByUpdate(changes);
}

bool TableReadPredicate::IsHitByUpdate(const TableChangeSet& changes) const {
  const auto is_changed = [&](size_t column) {
    return std::binary_search(changes.columns.begin(), changes.columns.end(), column);
  };
  if (std::none_of(columns_.begin(), columns_.end(), is_changed)) {
    // For documents, only what was read out of them counts.
    return !projections_.empty() && is_changed(kRecordColumn) && AnyProjectionDiffers(changes);
  }
  if (AnyPasses(changes.After(), changes.updated)) return true;
  // If no filter depends on the changed columns, the same rows passed before.
  const bool changes_passing = std::any_of(filtered_.begin(), filtered_.end(), [&](size_t column) {
    return is_changed(table_columns_.SourceOf(column));
  });
  return changes_passing && AnyPasses(changes.Before(), changes.updated);
}

bool TableReadPredicate::AnyProjectionDiffers(const TableChangeSet& changes) const {
  std::vector<size_t> columns = columns_;
  for (const size_t column : projections_) columns.push_back(column);
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table_columns_[column]);
  const KernelTable& kernels = KernelsOf(BestKernelLevel());
  RowFetcher old_rows(table_->View(changes.Before()), table_columns_, columns, kernels);
  RowFetcher new_rows(table_->View(changes.After()), table_columns_, columns, kernels);
  DataChunk old_values(types), new_values(types);
  const auto find_passing = [&](DataChunk& values, uint8_t* mask) {
    const auto column_of = [&](size_t filter) -> Vector& {
      const auto place = std::find(columns.begin(), columns.end(), filtered_[filter]);
      return values.column(static_cast<size_t>(place - columns.begin()));
    };
    FindPassing(predicate_, values.size(), column_of, mask);
  };
  const auto differs = [&](std::span<const RowNumber> rows) {
    old_rows.Fetch(rows, old_values);
    new_rows.Fetch(rows, new_values);
    uint8_t passed[kVectorSize], passes[kVectorSize];
    find_passing(old_values, passed);
    find_passing(new_values, passes);
    // Rows that never passed were not read.
    for (size_t row = 0; row < rows.size(); row++) {
      if (passed[row] == 0 && passes[row] == 0) continue;
      for (size_t i = 0; i < columns.size(); i++) {
        if (!IsSameValue(old_values.column(i), new_values.column(i), row)) return true;
      }
    }
    return false;
  };
  return changes.updated.AnyBatch([&](const std::vector<RowNumber>& batch) {
    for (size_t begin = 0; begin < batch.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, batch.size() - begin);
      if (differs({batch.data() + begin, count})) return true;
    }
    return false;
  });
}

bool TableReadPredicate::IsHitByInsert(const RowGroup& row_group) const {
  // If zone maps exclude the whole row group, no row can pass.
  const bool may_pass = predicate_.MayBeMet(
      [&](const ScanFilter& filter) { return table_columns_.Match(row_group, filter) != ZoneMatch::kNone; });
  if (!may_pass) return false;
  RowGroupReader reader(table_columns_, filtered_, row_group, KernelsOf(BestKernelLevel()));
  DataChunk columns(reader.types());
  for (size_t block = 0; block < row_group.block_count(); block++) {
    columns.Release();
    reader.Read(block, columns);
    if (AnyRowPasses(predicate_, columns.size(), [&](size_t i) -> Vector& { return columns.column(i); }))
      return true;
  }
  return false;
}

bool TableReadPredicate::AnyPasses(const ReadView& reader, const RowRanges& rows) const {
  // Without filters every row was read.
  if (filtered_.empty()) return true;
  std::vector<LogicalType> column_types;
  for (const size_t column : filtered_) column_types.push_back(table_columns_[column]);
  const TableView view = table_->View(reader);
  std::optional<RowFetcher> fetcher;
  DataChunk chunk(column_types);
  return rows.AnyBatch([&](const std::vector<RowNumber>& batch) {
    const std::vector<RowNumber> candidates = MayPass(view, predicate_, table_columns_, batch);
    if (!candidates.empty() && !fetcher)
      fetcher.emplace(view, table_columns_, filtered_, KernelsOf(BestKernelLevel()));
    for (size_t begin = 0; begin < candidates.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, candidates.size() - begin);
      fetcher->Fetch({candidates.data() + begin, count}, chunk);
      if (AnyRowPasses(predicate_, count, [&](size_t i) -> Vector& { return chunk.column(i); })) return true;
    }
    return false;
  });
}

}  // namespace scaup
