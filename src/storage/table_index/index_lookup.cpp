// Chooses an index for filters, finds rows through it, and reads them.
#include "storage/table_index/index_lookup.hpp"

#include <algorithm>

#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/table_index/keyed_fetcher.hpp"

namespace scaup {

namespace {

using Op = ScanFilter::Op;

constexpr size_t kNone = SIZE_MAX;

/// Returns the first filter on a column with one of two operators.
size_t FindFilter(const std::vector<ScanFilter>& filters, size_t column, Op first, Op second) {
  for (size_t i = 0; i < filters.size(); i++) {
    if (filters[i].column == column && (filters[i].op == first || filters[i].op == second)) return i;
  }
  return kNone;
}

}  // namespace

IndexUse UseOf(const TableIndex& index, const std::vector<ScanFilter>& filters) {
  IndexUse use;
  use.is_covered.resize(filters.size());
  if (index.is_text()) return use;
  for (const size_t column : index.columns()) {
    if (const size_t equal = FindFilter(filters, column, Op::kEqual, Op::kIsNull); equal != kNone) {
      use.equal.push_back(filters[equal].op == Op::kIsNull ? Value() : filters[equal].constant);
      use.is_covered[equal] = true;
      continue;
    }
    // The first column without an equality may have bounds; columns after it cannot narrow the range.
    const auto bound = [&](Op exclusive, Op inclusive) -> std::optional<ValueBound> {
      const size_t found = FindFilter(filters, column, exclusive, inclusive);
      if (found == kNone) return std::nullopt;
      use.is_covered[found] = true;
      return ValueBound{filters[found].constant, filters[found].op == inclusive};
    };
    use.lower = bound(Op::kGreater, Op::kGreaterEqual);
    use.upper = bound(Op::kLess, Op::kLessEqual);
    const size_t not_null = FindFilter(filters, column, Op::kIsNotNull, Op::kIsNotNull);
    if (not_null != kNone) use.is_covered[not_null] = true;
    use.without_null = use.lower || use.upper || not_null != kNone;
    break;
  }
  return use;
}

KeyRange IndexUse::Range(const TableIndex& index) const {
  KeyRange range = index.encoder().Range(equal, lower, upper);
  if (lower || upper || !without_null) return range;
  // NULLs come last, so the range ends before them.
  std::vector<Value> null_key = equal;
  null_key.emplace_back();
  range.upper = index.encoder().Range(null_key, std::nullopt, std::nullopt).lower;
  return range;
}

bool IsEmpty(const KeyRange& range) {
  return range.upper && !std::lexicographical_compare(range.lower.begin(), range.lower.end(),
                                                      range.upper->begin(), range.upper->end());
}

std::optional<IndexChoice> ChooseIndex(const TableIndexList& indexes,
                                       const std::vector<ScanFilter>& filters) {
  const TableIndexRef* best = nullptr;
  IndexUse best_use;
  for (const TableIndexRef& index : indexes) {
    IndexUse use = UseOf(*index, filters);
    // Ties go to the first index, so plans do not depend on later ones.
    if (use.Weight() == 0 || (best != nullptr && use.Weight() <= best_use.Weight())) continue;
    best = &index;
    best_use = std::move(use);
  }
  if (best == nullptr) return std::nullopt;
  const bool is_key =
      (*best)->is_unique() && best_use.equal.size() == (*best)->columns().size() &&
      std::none_of(best_use.equal.begin(), best_use.equal.end(), [](const Value& v) { return v.is_null(); });
  return IndexChoice{*best, best_use.Range(**best), is_key};
}

uint64_t MostRowsByIndex(uint64_t row_count) {
  // Reading a row by its number costs about as much as scanning 256 rows.
  constexpr uint64_t kFewRows = 64, kRowsPerFoundRow = 256;
  return kFewRows + row_count / kRowsPerFoundRow;
}

std::optional<FoundRows> FindRowsInRange(const IndexChoice& choice, const SeenIndexes& seen,
                                         uint64_t most_rows) {
  FoundRows found;
  std::vector<RowNumber>& rows = found.rows;
  const KeyRange& range = choice.range;
  if (IsEmpty(range)) return found;
  // Stops as soon as there are too many rows, so that a failed attempt is cheap.
  const auto add = [&](const std::vector<uint64_t>& values) {
    if (rows.size() + values.size() > most_rows) return false;
    for (const uint64_t value : values) {
      if (const auto row = RowOfValue(value, seen.writer)) rows.push_back(*row);
    }
    return true;
  };
  // A unique key has few entries, so a scan's setup is saved.
  if (choice.is_key) {
    std::vector<uint64_t> values;
    choice.index->tree().Lookup(range.lower, values);
    if (!add(values)) return std::nullopt;
  } else {
    OrderedIndexScan scan(choice.index->tree(), range, false);
    IndexBatch batch;
    while (scan.Next(kVectorSize, false, batch)) {
      if (!add(batch.values)) return std::nullopt;
    }
  }
  // Versions of a row may have several entries in the range.
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return found;
}

namespace {

/// Does the work of ChooseIndexForValues for one list of values of `column`.
std::optional<IndexChoiceForValues> ChooseIndexForList(const TableIndexList& indexes,
                                                       const std::vector<ScanFilter>& filters, size_t column,
                                                       const InListTest& list) {
  std::optional<IndexChoiceForValues> best;
  for (const TableIndexRef& index : indexes) {
    if (index->is_text()) continue;
    IndexChoiceForValues choice{index, {}, kNone, &list};
    for (const size_t indexed : index->columns()) {
      const size_t equal = FindFilter(filters, indexed, Op::kEqual, Op::kEqual);
      if (equal != kNone) {
        choice.equal.push_back(filters[equal].constant);
      } else if (indexed == column && choice.place == kNone) {
        choice.place = choice.equal.size();
        choice.equal.emplace_back();
      } else {
        break;
      }
    }
    const bool is_all = choice.equal.size() == index->columns().size();
    if (choice.place == kNone) {
      // A single key is cheaper than any list.
      if (is_all && index->is_unique()) return std::nullopt;
      continue;
    }
    if (!best || choice.equal.size() > best->equal.size()) best = std::move(choice);
  }
  return best;
}

}  // namespace

std::optional<IndexChoiceForValues> ChooseIndexForValues(const TableIndexList& indexes,
                                                         const std::vector<ScanFilter>& filters) {
  std::optional<IndexChoiceForValues> best;
  if (indexes.empty()) return best;
  for (const ScanFilter& filter : filters) {
    const InListTest* list = InListTest::Of(filter);
    if (list == nullptr) continue;
    auto choice = ChooseIndexForList(indexes, filters, filter.column, *list);
    if (choice && (!best || list->values().size() < best->list->values().size())) best = std::move(choice);
  }
  return best;
}

std::optional<FoundRows> FindRowsOfValues(const IndexChoiceForValues& choice, const SeenIndexes& seen,
                                          uint64_t most_rows) {
  // A longer list would exceed the limit even with one row per value.
  if (choice.list->values().size() > most_rows) return std::nullopt;
  FoundRows found{{}, {}, choice.equal.size()};
  std::vector<Value> equal = choice.equal;
  IndexBatch batch;
  for (const Value& value : choice.list->values()) {
    equal[choice.place] = value;
    KeyRange range = choice.index->encoder().Range(equal, std::nullopt, std::nullopt);
    found.keys.push_back(range.lower);
    OrderedIndexScan scan(choice.index->tree(), std::move(range), false);
    while (scan.Next(kVectorSize, false, batch)) {
      if (found.rows.size() + batch.values.size() > most_rows) return std::nullopt;
      for (const uint64_t entry : batch.values) {
        if (const auto row = RowOfValue(entry, seen.writer)) found.rows.push_back(*row);
      }
    }
  }
  std::sort(found.rows.begin(), found.rows.end());
  found.rows.erase(std::unique(found.rows.begin(), found.rows.end()), found.rows.end());
  return found;
}

RowListScan::RowListScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
                         const KernelTable& kernels, std::vector<RowNumber> rows)
    : fetcher_(std::move(view), std::move(table_columns), std::move(specification), kernels),
      rows_(std::move(rows)) {}

bool RowListScan::Next(DataChunk& output) {
  while (next_ < rows_.size()) {
    const size_t count = std::min(kVectorSize, rows_.size() - next_);
    const std::span<const RowNumber> rows(rows_.data() + next_, count);
    next_ += count;
    // Chunks without passing rows are skipped rather than returned.
    output.Release();
    auto selection = std::make_shared<SelectionVector>();
    const size_t passing = fetcher_.Fetch(rows, selection->rows);
    if (passing == 0) continue;
    fetcher_.Give(selection, passing, output);
    output.batch_index = chunk_count_++;
    return true;
  }
  return false;
}

}  // namespace scaup
