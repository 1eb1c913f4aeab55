// Reads the rows that an index names for some keys, and keeps those that have these keys.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "storage/scan/filtered_fetcher.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// The row that an entry's value names; none where that is one of another transaction. `writer`: the reader's
/// number in IndexValue, if it has one.
std::optional<RowNumber> RowOfValue(uint64_t value, std::optional<uint32_t> writer);

/// As FilteredFetcher, for entries of an index. One thread.
class KeyedFetcher {
 public:
  /// An entry that was found: its row, and by which number the caller knows it.
  struct Candidate {
    RowNumber row;
    size_t number;
  };
  /// The tracker must outlive this.
  KeyedFetcher(TableView view, TableColumns table_columns, TableScanSpecification specification,
               const KernelTable& kernels, TableIndexRef index, MemoryTracker& memory);

  /// Reads the rows of at most 1024 candidates, which it sorts. Puts those that the view sees with the whole
  /// key of their entry, and that pass the filters, into `found`, by number: each with where Give has its
  /// row.
  struct Found {
    size_t number;
    sel_t row;
  };
  void Fetch(std::vector<Candidate>& candidates, const std::function<KeyBytes(size_t number)>& key_of,
             std::vector<Found>& found);
  /// As those of FilteredFetcher.
  Vector& ColumnOf(size_t column) { return fetcher_.ColumnOf(column); }
  void Give(const SelectionRef& selection, size_t count, DataChunk& output) {
    fetcher_.Give(selection, count, output);
  }

 private:
  FilteredFetcher fetcher_;
  TableIndexRef index_;
  std::vector<RowNumber> listed_;  // Rows of the candidates, each once,
  std::vector<size_t> first_of_;   // and where its candidates begin.
  IndexKeys keys_;
};

}  // namespace scaup
