// What a transaction read of a table, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/snapshot/table_columns.hpp"
#include "storage/table/table.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

class TableChangeSet;

/// All rows that pass some filters, which are ANDed; of them some columns, ascending, those of the filters
/// among them. After Neumann, Mühlbauer, Kemper (SIGMOD 2015), section 4: what was read is kept as a
/// predicate, and a change concerns it if a row passes before or after it.
class TableReadPredicate final : public ReadPredicate {
 public:
  /// `columns` and those of filters are among `table_columns`, or kRowNumberColumn.
  TableReadPredicate(std::shared_ptr<const Table> table, std::string table_name, TableColumns table_columns,
                     const std::vector<size_t>& columns, std::vector<ScanFilter> filters);
  /// Says that no more was read than rows that also pass `filter`. For who notes what he is about to read,
  /// before the transaction ends.
  void Narrow(ScanFilter filter);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override;

 private:
  void AddColumn(size_t column);
  bool IsHitByInsert(const RowGroup& row_group) const;
  bool IsHitByUpdate(const TableChangeSet& changes) const;
  /// Whether one of the rows that were updated passes the filters, before or after, and has other values in
  /// the projections that were read.
  bool AnyProjectionDiffers(const TableChangeSet& changes) const;
  /// Whether one of the rows, as `reader` sees them, passes the filters.
  bool AnyPasses(const ReadView& reader, const std::vector<RowNumber>& rows) const;

  std::shared_ptr<const Table> table_;
  std::string table_name_;
  TableColumns table_columns_;
  std::vector<size_t> columns_;      // Stored ones, ascending.
  std::vector<size_t> projections_;  // Those that were read.
  std::vector<ScanFilter> filters_;
};

}  // namespace scaup
