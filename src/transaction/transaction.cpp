// Transactions: timestamps, commit and rollback.
#include "transaction/transaction.hpp"

#include <utility>

namespace scaup {

std::shared_ptr<Transaction> TransactionManager::Begin() {
  std::lock_guard lock(mutex_);
  auto transaction = std::make_shared<Transaction>(next_id_++, last_commit_);
  active_starts_.insert(last_commit_);
  return transaction;
}

void TransactionManager::Commit(Transaction& transaction) {
  if (log_ == nullptr || transaction.undo_.empty()) {
    std::lock_guard lock(mutex_);
    try {
      Prepare(transaction);
    } catch (...) {
      Undo(transaction);
      throw;
    }
    Publish(transaction);
    return;
  }
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
    LogGroup(group);
    for (Request* member : group) Settle(*member);
    lock.lock();
    for (Request* member : group) member->is_done = true;
    has_leader_ = false;
    commit_done_.notify_all();
  }
  if (request.error) std::rethrow_exception(request.error);
}

void TransactionManager::LogGroup(const std::vector<Request*>& group) {
  std::vector<std::span<const std::byte>> payloads;
  std::exception_ptr error;
  try {
    payloads.reserve(group.size());
    for (Request* request : group) {
      try {
        for (const auto& entry : request->transaction.undo_) entry->Log(request->payload);
        Prepare(request->transaction);
        if (request->payload.size() != 0) payloads.push_back(request->payload.bytes());
      } catch (...) {
        request->error = std::current_exception();
      }
    }
    if (!payloads.empty()) log_->Append(payloads);
  } catch (...) {
    error = std::current_exception();
  }
  if (!error) return;
  for (Request* request : group) {
    if (!request->error) request->error = error;
  }
}

void TransactionManager::Prepare(Transaction& transaction) {
  try {
    for (const auto& entry : transaction.undo_) entry->Prepare();
  } catch (...) {
    // At once, so that nobody prepares on top of what will not be.
    for (const auto& entry : transaction.undo_) entry->CancelPrepare();
    throw;
  }
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
  Undo(transaction);
}

void TransactionManager::Undo(Transaction& transaction) noexcept {
  Forget(transaction);
  while (!transaction.undo_.empty()) {
    transaction.undo_.back()->CancelPrepare();
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
