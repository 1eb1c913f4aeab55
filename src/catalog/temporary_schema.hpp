// The schema of one session's temporary relations.
#pragma once

#include <atomic>
#include <memory>

#include "catalog/catalog_set.hpp"
#include "transaction/transaction.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

/// The temporary relations of one session. It is no part of the database's schemas: only transactions that
/// have entered it see it, under the name pg_temp, so neither other sessions nor checkpoints do. Shared by
/// the session and its transactions; the relations are gone with the last of them.
class TemporarySchema final : public TransactionLocal, public std::enable_shared_from_this<TemporarySchema> {
 public:
  TemporarySchema() : entry_(std::make_shared<SchemaEntry>(kTemporarySchema)) {}

  const SchemaEntryRef& entry() const { return entry_; }
  bool IsEmpty(const Transaction& transaction) const {
    return entry_->relations->List(transaction).empty() && entry_->functions->List(transaction).empty();
  }
  /// Returns whether a statement of the session may have created a relation in it. Before, transactions need
  /// not enter it.
  bool is_used() const { return is_used_; }
  /// Lets a transaction see the schema, from now to its end.
  void Enter(Transaction& transaction);
  /// Notes that some relation has an action for the end of transactions, so that commits look for it.
  void NoteCommitAction() const { has_commit_actions_ = true; }
  bool has_commit_actions() const { return has_commit_actions_; }

  /// Returns the schema that a transaction has entered; null if none.
  static const TemporarySchema* Of(const Transaction& transaction);

 private:
  SchemaEntryRef entry_;
  std::atomic<bool> is_used_{false};
  mutable std::atomic<bool> has_commit_actions_{false};
};

}  // namespace scaup
