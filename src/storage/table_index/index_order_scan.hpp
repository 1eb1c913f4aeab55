// IndexOrderScan: reads rows of a table in the order of an index.
#pragma once

#include <utility>
#include <vector>

#include "storage/index/ordered_index.hpp"
#include "storage/index/radix_scan.hpp"
#include "storage/table_index/keyed_fetcher.hpp"

namespace scaup {

/// Reads the rows with keys in a range, in ascending or descending key order. It returns rows that the view
/// sees with these keys and that pass the filters. Rows with equal keys come in any order. Used by one
/// thread.
class IndexOrderScan {
 public:
  /// `writer` is the reader's number in IndexValue, if it has one. The tracker must outlive the scan.
  IndexOrderScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
                 const KernelTable& kernels, std::optional<uint32_t> writer, TableIndexRef index,
                 KeyRange range, bool descending, MemoryTracker& memory);

  /// Inspects up to `most` > 0 more entries and fills `output`, which must have been released, with their
  /// rows, possibly none. Returns false when there are no more entries.
  bool Next(size_t most, DataChunk& output);
  /// Returns the number of entries inspected so far.
  uint64_t entry_count() const { return entry_count_; }
  /// Returns the value of row `row` of the last output in a column of the index.
  Value KeyValue(size_t column, size_t row);

 private:
  KeyedFetcher fetcher_;
  std::optional<uint32_t> writer_;
  TableIndexRef index_;
  OrderedIndexScan scan_;
  bool is_empty_;
  IndexBatch batch_;
  std::vector<KeyedFetcher::Candidate> candidates_;
  std::vector<KeyedFetcher::Found> found_;
  SelectionRef given_;  // rows of the last output
  uint64_t entry_count_ = 0;
  uint64_t chunk_count_ = 0;
};

}  // namespace scaup
