// TableReader: the way to the rows of a table within a transaction, which logs every read for validation.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "storage/table/table_read.hpp"

namespace scaup {

class TableReadPredicate;

/// A read in the order of an index, which may stop before the end. Used by one thread.
class OrderedRead {
 public:
  const TableView& view() const { return view_; }
  /// Ends the read after a row with the value `last` in the first column of the order: whatever lies behind
  /// it was not read.
  void EndAfter(const Value& last);

 private:
  friend class TableReader;
  OrderedRead(TableView view, std::optional<size_t> first_column, bool descending)
      : view_(std::move(view)), first_column_(first_column), descending_(descending) {}

  TableView view_;
  std::optional<size_t> first_column_;
  bool descending_;
  TableReadPredicate* predicate_ = nullptr;  // null if reads are not logged
};

/// Reads one table for one transaction. Each function logs what its caller is about to read, unless the
/// transaction's reads of the table are not validated, and only then hands out rows; so no reader can forget
/// it. Lint refuses Transaction::LogRead elsewhere.
///
/// A reader of kChecks logs even if the transaction's own reads are not validated: constraints must hold at
/// every isolation level.
///
/// Used by one thread, like the transaction. Made for one read: it borrows everything but the table.
class TableReader {
 public:
  enum class Purpose : uint8_t { kQuery, kChecks };
  TableReader(Transaction& transaction, std::shared_ptr<const Table> table, std::string_view table_name,
              const TableColumns& table_columns, Purpose purpose = Purpose::kQuery);

  /// Reads columns of all rows that meet a predicate; the columns of its filters count as read. Without
  /// columns and with an empty predicate it reads which rows there are.
  TableRead Read(const std::vector<size_t>& columns, ScanPredicate predicate);
  /// Reads the rows of a scan: through an index if that finds few rows, and then logs the keys alone if the
  /// filters list them, which conflicts with fewer commits.
  TableRead ReadOrLookUp(const TableScanSpecification& scan);
  /// Reads rows by keys of an index that are not known yet; TableRead::LogKey names each of them. `key_count`
  /// tells how many of the index's first columns they have.
  TableRead ReadByKeys(TableIndexRef index, size_t key_count, const TableScanSpecification& scan);
  /// Reads the rows of a scan in the order of an index. `first_column` is the first one of the order, if
  /// filters know it; `is_nullable` tells whether it may be NULL.
  OrderedRead ReadInOrder(const TableScanSpecification& scan, std::optional<size_t> first_column,
                          bool is_nullable, bool descending);

  // These functions log conclusions that the caller draws without reading the rows through this.
  /// Logs that some rows exist and have their values in `columns`.
  void ConcludeFrom(std::vector<RowNumber> rows, std::vector<size_t> columns);
  /// Logs that statistics have proved something of the rows that meet `predicate`.
  void ConcludeFromStatistics(const std::vector<size_t>& columns, ScanPredicate predicate);
  /// Logs which attributes the documents of a collection have at some paths and below.
  void ConcludeFromAttributes(std::shared_ptr<const std::set<PathId>> paths);

 private:
  bool logs() const { return purpose_ == Purpose::kChecks || transaction_.logs_reads_of(table_->id()); }
  void Log(std::unique_ptr<ReadPredicate> predicate);
  std::unique_ptr<TableReadPredicate> Predicate(const std::vector<size_t>& columns,
                                                ScanPredicate predicate) const;

  Transaction& transaction_;
  std::shared_ptr<const Table> table_;
  std::string_view table_name_;
  const TableColumns& table_columns_;
  Purpose purpose_;
};

}  // namespace scaup
