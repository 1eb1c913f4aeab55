// Which index serves some filters, what it finds, and the rows it found.
#include "storage/table/index_lookup.hpp"

#include <algorithm>

#include "storage/table/scan_filter_kernels.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

namespace {

using Op = ScanFilter::Op;

const ScanFilter* FindFilter(const std::vector<ScanFilter>& filters, size_t column, Op first, Op second) {
  for (const ScanFilter& filter : filters) {
    if (filter.column == column && (filter.op == first || filter.op == second)) return &filter;
  }
  return nullptr;
}

/// How much the filters say of an index's key: the columns that are fixed, then twice less a bounded one.
struct Use {
  std::vector<Value> equal;
  std::optional<ValueBound> lower, upper;
  size_t Weight() const { return 2 * equal.size() + (lower ? 1 : 0) + (upper ? 1 : 0); }
};

Use UseOf(const TableIndex& index, const std::vector<ScanFilter>& filters) {
  Use use;
  for (const size_t column : index.columns()) {
    if (const ScanFilter* equal = FindFilter(filters, column, Op::kEqual, Op::kIsNull)) {
      use.equal.push_back(equal->op == Op::kIsNull ? Value() : equal->constant);
      continue;
    }
    if (const ScanFilter* lower = FindFilter(filters, column, Op::kGreater, Op::kGreaterEqual))
      use.lower = ValueBound{lower->constant, lower->op == Op::kGreaterEqual};
    if (const ScanFilter* upper = FindFilter(filters, column, Op::kLess, Op::kLessEqual))
      use.upper = ValueBound{upper->constant, upper->op == Op::kLessEqual};
    break;
  }
  return use;
}

std::vector<size_t> FetchedColumns(const TableScanSpecification& specification) {
  std::vector<size_t> columns;
  const auto add = [&](size_t column) {
    if (column == kRowNumberColumn) return;
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  for (const size_t column : specification.columns) add(column);
  for (const ScanFilter& filter : specification.filters) add(filter.column);
  return columns;
}

}  // namespace

std::optional<IndexChoice> ChooseIndex(const TableIndexList& indexes,
                                       const std::vector<ScanFilter>& filters) {
  const TableIndexRef* best = nullptr;
  Use best_use;
  for (const TableIndexRef& index : indexes) {
    Use use = UseOf(*index, filters);
    if (use.Weight() == 0 || (best != nullptr && use.Weight() <= best_use.Weight())) continue;
    best = &index;
    best_use = std::move(use);
  }
  if (best == nullptr) return std::nullopt;
  return IndexChoice{*best, (*best)->encoder().Range(best_use.equal, best_use.lower, best_use.upper)};
}

std::optional<std::vector<RowNumber>> FindRows(const Table& table, const Transaction& transaction,
                                               const std::vector<ScanFilter>& filters, uint64_t most_rows) {
  if (filters.empty()) return std::nullopt;
  TableIndexList indexes = table.Indexes();
  // An index that was made later does not know the rows as they were.
  std::erase_if(indexes, [&](const TableIndexRef& index) { return !index->IsWholeFor(transaction.view()); });
  const auto choice = ChooseIndex(indexes, filters);
  if (!choice) return std::nullopt;
  std::vector<RowNumber> rows;
  const KeyRange& range = choice->range;
  const bool is_empty =
      range.upper && !std::lexicographical_compare(range.lower.begin(), range.lower.end(),
                                                   range.upper->begin(), range.upper->end());
  if (is_empty) return rows;
  const auto* changes = static_cast<const TableChanges*>(transaction.FindLocal(&table));
  OrderedIndexScan scan(choice->index->tree(), range, false);
  IndexBatch batch;
  while (scan.Next(kVectorSize, false, batch)) {
    if (rows.size() + batch.values.size() > most_rows) return std::nullopt;
    for (const uint64_t value : batch.values) {
      if (!IndexValue::IsLocal(value)) {
        rows.push_back(value);
      } else if (changes != nullptr && IndexValue::WriterOf(value) == changes->writer) {
        rows.push_back(IndexValue::LocalRowOf(value));
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

RowListScan::RowListScan(TableView view, std::vector<LogicalType> table_types,
                         TableScanSpecification specification, const KernelTable& kernels,
                         std::vector<RowNumber> rows)
    : table_types_(std::move(table_types)),
      specification_(std::move(specification)),
      kernels_(kernels),
      rows_(std::move(rows)),
      fetched_(FetchedColumns(specification_)),
      fetcher_(std::move(view), table_types_, fetched_, kernels) {
  for (const size_t column : fetched_) fetched_types_.push_back(table_types_[column]);
}

bool RowListScan::Next(DataChunk& output) {
  while (next_ < rows_.size()) {
    const size_t count = std::min(kVectorSize, rows_.size() - next_);
    const std::span<const RowNumber> rows(rows_.data() + next_, count);
    next_ += count;
    output.Release();
    if (ReadChunk(rows, output)) return true;
  }
  return false;
}

bool RowListScan::ReadChunk(std::span<const RowNumber> listed, DataChunk& output) {
  uint8_t mask[kVectorSize];
  fetcher_.TestVisible(listed, mask);
  RowNumber rows[kVectorSize];
  size_t count = 0;
  for (size_t i = 0; i < listed.size(); i++) {
    if (mask[i] != 0) rows[count++] = listed[i];
  }
  if (count == 0) return false;
  DataChunk fetched(fetched_types_);  // A new one, as the output shares its memory.
  fetcher_.Fetch({rows, count}, fetched);
  const auto column_of = [&](size_t column) -> Vector& {
    const auto place = std::find(fetched_.begin(), fetched_.end(), column) - fetched_.begin();
    return fetched.column(static_cast<size_t>(place));
  };
  std::fill_n(mask, count, 1);
  for (const ScanFilter& filter : specification_.filters) {
    uint8_t passes[kVectorSize];
    const Vector& column = column_of(filter.column);
    EvaluateScanFilter(kernels_, filter, PhysicalTypeOf(table_types_[filter.column]),
                       column.Data<std::byte>(), column.Validity(), count, passes);
    kernels_.mask_and(mask, passes, count);
  }
  auto selection = std::make_shared<SelectionVector>();
  const size_t selected = kernels_.select(mask, count, selection->rows);
  if (selected == 0) return false;
  for (size_t i = 0; i < specification_.columns.size(); i++) {
    Vector& target = output.column(i);
    if (specification_.columns[i] != kRowNumberColumn) {
      target.Reference(column_of(specification_.columns[i]));
      continue;
    }
    target.Reset();
    for (size_t row = 0; row < count; row++)
      target.MutableData<int64_t>()[row] = static_cast<int64_t>(rows[row]);
  }
  output.SetSize(count);
  if (selected < count) output.Slice(selection, selected);
  output.batch_index = chunk_count_++;
  return true;
}

}  // namespace scaup
