// Version garbage collection: the participants of past commits that some transaction still needs.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "transaction/active_transactions.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// Committed undo entries whose old versions a running transaction may still read. Owned by the
/// TransactionManager, whose mutex guards it. `last_commit` is the start of the next transaction.
class OldVersions {
 public:
  /// Cleans up after an entry that has just been committed, now or later.
  void Add(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry, const ActiveTransactions& active,
           Timestamp last_commit) noexcept;
  /// Cleans up after commits that every transaction sees which may read their tables.
  void CleanUp(const ActiveTransactions& active, Timestamp last_commit) noexcept;

 private:
  struct Leftover {
    Timestamp commit_timestamp;
    std::unique_ptr<UndoEntry> entry;
  };
  // By table; each ordered by commit timestamp.
  std::map<uint64_t, std::deque<Leftover>> leftovers_;
};

}  // namespace scaup
