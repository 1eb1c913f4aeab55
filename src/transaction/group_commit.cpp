// The way of a commit: validation, what it makes ready, and one write of the log for all that come at once.
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

namespace {

/// Throws when a change concerns what a transaction read.
void CheckRead(const ReadPredicate& predicate, const ChangeSet& changes) {
  if (predicate.table_id != changes.table_id || !predicate.IsHitBy(changes)) return;
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             "could not serialize access: another transaction has changed " + predicate.Describe() +
                 ", which this one had read; run the transaction again");
}

/// Why the log did not take a group. The thread that wrote it throws what the log threw, each of the others
/// an error of its own: whoever catches one may change it.
struct Failure {
  ErrorKind kind = ErrorKind::kOutOfMemory;
  std::string state = sqlstate::kOutOfMemory;  // Short enough to need no memory of its own.
  std::string message = {};

  [[noreturn]] void Throw() const {
    throw Error(kind, state.c_str(), message.empty() ? "the system has no memory left" : message);
  }
  /// The exception that is handled; where there is no memory to say more, that there is none.
  static Failure Current() noexcept {
    try {
      throw;
    } catch (const Error& error) {
      return OutOfMemoryUnless([&] { return Failure{error.kind(), error.sqlstate(), error.message()}; });
    } catch (const std::bad_alloc&) {
      return {};
    } catch (const std::exception& error) {
      return OutOfMemoryUnless([&] {
        return Failure{ErrorKind::kInternal, sqlstate::kInternalError, error.what()};
      });
    } catch (...) {
      return {ErrorKind::kInternal, sqlstate::kInternalError, "the log failed"};
    }
  }
  Failure Copy() const noexcept {
    return OutOfMemoryUnless([&] { return *this; });
  }

 private:
  template <typename Make>
  static Failure OutOfMemoryUnless(const Make& make) noexcept {
    try {
      return make();
    } catch (const std::bad_alloc&) {
      return {};
    }
  }
};

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Waits while somebody runs between commits, which a checkpoint may do for long: the user may interrupt.
void WaitUntilOpen(std::condition_variable& may_join, std::unique_lock<std::mutex>& lock,
                   const bool& is_closed) {
  constexpr std::chrono::milliseconds kCheckedTime{50};
  while (!may_join.wait_for(lock, kCheckedTime, [&] { return !is_closed; })) RunningCall::CheckInterrupt();
}

}  // namespace

/// Commits that one write takes to the log, in the order in which they were prepared. Shared by the threads
/// that wait for it.
struct TransactionManager::CommitGroup {
  struct Member {
    Transaction& transaction;
    ByteWriter payload;
  };
  std::vector<Member> members;
  std::optional<Failure> failure;  // Why none of them happened.
  std::atomic<int> is_settled{0};

  void Release() {
    is_settled.store(1);
    is_settled.notify_all();
  }
};

void TransactionManager::Commit(Transaction& transaction) {
  if (!transaction.has_changes()) {
    // It read one state, that of its start, and takes its place there in the serial order.
    std::lock_guard lock(mutex_);
    Forget(transaction);
    return CleanUp();
  }
  // Who keeps the transaction object shall not keep tables with it.
  const auto followers = std::exchange(transaction.followers_, {});
  std::unique_lock lock(commit_mutex_);
  try {
    WaitUntilOpen(may_join_, lock, is_closed_);
  } catch (...) {
    Rollback(transaction);
    throw;
  }
  const std::shared_ptr<CommitGroup> group = Join(transaction);
  if (group->members.size() == 1) {
    if (const std::exception_ptr error = Lead(group, lock)) std::rethrow_exception(error);
  } else {
    lock.unlock();
    group->is_settled.wait(0);
  }
  if (group->failure) group->failure->Throw();
  for (const auto& follower : followers) follower->AfterCommit(*this);
}

// Each thread prepares its own commit, while the log writes those before it.
std::shared_ptr<TransactionManager::CommitGroup> TransactionManager::Join(Transaction& transaction) {
  try {
    ByteWriter payload;
    Prepare(transaction, payload);
    const auto group = open_ ? open_ : std::make_shared<CommitGroup>();
    group->members.push_back({transaction, std::move(payload)});
    open_ = group;
    if (log_ != nullptr && pace_.Arrived(NowNanos()) && is_waiting_for_more_) may_lead_.notify_all();
    return group;
  } catch (...) {
    // At once, so that nobody prepares on top of what will not be.
    Rollback(transaction);
    throw;
  }
}

std::exception_ptr TransactionManager::Lead(const std::shared_ptr<CommitGroup>& group,
                                            std::unique_lock<std::mutex>& lock) {
  // The write before this one may fail, and take this group with it.
  may_lead_.wait(lock, [&] { return writing_ == nullptr || group->failure; });
  if (group->failure) return nullptr;
  WaitForMore(lock);
  writing_ = std::exchange(open_, nullptr);
  const std::exception_ptr error = Write(*group, lock);
  // With mutex_ before others get commit_mutex_: nobody sees these commits as neither on their way nor
  // published, and those behind them are published later.
  std::unique_lock settle_lock(mutex_);
  writing_ = nullptr;
  std::shared_ptr<CommitGroup> behind;
  if (group->failure) {
    // What was prepared meanwhile was so on top of what has not happened.
    if (open_) {
      behind = std::exchange(open_, nullptr);
      behind->failure = group->failure->Copy();
      Settle(*behind);
    }
    Settle(*group);
  }
  if (is_closed_ && !open_) is_idle_.notify_all();
  lock.unlock();
  // The next write need not wait until this one's commits are published: they are, before its own.
  may_lead_.notify_all();
  if (!group->failure) Settle(*group);
  settle_lock.unlock();
  group->Release();
  if (behind) behind->Release();
  return error;
}

void TransactionManager::WaitForMore(std::unique_lock<std::mutex>& lock) {
  if (log_ == nullptr) return;
  is_waiting_for_more_ = true;
  const auto may_come = [&] { return !is_closed_ && NowNanos() < pace_.WaitsUntil(); };
  while (may_come()) {
    const std::chrono::nanoseconds until(pace_.WaitsUntil());
    may_lead_.wait_until(lock, std::chrono::steady_clock::time_point(until));
  }
  is_waiting_for_more_ = false;
}

std::exception_ptr TransactionManager::Write(CommitGroup& group,
                                             std::unique_lock<std::mutex>& lock) noexcept {
  try {
    std::vector<std::span<const std::byte>> payloads;
    payloads.reserve(group.members.size());
    for (const CommitGroup::Member& member : group.members) {
      if (member.payload.size() != 0) payloads.push_back(member.payload.bytes());
    }
    if (payloads.empty()) return nullptr;
    lock.unlock();
    const int64_t begin = NowNanos();
    std::exception_ptr error;
    std::optional<Failure> failure;
    try {
      log_->Append(payloads);
    } catch (...) {
      error = std::current_exception();
      failure = Failure::Current();
    }
    lock.lock();
    group.failure = std::move(failure);
    const int64_t end = NowNanos();
    pace_.Wrote(group.members.size(), end - begin, end);
    return error;
  } catch (...) {
    group.failure = Failure::Current();
    return std::current_exception();
  }
}

void TransactionManager::Settle(CommitGroup& group) noexcept {
  if (!group.failure) {
    for (const CommitGroup::Member& member : group.members) Publish(member.transaction);
    return;
  }
  for (auto member = group.members.rbegin(); member != group.members.rend(); ++member)
    Undo(member->transaction);
}

void TransactionManager::Prepare(Transaction& transaction, ByteWriter& payload) const {
  Validate(transaction);
  for (const auto& entry : transaction.undo_) entry->Prepare();
  if (log_ == nullptr) return;
  for (const auto& entry : transaction.undo_) entry->Log(payload);
}

void TransactionManager::Validate(const Transaction& transaction) const {
  if (transaction.predicates_.empty() || !validates_.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<const ChangeSet>> changes;
  {
    std::lock_guard lock(mutex_);
    changes = ChangesSince(transaction);
  }
  for (const CommitGroup* group : {writing_.get(), open_.get()}) {
    if (group == nullptr) continue;
    for (const CommitGroup::Member& member : group->members) {
      for (const auto& entry : member.transaction.undo_) {
        if (auto change = entry->Changes()) changes.push_back(std::move(change));
      }
    }
  }
  for (const auto& predicate : transaction.predicates_) {
    for (const auto& change : changes) CheckRead(*predicate, *change);
  }
}

std::vector<std::shared_ptr<const ChangeSet>> TransactionManager::ChangesSince(
    const Transaction& transaction) const {
  std::vector<std::shared_ptr<const ChangeSet>> since;
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

void TransactionManager::RunBetweenCommits(const std::function<void()>& body) {
  std::unique_lock lock(commit_mutex_);
  WaitUntilOpen(may_join_, lock, is_closed_);
  is_closed_ = true;
  if (is_waiting_for_more_) may_lead_.notify_all();
  is_idle_.wait(lock, [&] { return !writing_ && !open_; });
  lock.unlock();
  {
    // Until the last of them are published.
    std::lock_guard published(mutex_);
  }
  const auto end = [&] {
    lock.lock();
    is_closed_ = false;
    may_join_.notify_all();
  };
  try {
    body();
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace scaup
