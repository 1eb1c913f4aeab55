// The transactions that run, by their snapshots.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "transaction/transaction.hpp"

namespace scaup {

/// The running transactions and their starts, which decide how far back old versions are needed. Owned by the
/// TransactionManager, whose mutex guards it. Refers to a transaction from Add to Remove.
class ActiveTransactions {
 public:
  void Add(const Transaction& transaction);
  void Remove(const Transaction& transaction) noexcept;
  /// Declares that a transaction will read only these tables. REQUIRES: the ids are sorted.
  void RestrictTo(const Transaction& transaction, std::vector<uint64_t> table_ids);
  /// Returns the lowest start; `none` if no transaction runs.
  Timestamp OldestStart(Timestamp none) const;
  /// Returns the lowest start among the transactions that may read the table. Id 0 means all tables.
  Timestamp OldestStart(uint64_t table_id, Timestamp none) const;

 private:
  struct Active {
    const Transaction* transaction;
    // Sorted; none if it may read all tables.
    std::optional<std::vector<uint64_t>> only_tables = std::nullopt;
  };
  using ByStart = std::multimap<Timestamp, Active>;
  ByStart::iterator Find(const Transaction& transaction);

  ByStart by_start_;
};

}  // namespace scaup
