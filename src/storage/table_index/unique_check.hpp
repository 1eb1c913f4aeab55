// KeyHolderTest: tells which row holds a key of a unique index.
#pragma once

#include <memory>
#include <optional>

#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

/// Tells what entries of an index mean for one transaction. Made for one statement, as it reads the rows that
/// its transaction has inserted so far. Used by one thread.
class KeyHolderTest {
 public:
  enum class Holder {
    kNone,     ///< no row that counts: it is gone or has another key
    kVisible,  ///< a row that the transaction sees
    kUnseen    ///< a change that the transaction does not see, so it conflicts
  };
  /// `view` is the table as the transaction sees it, `writer` its number in IndexValue, if it has one.
  /// Borrows the index; the tracker must outlive this.
  KeyHolderTest(TableView view, TableColumns table_columns, const TableIndex& index,
                std::optional<uint32_t> writer, MemoryTracker& memory);

  Holder Test(KeyBytes key, uint64_t value);
  /// Returns the row of an entry, as the transaction names it.
  static RowNumber RowOf(uint64_t value) {
    return IndexValue::IsLocal(value) ? IndexValue::LocalRowOf(value) : value;
  }

 private:
  bool IsVisibleWithKey(RowNumber row, KeyBytes key);

  TableView view_;
  TableColumns table_columns_;
  const TableIndex& index_;
  std::optional<uint32_t> writer_;
  std::optional<RowFetcher> fetcher_;
  IndexKeys keys_;
};

/// Throws Error(kConstraint, 23505).
[[noreturn]] void ThrowDuplicateKey(const TableIndex& index, DataChunk& key_columns, size_t row);
/// Throws Error(kTransaction, 40001).
[[noreturn]] void ThrowKeyConflict(const TableIndex& index, std::string_view table_name);

}  // namespace scaup
