// KeyedFetcher: reads the rows that index entries name, and drops those that no longer have the key.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "storage/scan/filtered_fetcher.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// Returns the row that an entry's value names; nullopt if it is an uncommitted row of another transaction.
/// `writer` is the reader's number in IndexValue, if it has one.
std::optional<RowNumber> RowOfValue(uint64_t value, std::optional<uint32_t> writer);

/// Fetches and filters rows like FilteredFetcher, for entries of an index. Used by one thread.
class KeyedFetcher {
 public:
  /// An entry that was found: its row, and the caller's number for it.
  struct Candidate {
    RowNumber row;
    size_t number;
  };
  /// The tracker must outlive this.
  KeyedFetcher(TableView view, TableColumns table_columns, TableScanSpecification specification,
               const KernelTable& kernels, TableIndexRef index, MemoryTracker& memory);

  /// A candidate whose row has the key: the caller's number, and the position of the row for Give.
  struct Found {
    size_t number;
    sel_t row;
  };
  /// Reads the rows of at most 1024 candidates, which it sorts. `found` receives those that the view sees
  /// with the complete key of their entry and that pass the filters, ordered by number.
  void Fetch(std::vector<Candidate>& candidates, const std::function<KeyBytes(size_t number)>& key_of,
             std::vector<Found>& found);
  /// These work as in FilteredFetcher.
  Vector& ColumnOf(size_t column) { return fetcher_.ColumnOf(column); }
  void Give(const SelectionRef& selection, size_t count, DataChunk& output) {
    fetcher_.Give(selection, count, output);
  }

 private:
  FilteredFetcher fetcher_;
  TableIndexRef index_;
  std::vector<RowNumber> listed_;  // rows of the candidates, without duplicates
  std::vector<size_t> first_of_;   // where the candidates of each row begin
  IndexKeys keys_;
};

}  // namespace scaup
