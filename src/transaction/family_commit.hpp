// The commit of a transaction over several databases.
#pragma once

#include <vector>

#include "transaction/transaction_manager.hpp"

namespace scaup {

/// The commit of a family: one member has the changes, and what the others have read is validated in their
/// databases. Made for one commit; used by one thread.
class FamilyCommit {
 public:
  /// `root` has branches. Borrowed.
  explicit FamilyCommit(Transaction& root);
  /// Commits. If it throws, the family has been rolled back.
  void Run();

 private:
  /// Validates the readers from `next` on, each between two commits of its database, and commits the changes
  /// within.
  void ValidateFrom(size_t next);
  /// Ends the members without changes.
  void EndOthers();

  Transaction& root_;
  Transaction* changed_ = nullptr;     // null if nobody has changes
  std::vector<Transaction*> readers_;  // whose reads must be validated although another has the changes
  bool has_begun_ = false;             // the commit of `changed_`, which rolls back by itself if it fails
};

}  // namespace scaup
