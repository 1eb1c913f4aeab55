// Finding the rows of a scan through an index, where these are few, and reading them.
#pragma once

#include <optional>
#include <vector>

#include "storage/table/row_fetcher.hpp"
#include "storage/table/table_scan.hpp"

namespace scaup {

/// An index whose first columns some filters fix or bound, and the keys that may pass.
struct IndexChoice {
  TableIndexRef index;
  KeyRange range;
};
/// The index that the most can be expected of; none if none will do.
std::optional<IndexChoice> ChooseIndex(const TableIndexList& indexes, const std::vector<ScanFilter>& filters);

/// The rows that a scan may give, ascending, local ones last: all that `transaction` sees and that pass the
/// filters, and perhaps others. None, and little was done, if there is no index for it or more than
/// `most_rows`.
std::optional<std::vector<RowNumber>> FindRows(const Table& table, const Transaction& transaction,
                                               const std::vector<ScanFilter>& filters, uint64_t most_rows);

/// What TableScan does, for listed rows: gives those that the view sees and that pass the filters, in their
/// order. One thread.
class RowListScan {
 public:
  RowListScan(TableView view, std::vector<LogicalType> table_types, TableScanSpecification specification,
              const KernelTable& kernels, std::vector<RowNumber> rows);
  /// As TableScan::Next, but that `output` is never empty before the end.
  bool Next(DataChunk& output);
  size_t row_count() const { return rows_.size(); }

 private:
  bool ReadChunk(std::span<const RowNumber> rows, DataChunk& output);

  std::vector<LogicalType> table_types_;
  TableScanSpecification specification_;
  const KernelTable& kernels_;
  std::vector<RowNumber> rows_;
  size_t next_ = 0;
  uint64_t chunk_count_ = 0;
  std::vector<size_t> fetched_;  // Columns that are read: wanted ones, then those of filters.
  std::vector<LogicalType> fetched_types_;
  RowFetcher fetcher_;
};

}  // namespace scaup
