// Which rows of a table a transaction has found by their keys, for precision locking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/table/table.hpp"

namespace scaup {

/// Single rows that were found to be there, and columns that were read of them. What others insert does not
/// concern it.
class RowReadPredicate final : public ReadPredicate {
 public:
  /// The transaction's own rows are left out of `rows`.
  RowReadPredicate(std::shared_ptr<const Table> table, std::string table_name, std::vector<RowNumber> rows,
                   std::vector<size_t> columns);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override;

 private:
  std::shared_ptr<const Table> table_;
  std::string table_name_;
  std::vector<RowNumber> rows_;  // Ascending.
  std::vector<size_t> columns_;  // Ascending.
};

}  // namespace scaup
