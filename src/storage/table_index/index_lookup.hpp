// Finds the rows of a scan through an index if they are few, and reads them.
#pragma once

#include <optional>
#include <vector>

#include "storage/scan/filtered_fetcher.hpp"
#include "storage/table_index/table_index.hpp"
#include "vector/filter/in_list.hpp"

namespace scaup {

/// An index whose first columns are fixed or bounded by filters, and the range of keys that may pass.
struct IndexChoice {
  TableIndexRef index;
  KeyRange range;
  /// Whether the range is a single key, its lower end, that has few entries: a key without NULL in a unique
  /// index.
  bool is_key;
};
/// How an index serves some filters: the keys of rows that may pass.
struct IndexUse {
  std::vector<Value> equal;  ///< values of the first columns
  /// Bounds of the next column, if there are any.
  std::optional<ValueBound> lower, upper;
  bool without_null = false;  ///< the next column is not NULL, bounded or not
  /// By filter: whether all rows with the keys pass it.
  std::vector<bool> is_covered;

  /// Returns how selective the use is: two for each fixed column and one for each bound.
  size_t Weight() const { return 2 * equal.size() + (lower ? 1 : 0) + (upper ? 1 : 0); }
  KeyRange Range(const TableIndex& index) const;
};
IndexUse UseOf(const TableIndex& index, const std::vector<ScanFilter>& filters);

/// Returns whether the ends of the range exclude every key.
bool IsEmpty(const KeyRange& range);

/// Returns the most selective index for the filters; nullopt if none is usable.
std::optional<IndexChoice> ChooseIndex(const TableIndexList& indexes, const std::vector<ScanFilter>& filters);

/// The rows that an index has found.
struct FoundRows {
  /// Ascending, local rows last. They include all rows that the reader sees and that meet the predicate, and
  /// perhaps others.
  std::vector<RowNumber> rows;
  /// The keys that were looked up, if an IN list names them, and how many of the index's first columns they
  /// have.
  std::vector<IndexKey> keys = {};
  size_t key_count = 0;
};

/// An index whose first columns are fixed by filters, except one column, which has a list of values.
struct IndexChoiceForValues {
  TableIndexRef index;
  std::vector<Value> equal;  ///< of the first columns; NULL in the place of the list's column
  size_t place;              ///< position of the list's column in `equal`
  const InListTest* list;    ///< borrowed from the filters
};

/// Returns up to how many rows an index lookup with single reads is cheaper than a scan of `row_count` rows.
uint64_t MostRowsByIndex(uint64_t row_count);

/// Returns the rows with keys in the range. Returns nullopt, after little work, if there are more than
/// `most_rows`.
std::optional<FoundRows> FindRowsInRange(const IndexChoice& choice, const SeenIndexes& seen,
                                         uint64_t most_rows);

/// Returns an index with columns fixed by equalities and one InListTest. Among several lists it takes the
/// shortest, and for this list the index with the most fixed columns. Returns nullopt if there is none, or if
/// equalities alone fix all columns of a unique index.
std::optional<IndexChoiceForValues> ChooseIndexForValues(const TableIndexList& indexes,
                                                         const std::vector<ScanFilter>& filters);

/// Returns the rows with each value of the list. Returns nullopt if there are more than `most_rows`.
std::optional<FoundRows> FindRowsOfValues(const IndexChoiceForValues& choice, const SeenIndexes& seen,
                                          uint64_t most_rows);

/// Does for a list of rows what TableScan does for a table: returns those that the view sees and that pass
/// the filters, in the list's order. Used by one thread.
class RowListScan {
 public:
  RowListScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
              const KernelTable& kernels, std::vector<RowNumber> rows);
  /// Works as TableScan::Next, except that `output` is never empty before the end.
  bool Next(DataChunk& output);
  size_t row_count() const { return rows_.size(); }

 private:
  FilteredFetcher fetcher_;
  std::vector<RowNumber> rows_;
  size_t next_ = 0;
  uint64_t chunk_count_ = 0;
};

}  // namespace scaup
