// Transactions: timestamps, validation, commit and rollback.
#include "transaction/transaction.hpp"

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// Throws when a change concerns what a transaction read.
void CheckRead(const ReadPredicate& predicate, const ChangeSet& changes) {
  if (predicate.table_id != changes.table_id || !predicate.IsHitBy(changes)) return;
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             "could not serialize access: another transaction has changed " + predicate.Describe() +
                 ", which this one had read; run the transaction again");
}

}  // namespace

std::shared_ptr<Transaction> TransactionManager::Begin() {
  std::lock_guard lock(mutex_);
  auto transaction = std::make_shared<Transaction>(next_id_++, last_commit_);
  active_.emplace(last_commit_, transaction.get());
  return transaction;
}

void TransactionManager::RestrictTo(Transaction& transaction, std::vector<uint64_t> table_ids) {
  std::sort(table_ids.begin(), table_ids.end());
  std::lock_guard lock(mutex_);
  transaction.only_tables_ = std::move(table_ids);
}

void TransactionManager::Commit(Transaction& transaction) {
  if (!transaction.has_changes()) {
    // It read one state, that of its start, and takes its place there in the serial order.
    std::lock_guard lock(mutex_);
    Forget(transaction);
    return CleanUp();
  }
  // Who keeps the transaction object shall not keep tables with it.
  const auto followers = std::exchange(transaction.followers_, {});
  Request request{transaction, {}, nullptr};
  std::unique_lock lock(commit_mutex_);
  try {
    waiting_.push_back(&request);
  } catch (...) {
    lock.unlock();
    Rollback(transaction);
    throw;
  }
  commit_done_.wait(lock, [&] { return request.is_done || !has_leader_; });
  if (!request.is_done) {
    has_leader_ = true;
    const std::vector<Request*> group = std::exchange(waiting_, {});
    lock.unlock();
    SettleGroup(group);
    lock.lock();
    for (Request* member : group) member->is_done = true;
    has_leader_ = false;
    commit_done_.notify_all();
  }
  lock.unlock();
  if (request.error) std::rethrow_exception(request.error);
  for (const auto& follower : followers) follower->AfterCommit(*this);
}

void TransactionManager::SettleGroup(const std::vector<Request*>& group) {
  std::exception_ptr error;
  try {
    std::vector<std::span<const std::byte>> payloads;
    payloads.reserve(group.size());
    std::vector<std::shared_ptr<const ChangeSet>> group_changes;
    for (Request* request : group) {
      try {
        PrepareRequest(*request, group_changes);
        if (request->payload.size() != 0) payloads.push_back(request->payload.bytes());
      } catch (...) {
        request->error = std::current_exception();
      }
    }
    if (!payloads.empty()) log_->Append(payloads);
  } catch (...) {
    error = std::current_exception();
  }
  for (Request* request : group) {
    if (!request->error) request->error = error;
    Settle(*request);
  }
}

void TransactionManager::PrepareRequest(Request& request,
                                        std::vector<std::shared_ptr<const ChangeSet>>& group_changes) {
  Transaction& transaction = request.transaction;
  Validate(transaction, group_changes);
  try {
    for (const auto& entry : transaction.undo_) entry->Prepare();
    if (log_ != nullptr) {
      for (const auto& entry : transaction.undo_) entry->Log(request.payload);
    }
    for (const auto& entry : transaction.undo_) {
      if (auto changes = entry->Changes()) group_changes.push_back(std::move(changes));
    }
  } catch (...) {
    // At once, so that nobody prepares on top of what will not be.
    Cancel(transaction);
    throw;
  }
}

void TransactionManager::Validate(const Transaction& transaction,
                                  const std::vector<std::shared_ptr<const ChangeSet>>& group_changes) const {
  if (transaction.predicates_.empty() || !validates_.load(std::memory_order_relaxed)) return;
  auto changes = ChangesSince(transaction);
  changes.insert(changes.end(), group_changes.begin(), group_changes.end());
  for (const auto& predicate : transaction.predicates_) {
    for (const auto& change : changes) CheckRead(*predicate, *change);
  }
}

std::vector<std::shared_ptr<const ChangeSet>> TransactionManager::ChangesSince(
    const Transaction& transaction) const {
  std::vector<std::shared_ptr<const ChangeSet>> since;
  std::lock_guard lock(mutex_);
  if (transaction.start_timestamp() < validation_floor_) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
               "could not serialize access: there was no memory to remember what other transactions changed "
               "meanwhile; run the transaction again");
  }
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->commit_timestamp <= transaction.start_timestamp()) break;
    since.push_back(change->changes);
  }
  return since;
}

void TransactionManager::Cancel(Transaction& transaction) noexcept {
  for (auto entry = transaction.undo_.rbegin(); entry != transaction.undo_.rend(); ++entry)
    (*entry)->CancelPrepare();
}

void TransactionManager::Settle(Request& request) noexcept {
  std::lock_guard lock(mutex_);
  if (request.error) {
    Undo(request.transaction);
  } else {
    Publish(request.transaction);
  }
}

void TransactionManager::RunBetweenCommits(const std::function<void()>& body) {
  std::unique_lock lock(commit_mutex_);
  commit_done_.wait(lock, [&] { return !has_leader_; });
  has_leader_ = true;
  lock.unlock();
  const auto end = [&] {
    lock.lock();
    has_leader_ = false;
    commit_done_.notify_all();
  };
  try {
    body();
  } catch (...) {
    end();
    throw;
  }
  end();
}

void TransactionManager::Publish(Transaction& transaction) noexcept {
  Forget(transaction);
  const Timestamp commit_timestamp = last_commit_ + 1;
  const Timestamp oldest_start = active_.empty() ? commit_timestamp : active_.begin()->first;
  if (oldest_start < commit_timestamp) {
    for (const auto& entry : transaction.undo_) {
      auto changes = entry->Changes();
      if (!changes) continue;
      try {
        changes_.push_back({commit_timestamp, std::move(changes)});
      } catch (const std::exception&) {
        // Nobody is checked against what is not remembered: those who would have to be must not commit.
        changes_.clear();
        validation_floor_ = commit_timestamp;
      }
    }
  }
  transaction.stamp_->Set(commit_timestamp);
  for (auto& entry : transaction.undo_) entry->Commit(commit_timestamp, oldest_start);
  // Only now can a new transaction start at this timestamp: it sees all of the changes or none.
  last_commit_ = commit_timestamp;
  for (auto& entry : transaction.undo_) {
    if (!entry->CleanUp(OldestStart(entry->table_id()))) AddLeftover(commit_timestamp, std::move(entry));
  }
  transaction.undo_.clear();
  transaction.locals_.clear();
  CleanUp();
}

void TransactionManager::CleanUpLater(std::unique_ptr<UndoEntry> entry) {
  std::lock_guard lock(mutex_);
  // Those who begin from now on start later than those who are active.
  const Timestamp timestamp = ++last_commit_;
  entry->Commit(timestamp, OldestStart());
  if (!entry->CleanUp(OldestStart(entry->table_id()))) AddLeftover(timestamp, std::move(entry));
}

void TransactionManager::AddLeftover(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry) noexcept {
  try {
    leftovers_[entry->table_id()].push_back({commit_timestamp, std::move(entry)});
  } catch (const std::exception&) {
    // No memory to remember it: what the change replaced stays until the same thing changes again.
  }
}

void TransactionManager::CleanUp() noexcept {
  const Timestamp oldest_start = OldestStart();
  while (!changes_.empty() && changes_.front().commit_timestamp <= oldest_start) changes_.pop_front();
  for (auto queue = leftovers_.begin(); queue != leftovers_.end();) {
    auto& [table_id, entries] = *queue;
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
  std::lock_guard lock(mutex_);
  Undo(transaction);
}

void TransactionManager::RollbackTo(Transaction& transaction, size_t undo_mark) {
  std::lock_guard lock(mutex_);
  UndoDownTo(transaction, undo_mark);
}

void TransactionManager::Undo(Transaction& transaction) noexcept {
  Forget(transaction);
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
