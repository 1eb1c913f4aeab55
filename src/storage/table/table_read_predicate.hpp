// TableReadPredicate: what a transaction has read of a table, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "type/scan_predicate.hpp"

namespace scaup {

class RowRanges;
class TableChangeSet;

/// A read of some columns of all rows that meet a predicate; the columns of its filters count as read. Text
/// searches are ignored, so that the read counts as larger than it is. After Neumann, Mühlbauer, Kemper
/// (SIGMOD 2015), section 4: a change hits the predicate if a row passes before or after it.
class TableReadPredicate final : public ReadPredicate {
 public:
  /// `columns` and the columns of `predicate` are among `table_columns`, or kRowNumberColumn.
  TableReadPredicate(std::shared_ptr<const Table> table, std::string table_name, TableColumns table_columns,
                     const std::vector<size_t>& columns, ScanPredicate predicate);
  /// Restricts the read to rows that also pass `filter`. For callers that log a read before they have
  /// finished it.
  void Narrow(ScanFilter filter);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override;

 private:
  void AddColumn(size_t column);
  bool IsHitByInsert(const RowGroup& row_group) const;
  bool IsHitByUpdate(const TableChangeSet& changes) const;
  /// Returns whether an updated row meets the predicate, before or after, and differs in a projection that
  /// was read.
  bool AnyProjectionDiffers(const TableChangeSet& changes) const;
  /// Returns whether one of the rows, as `reader` sees them, meets the predicate.
  bool AnyPasses(const ReadView& reader, const RowRanges& rows) const;

  std::shared_ptr<const Table> table_;
  std::string table_name_;
  TableColumns table_columns_;
  std::vector<size_t> columns_;      // stored columns, ascending
  std::vector<size_t> projections_;  // those that were read
  ScanPredicate predicate_;
  std::vector<size_t> filtered_;  // the column of each filter, in the order of ForEachFilter
};

}  // namespace scaup
