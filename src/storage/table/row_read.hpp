// RowReadPredicate: single rows that a transaction has read, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/table/table.hpp"

namespace scaup {

/// A read of some columns of single rows that were found to exist. Inserts by other transactions do not hit
/// it.
class RowReadPredicate final : public ReadPredicate {
 public:
  /// Drops the transaction's own rows from `rows`.
  RowReadPredicate(std::shared_ptr<const Table> table, std::string table_name, std::vector<RowNumber> rows,
                   std::vector<size_t> columns);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override;

 private:
  std::shared_ptr<const Table> table_;
  std::string table_name_;
  std::vector<RowNumber> rows_;  // ascending
  std::vector<size_t> columns_;  // ascending
};

}  // namespace scaup
