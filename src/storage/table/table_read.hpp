// What a transaction read of a table, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/table/table.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// All rows that pass some filters, which are ANDed; of them some columns, ascending, those of the filters
/// among them. After Neumann, Mühlbauer, Kemper (SIGMOD 2015), section 4: what was read is kept as a
/// predicate, and a change concerns it if a row passes before or after it.
class TableReadPredicate final : public ReadPredicate {
 public:
  TableReadPredicate(std::shared_ptr<const Table> table, std::string table_name, std::vector<size_t> columns,
                     std::vector<ScanFilter> filters);
  /// Says that no more was read than rows that also pass `filter`. For who notes what he is about to read,
  /// before the transaction ends.
  void Narrow(ScanFilter filter);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override;

 private:
  bool IsHitByInsert(const RowGroup& row_group) const;
  /// Whether one of the rows, as `reader` sees them, passes the filters.
  bool AnyPasses(const ReadView& reader, const std::vector<RowNumber>& rows) const;

  std::shared_ptr<const Table> table_;
  std::string table_name_;
  std::vector<size_t> columns_;
  std::vector<ScanFilter> filters_;
};

}  // namespace scaup
