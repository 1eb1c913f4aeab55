// Reads rows of a table in the order of an index.
#pragma once

#include <utility>
#include <vector>

#include "storage/table_index/keyed_fetcher.hpp"

namespace scaup {

/// The rows with keys in a range, in the order of the keys or the other way, as far as a view sees them with
/// these keys and they pass some filters. Rows with the same key come in any order. One thread.
class IndexOrderScan {
 public:
  /// `writer`: the reader's number in IndexValue, if it has one. The tracker must outlive this.
  IndexOrderScan(TableView view, TableColumns table_columns, TableScanSpecification specification,
                 const KernelTable& kernels, std::optional<uint32_t> writer, TableIndexRef index,
                 KeyRange range, bool descending, MemoryTracker& memory);

  /// Looks at up to `most` > 0 more entries and fills `output` (after Release) with their rows, perhaps none.
  /// False when there are no more entries.
  bool Next(size_t most, DataChunk& output);
  /// Entries that were looked at.
  uint64_t entry_count() const { return entry_count_; }
  /// The value that row `row` of the last output has in a column of the index.
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
  SelectionRef given_;  // Rows of the last output.
  uint64_t entry_count_ = 0;
  uint64_t chunk_count_ = 0;
};

}  // namespace scaup
