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
  if (!transaction.undo_.empty()) {
    const Timestamp commit_timestamp = last_commit_ + 1;
    const Timestamp oldest_start = active_starts_.empty() ? commit_timestamp : *active_starts_.begin();
    for (auto& entry : transaction.undo_) entry->Commit(commit_timestamp, oldest_start);
    // Only now can a new transaction start at this timestamp: it sees all of the changes or none.
    last_commit_ = commit_timestamp;
    for (auto& entry : transaction.undo_) {
      if (entry->CleanUp(oldest_start)) continue;
      try {
        leftovers_.push_back({commit_timestamp, std::move(entry)});
      } catch (const std::exception&) {
        // No memory to remember it: what the change replaced stays until the same thing changes again.
      }
    }
    transaction.undo_.clear();
  }
  CleanUp();
}

void TransactionManager::CleanUp() noexcept {
  const Timestamp oldest_start = OldestStart();
  while (!leftovers_.empty() && leftovers_.front().commit_timestamp <= oldest_start) {
    leftovers_.front().entry->CleanUp(oldest_start);
    leftovers_.pop_front();
  }
}

void TransactionManager::Rollback(Transaction& transaction) {
  std::lock_guard lock(mutex_);
  Forget(transaction);
  while (!transaction.undo_.empty()) {
    transaction.undo_.back()->Rollback();
    transaction.undo_.pop_back();
  }
  CleanUp();
}

void TransactionManager::Forget(const Transaction& transaction) {
  const auto found = active_starts_.find(transaction.start_timestamp());
  if (found != active_starts_.end()) active_starts_.erase(found);
}

Timestamp TransactionManager::OldestStart() const {
  return active_starts_.empty() ? last_commit_ : *active_starts_.begin();
}

}  // namespace scaup
