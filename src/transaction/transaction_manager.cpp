// Transactions: begin, publication of a commit, and rollback.
#include "transaction/transaction_manager.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

std::shared_ptr<Transaction> TransactionManager::Begin() {
  MutexLock lock(mutex_);
  auto transaction = std::make_shared<Transaction>(next_id_++, last_commit_, this);
  active_.Add(*transaction);
  return transaction;
}

void TransactionManager::RestrictTo(Transaction& transaction, std::vector<uint64_t> table_ids) {
  std::sort(table_ids.begin(), table_ids.end());
  MutexLock lock(mutex_);
  active_.RestrictTo(transaction, std::move(table_ids));
}

void TransactionManager::Cancel(Transaction& transaction) noexcept {
  for (auto entry = transaction.undo_.rbegin(); entry != transaction.undo_.rend(); ++entry)
    (*entry)->CancelPrepare();
}

void TransactionManager::Publish(Transaction& transaction) noexcept {
  // The transaction no longer counts as active, so it does not hold back its own garbage collection.
  active_.Remove(transaction);
  const Timestamp commit_timestamp = last_commit_ + 1;
  const Timestamp oldest_start = active_.OldestStart(commit_timestamp);
  // If no other transaction is active, no transaction can ever have to be validated against these changes.
  if (oldest_start < commit_timestamp) {
    for (const auto& entry : transaction.undo_) changes_.Add(commit_timestamp, *entry);
  }
  // Gives all versions of the transaction their timestamp at once. No reader has a start as high as this
  // before last_commit_ moves, so none sees them yet.
  transaction.stamp_->Set(commit_timestamp);
  for (auto& entry : transaction.undo_) entry->Commit(commit_timestamp, oldest_start);
  // Last, so that a new transaction that starts at this timestamp sees all of the changes or none.
  last_commit_ = commit_timestamp;
  for (auto& entry : transaction.undo_)
    old_versions_.Add(commit_timestamp, std::move(entry), active_, last_commit_);
  transaction.undo_.clear();
  transaction.locals_.clear();
  CleanUp();
}

void TransactionManager::CleanUpLater(std::unique_ptr<UndoEntry> entry) noexcept {
  MutexLock lock(mutex_);
  // Transactions that begin from now on start later than all that are active now.
  const Timestamp timestamp = ++last_commit_;
  entry->Commit(timestamp, active_.OldestStart(last_commit_));
  old_versions_.Add(timestamp, std::move(entry), active_, last_commit_);
}

void TransactionManager::CleanUp() noexcept {
  changes_.ForgetUntil(active_.OldestStart(last_commit_));
  old_versions_.CleanUp(active_, last_commit_);
}

void TransactionManager::Rollback(Transaction& transaction) {
  for (const auto& branch : transaction.branches()) branch->manager()->Rollback(*branch);
  MutexLock lock(mutex_);
  Undo(transaction);
}

void TransactionManager::RollbackTo(Transaction& transaction, size_t undo_mark) {
  // One member at most has changes. For the others the mark is not below what they have.
  for (const auto& branch : transaction.branches()) branch->manager()->RollbackTo(*branch, undo_mark);
  MutexLock lock(mutex_);
  UndoDownTo(transaction, undo_mark);
}

void TransactionManager::Undo(Transaction& transaction) noexcept {
  active_.Remove(transaction);
  // Preparations go before changes: they were made on top of them.
  Cancel(transaction);
  UndoDownTo(transaction, 0);
  transaction.locals_.clear();
  transaction.followers_.clear();
  CleanUp();
}

void TransactionManager::UndoDownTo(Transaction& transaction, size_t undo_mark) noexcept {
  while (transaction.undo_.size() > undo_mark) {
    transaction.undo_.back()->Rollback();
    transaction.undo_.pop_back();
  }
}

}  // namespace scaup
