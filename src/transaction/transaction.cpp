// Transactions: begin, publication of a commit, rollback and version garbage collection.
#include "transaction/transaction.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

std::shared_ptr<Transaction> TransactionManager::Begin() {
  MutexLock lock(mutex_);
  auto transaction = std::make_shared<Transaction>(next_id_++, last_commit_);
  active_.emplace(last_commit_, transaction.get());
  return transaction;
}

void TransactionManager::RestrictTo(Transaction& transaction, std::vector<uint64_t> table_ids) {
  std::sort(table_ids.begin(), table_ids.end());
  MutexLock lock(mutex_);
  transaction.only_tables_ = std::move(table_ids);
}

void TransactionManager::Cancel(Transaction& transaction) noexcept {
  for (auto entry = transaction.undo_.rbegin(); entry != transaction.undo_.rend(); ++entry)
    (*entry)->CancelPrepare();
}

void TransactionManager::Publish(Transaction& transaction) noexcept {
  // The transaction no longer counts as active, so it does not hold back its own garbage collection.
  Forget(transaction);
  const Timestamp commit_timestamp = last_commit_ + 1;
  const Timestamp oldest_start = active_.empty() ? commit_timestamp : active_.begin()->first;
  // If no other transaction is active, no transaction can ever have to be validated against these changes.
  if (oldest_start < commit_timestamp) {
    for (const auto& entry : transaction.undo_) {
      auto changes = entry->Changes();
      if (!changes) continue;
      try {
        changes_.push_back({commit_timestamp, std::move(changes)});
      } catch (const std::exception&) {
        // Without memory for the changes no transaction can be validated against them. So every transaction
        // that began before this commit has to fail validation; see ChangesSince.
        changes_.clear();
        validation_floor_ = commit_timestamp;
      }
    }
  }
  // Gives all versions of the transaction their timestamp at once. No reader has a start as high as this
  // before last_commit_ moves, so none sees them yet.
  transaction.stamp_->Set(commit_timestamp);
  for (auto& entry : transaction.undo_) entry->Commit(commit_timestamp, oldest_start);
  // Last, so that a new transaction that starts at this timestamp sees all of the changes or none.
  last_commit_ = commit_timestamp;
  for (auto& entry : transaction.undo_) {
    if (!entry->CleanUp(OldestStart(entry->table_id()))) AddLeftover(commit_timestamp, std::move(entry));
  }
  transaction.undo_.clear();
  transaction.locals_.clear();
  CleanUp();
}

void TransactionManager::CleanUpLater(std::unique_ptr<UndoEntry> entry) noexcept {
  MutexLock lock(mutex_);
  // Transactions that begin from now on start later than all that are active now.
  const Timestamp timestamp = ++last_commit_;
  entry->Commit(timestamp, OldestStart());
  if (!entry->CleanUp(OldestStart(entry->table_id()))) AddLeftover(timestamp, std::move(entry));
}

void TransactionManager::AddLeftover(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry) noexcept {
  try {
    leftovers_[entry->table_id()].push_back({commit_timestamp, std::move(entry)});
  } catch (const std::exception&) {
    // Without memory to remember the entry, the old versions stay until the same object changes again.
  }
}

void TransactionManager::CleanUp() noexcept {
  const Timestamp oldest_start = OldestStart();
  while (!changes_.empty() && changes_.front().commit_timestamp <= oldest_start) changes_.pop_front();
  for (auto queue = leftovers_.begin(); queue != leftovers_.end();) {
    auto& [table_id, entries] = *queue;
    // Entries that all active transactions see are cleaned up in any case. For the others, only transactions
    // that may read this table matter.
    const Timestamp oldest =
        entries.front().commit_timestamp <= oldest_start ? oldest_start : OldestStart(table_id);
    while (!entries.empty() && entries.front().commit_timestamp <= oldest) {
      entries.front().entry->CleanUp(oldest);
      entries.pop_front();
    }
    queue = entries.empty() ? leftovers_.erase(queue) : std::next(queue);
  }
}

void TransactionManager::Rollback(Transaction& transaction) {
  MutexLock lock(mutex_);
  Undo(transaction);
}

void TransactionManager::RollbackTo(Transaction& transaction, size_t undo_mark) {
  MutexLock lock(mutex_);
  UndoDownTo(transaction, undo_mark);
}

void TransactionManager::Undo(Transaction& transaction) noexcept {
  Forget(transaction);
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

void TransactionManager::Forget(const Transaction& transaction) noexcept {
  // Several transactions may have the same start.
  const auto range = active_.equal_range(transaction.start_timestamp());
  const auto found =
      std::find_if(range.first, range.second, [&](const auto& item) { return item.second == &transaction; });
  if (found != range.second) active_.erase(found);
}

Timestamp TransactionManager::OldestStart() const {
  return active_.empty() ? last_commit_ : active_.begin()->first;
}

Timestamp TransactionManager::OldestStart(uint64_t table_id) const {
  for (const auto& [start, transaction] : active_) {
    const auto& only = transaction->only_tables_;
    const bool may_read = table_id == 0 || !only || std::binary_search(only->begin(), only->end(), table_id);
    if (may_read) return start;
  }
  return last_commit_;
}

}  // namespace scaup
