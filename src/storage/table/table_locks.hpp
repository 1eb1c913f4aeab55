// TableLocks: which transactions may write to a table, and under which number each of them does.
#pragma once

#include <map>
#include <memory>
#include <string_view>

#include "common/lock/mutex.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The transaction and the table name of a change. Borrowed.
struct TableWrite {
  Transaction& transaction;
  std::string_view table_name;  ///< for messages
};

/// The writers of a table, and the transaction that alters or drops it, which excludes them. No transaction
/// waits for another: the later one gets Error(kTransaction, 40001). Thread-safe. Owned by the table and by
/// the undo entries of transactions that altered it.
class TableLocks final : public std::enable_shared_from_this<TableLocks> {
 public:
  /// Registers a writer until EndWriter. Returns its number in IndexValue. Throws Error(kTransaction, 40001)
  /// if another transaction alters or drops the table, if a rule changed since this one began, or if there
  /// are more writers than numbers.
  uint32_t BeginWriter(const TableWrite& write);
  void EndWriter(const Transaction& transaction) noexcept;
  /// Excludes all other writers until the transaction ends. Throws Error(kTransaction, 40001) if there are
  /// any.
  void BeginAlter(const TableWrite& write);
  /// Prepares a change of a constraint that statements read from the catalog: as BeginAlter, and transactions
  /// that began before the commit may not write afterwards.
  void BeginRuleChange(const TableWrite& write);
  /// Prepares a DROP, or an ALTER that gives the table another storage: from now on no other transaction may
  /// change the table. Throws Error(kTransaction, 40001) if another transaction has changes to it or drops
  /// it. The lock outlasts the commit.
  void BeginDrop(const TableWrite& write);
  /// Ends the lock after the drop was rolled back.
  void CancelDrop() noexcept;
  /// Returns whether this transaction drops the table.
  bool IsDroppedBy(const Transaction& transaction) const;

 private:
  class AlterUndo;
  class RuleUndo;
  /// Throws Error(kTransaction, 40001) if another transaction writes, alters or drops.
  void RequireAlone(const TableWrite& write) const SCAUP_REQUIRES_LOCK(mutex_);

  mutable Mutex mutex_;
  // Transactions with changes that have not ended, and their numbers.
  std::map<Timestamp, uint32_t> writers_ SCAUP_GUARDED_BY(mutex_);
  Timestamp rules_since_ SCAUP_GUARDED_BY(mutex_) = 0;  // older transactions do not know all constraints
  Timestamp altered_by_ SCAUP_GUARDED_BY(mutex_) = 0;   // the only transaction that may write; 0 if any may
  // The transaction that drops or dropped the table; 0 if none.
  Timestamp dropped_by_ SCAUP_GUARDED_BY(mutex_) = 0;
};

}  // namespace scaup
