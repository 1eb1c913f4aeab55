// Finding the rows of a scan through an index, where these are few, and reading them.
#pragma once

#include <optional>
#include <vector>

#include "storage/filter/in_list.hpp"
#include "storage/scan/filtered_fetcher.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// An index whose first columns some filters fix or bound, and the keys that may pass.
struct IndexChoice {
  TableIndexRef index;
  KeyRange range;
  /// The range is a single key, its lower end, which few entries have: of a unique index, and without NULL.
  bool is_key;
};
/// The use of an index for some filters: the keys of rows that may pass.
struct IndexUse {
  std::vector<Value> equal;  ///< of the first columns
  /// Bounds of the column after them, if there is one.
  std::optional<ValueBound> lower, upper;
  bool without_null = false;  ///< it is not NULL, bounded or not
  /// By filter: whether all rows with the keys pass it.
  std::vector<bool> is_covered;

  /// How much is known: the columns that are fixed, then twice less a bounded one.
  size_t Weight() const { return 2 * equal.size() + (lower ? 1 : 0) + (upper ? 1 : 0); }
  KeyRange Range(const TableIndex& index) const;
};
IndexUse UseOf(const TableIndex& index, const std::vector<ScanFilter>& filters);

/// Whether its ends exclude every key.
bool IsEmpty(const KeyRange& range);

/// The index that the most can be expected of; none if none will do.
std::optional<IndexChoice> ChooseIndex(const TableIndexList& indexes, const std::vector<ScanFilter>& filters);

/// An index whose first columns are fixed by filters, but for one, which has a list of values.
struct IndexChoiceForValues {
  TableIndexRef index;
  std::vector<Value> equal;  ///< of the first columns; NULL in the place of the list's column
  size_t place;              ///< of that column
  const InListTest* list;    ///< borrowed from the filters
};

/// How many rows are found by an index and read one by one with less work than a scan looks at `row_count`.
uint64_t MostRowsByIndex(uint64_t row_count);

/// The rows that a scan may give, ascending, local ones last: all that the reader sees and that pass the
/// filters, and perhaps others. None, and little was done, if there is no index for it or more than
/// `most_rows`.
std::optional<std::vector<RowNumber>> FindRows(const SeenIndexes& seen,
                                               const std::vector<ScanFilter>& filters, uint64_t most_rows);

/// The index that has the most columns fixed by equalities and one InListTest, the shortest that serves an
/// index; none if no index has, or equalities alone fix all columns of a unique one.
std::optional<IndexChoiceForValues> ChooseIndexForValues(const TableIndexList& indexes,
                                                         const std::vector<ScanFilter>& filters);

/// The rows that were found for a list of values among the filters.
struct RowsOfValues {
  TableIndexRef index;
  std::vector<IndexKey> keys;  ///< that were looked up
  size_t key_count;            ///< how many of the index's first columns they have
  std::vector<RowNumber> rows;
};
std::optional<RowsOfValues> FindRowsOfValues(const SeenIndexes& seen, const std::vector<ScanFilter>& filters,
                                             uint64_t most_rows);

/// Does for listed rows what TableScan does: gives those that the view sees and that pass the filters, in
/// their order. One thread.
class RowListScan {
 public:
  RowListScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
              const KernelTable& kernels, std::vector<RowNumber> rows);
  /// As TableScan::Next, but that `output` is never empty before the end.
  bool Next(DataChunk& output);
  size_t row_count() const { return rows_.size(); }

 private:
  FilteredFetcher fetcher_;
  std::vector<RowNumber> rows_;
  size_t next_ = 0;
  uint64_t chunk_count_ = 0;
};

}  // namespace scaup
