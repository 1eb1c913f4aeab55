// The changes of past commits, against which reads are validated.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "transaction/transaction.hpp"

namespace scaup {

/// The changes of commits that active transactions may have to be validated against, in the order of the
/// commits. Owned by the TransactionManager, whose mutex guards it.
class CommittedChanges {
 public:
  /// Adds what a participant changed, after Prepare.
  void Add(Timestamp commit_timestamp, const UndoEntry& entry) noexcept;
  /// Returns the changes that were committed since the transaction began. Throws Error(kTransaction, 40001)
  /// if they are not known any more.
  std::vector<std::shared_ptr<const ChangeSet>> Since(const Transaction& transaction) const;
  /// Forgets the changes that all transactions see which began at `oldest_start` or later.
  void ForgetUntil(Timestamp oldest_start) noexcept;

 private:
  struct Change {
    Timestamp commit_timestamp;
    std::shared_ptr<const ChangeSet> changes;
  };
  std::deque<Change> changes_;
  // Changes up to here are not known, see Add.
  Timestamp floor_ = 0;
};

}  // namespace scaup
