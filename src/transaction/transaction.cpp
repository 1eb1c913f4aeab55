// Transactions: timestamps, commit and rollback.
#include "transaction/transaction.hpp"

namespace scaup {

std::shared_ptr<Transaction> TransactionManager::Begin() {
  std::lock_guard lock(mutex_);
  auto transaction = std::make_shared<Transaction>(next_id_++, last_commit_);
  active_starts_.insert(last_commit_);
  return transaction;
}

void TransactionManager::Commit(Transaction& transaction) {
  std::lock_guard lock(mutex_);
  Forget(transaction);
  if (transaction.undo_.empty()) return;
  const Timestamp commit_timestamp = last_commit_ + 1;
  for (auto& entry : transaction.undo_) entry->Commit(commit_timestamp, OldestStart());
  // Only now can a new transaction start at this timestamp: it sees all of the changes or none.
  last_commit_ = commit_timestamp;
  transaction.undo_.clear();
}

void TransactionManager::Rollback(Transaction& transaction) {
  std::lock_guard lock(mutex_);
  Forget(transaction);
  while (!transaction.undo_.empty()) {
    transaction.undo_.back()->Rollback();
    transaction.undo_.pop_back();
  }
}

void TransactionManager::Forget(const Transaction& transaction) {
  const auto found = active_starts_.find(transaction.start_timestamp());
  if (found != active_starts_.end()) active_starts_.erase(found);
}

Timestamp TransactionManager::OldestStart() const {
  return active_starts_.empty() ? last_commit_ : *active_starts_.begin();
}

}  // namespace scaup
