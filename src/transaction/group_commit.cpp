// A commit's steps: validation, preparation, and one log write for all commits that come at once.
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "transaction/family_commit.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Throws if `changes` might alter the result of the read.
void CheckRead(const ReadPredicate& predicate, const ChangeSet& changes) {
  if (predicate.table_id != changes.table_id || !predicate.IsHitBy(changes)) return;
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             "could not serialize access: another transaction has changed " + predicate.Describe() +
                 ", which this one had read; run the transaction again");
}

/// The reason why the log did not take a group. The thread that wrote it rethrows what the log threw. Every
/// other thread throws an error of its own, since a catch block may change the exception.
struct Failure {
  ErrorKind kind = ErrorKind::kOutOfMemory;
  std::string state = sqlstate::kOutOfMemory;  // fits the small-string buffer, so needs no memory
  std::string message = {};

  [[noreturn]] void Throw() const {
    throw Error(kind, state.c_str(), message.empty() ? "the system has no memory left" : message);
  }
  /// Describes the exception being handled; if there is no memory to do so, reports that.
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

/// Waits while RunBetweenCommits runs. A checkpoint may take long, so the user may interrupt the wait.
void WaitUntilOpen(ConditionVariable& may_join, Mutex& mutex, const bool& is_closed)
    SCAUP_REQUIRES_LOCK(mutex) {
  constexpr std::chrono::milliseconds kCheckedTime{50};
  while (is_closed) {
    const auto until = std::chrono::steady_clock::now() + kCheckedTime;
    while (is_closed && may_join.WaitUntil(mutex, until)) continue;
    if (is_closed) RunningCall::CheckInterrupt();
  }
}

}  // namespace

/// The commits that one log write takes, in the order in which they were prepared. Shared by the threads that
/// wait for it.
struct TransactionManager::CommitGroup {
  struct Member {
    Transaction& transaction;
    ByteWriter payload;
  };
  std::vector<Member> members;
  std::optional<Failure> failure;  // why the whole group failed
  std::atomic<int> is_settled{0};

  void Release() {
    is_settled.store(1);
    is_settled.notify_all();
  }
};

void TransactionManager::Commit(Transaction& transaction) {
  if (transaction.branches().empty()) return CommitOne(transaction);
  FamilyCommit(transaction).Run();
}

void TransactionManager::CommitOne(Transaction& transaction) {
  if (!transaction.has_changes()) {
    // The transaction read one snapshot, that of its start, and takes its place there in the serial order. So
    // there is nothing to validate.
    MutexLock lock(mutex_);
    active_.Remove(transaction);
    return CleanUp();
  }
  // Taken out first: a caller that retains the transaction object must not retain tables through it.
  const auto followers = std::exchange(transaction.followers_, {});
  // Commits are validated and prepared one at a time; the order of this lock is the commit order.
  ReleasableMutexLock lock(commit_mutex_);
  try {
    WaitUntilOpen(may_join_, commit_mutex_, is_closed_);
  } catch (...) {
    Rollback(transaction);
    throw;
  }
  const std::shared_ptr<CommitGroup> group = Join(transaction);
  // The first member of a group leads it: it writes for all. The others sleep until the leader has settled
  // the group.
  if (group->members.size() == 1) {
    if (const std::exception_ptr error = Lead(group, lock)) std::rethrow_exception(error);
  } else {
    lock.Unlock();
    group->is_settled.wait(0);
  }
  if (group->failure) group->failure->Throw();
  // With no lock held, as maintenance may take long and may commit itself.
  for (const auto& follower : followers) follower->AfterCommit(*this);
}

// Each thread prepares its own commit while the log writes the group before. The preparation builds on
// commits that are not durable yet; Lead takes it back if their write fails.
std::shared_ptr<TransactionManager::CommitGroup> TransactionManager::Join(Transaction& transaction) {
  try {
    ByteWriter payload;
    Prepare(transaction, payload);
    const auto group = open_ ? open_ : std::make_shared<CommitGroup>();
    group->members.push_back({transaction, std::move(payload)});
    open_ = group;
    if (log_ != nullptr && pace_.Arrived(NowNanos()) && is_waiting_for_more_) may_lead_.NotifyAll();
    return group;
  } catch (...) {
    // Rolls back before the lock is released, so that no other commit is prepared on top of this one.
    Rollback(transaction);
    throw;
  }
}

// Not analysed: it lets go of the two locks in the order in which it took them, the first for its caller.
std::exception_ptr TransactionManager::Lead(const std::shared_ptr<CommitGroup>& group,
                                            ReleasableMutexLock& lock) SCAUP_NO_THREAD_SAFETY_ANALYSIS {
  // The write of the group before may fail; this group then fails with it.
  while (writing_ != nullptr && !group->failure) may_lead_.Wait(commit_mutex_);
  if (group->failure) return nullptr;
  WaitForMore();
  // From here on new commits open the next group.
  writing_ = std::exchange(open_, nullptr);
  const std::exception_ptr error = Write(*group);
  // Takes mutex_ before releasing commit_mutex_. Otherwise another thread could see these commits as neither
  // in progress nor published, and a later group could be published first.
  ReleasableMutexLock settle_lock(mutex_);
  writing_ = nullptr;
  std::shared_ptr<CommitGroup> behind;
  if (group->failure) {
    // The open group was prepared on top of commits that have now failed. It is undone before this group,
    // since undo runs in reverse order of preparation.
    if (open_) {
      behind = std::exchange(open_, nullptr);
      behind->failure = group->failure->Copy();
      Settle(*behind);
    }
    Settle(*group);
  }
  if (is_closed_ && !open_) is_idle_.NotifyAll();
  lock.Unlock();
  // The next write may start before this group is published: publishing takes mutex_, so the groups keep
  // their order.
  may_lead_.NotifyAll();
  if (!group->failure) Settle(*group);
  settle_lock.Unlock();
  // Waiting threads wake up only after publication, so that their next statement sees their own commit.
  group->Release();
  if (behind) behind->Release();
  return error;
}

void TransactionManager::WaitForMore() {
  if (log_ == nullptr) return;
  is_waiting_for_more_ = true;
  while (!is_closed_ && NowNanos() < pace_.WaitsUntil()) {
    // The end of the wait is computed anew in each round, as a commit that arrives may move it.
    const std::chrono::nanoseconds until(pace_.WaitsUntil());
    may_lead_.WaitUntil(commit_mutex_, std::chrono::steady_clock::time_point(until));
  }
  is_waiting_for_more_ = false;
}

std::exception_ptr TransactionManager::Write(CommitGroup& group) noexcept {
  try {
    std::vector<std::span<const std::byte>> payloads;
    payloads.reserve(group.members.size());
    for (const CommitGroup::Member& member : group.members) {
      // A transaction whose changes need no log records gets no frame.
      if (member.payload.size() != 0) payloads.push_back(member.payload.bytes());
    }
    if (payloads.empty()) return nullptr;
    int64_t begin = 0;
    std::exception_ptr error;
    std::optional<Failure> failure;
    {
      // The log may sync for milliseconds. Other threads prepare the next group meanwhile.
      const MutexUnlock unlocked(commit_mutex_);
      begin = NowNanos();
      try {
        log_->Append(payloads);
      } catch (...) {
        error = std::current_exception();
        failure = Failure::Current();
      }
    }
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
  // In the order of preparation, which is the order of the commit timestamps.
  if (!group.failure) {
    for (const CommitGroup::Member& member : group.members) Publish(member.transaction);
    return;
  }
  // In reverse: later members were prepared on top of earlier ones.
  for (auto member = group.members.rbegin(); member != group.members.rend(); ++member)
    Undo(member->transaction);
}

void TransactionManager::Prepare(Transaction& transaction, ByteWriter& payload) const {
  // Before Prepare, so that a transaction that must fail costs no more than the test.
  Validate(transaction);
  for (const auto& entry : transaction.undo_) entry->Prepare();
  // The log has what is replayed.
  if (log_ == nullptr || transaction.is_replay()) return;
  // Only after all Prepare calls: these assign what the records contain, such as row numbers.
  for (const auto& entry : transaction.undo_) entry->Log(payload);
}

void TransactionManager::Validate(const Transaction& transaction) const {
  const MutexLock reads_lock(transaction.predicates_mutex_);  // nobody else reads for it any more
  if (transaction.predicates_.empty() || !validates_.load(std::memory_order_relaxed)) return;
  std::vector<std::shared_ptr<const ChangeSet>> changes;
  {
    MutexLock lock(mutex_);
    changes = changes_.Since(transaction);
  }
  // Commits in progress come before this one in the serial order but are not among changes_ yet. They
  // are not settled meanwhile, as the caller holds commit_mutex_.
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

void TransactionManager::RunBetweenCommits(const std::function<void()>& body) {
  const MutexLock lock(commit_mutex_);
  WaitUntilOpen(may_join_, commit_mutex_, is_closed_);
  is_closed_ = true;
  // Writes in progress come to their end; the open group, if any, is written as well.
  if (is_waiting_for_more_) may_lead_.NotifyAll();
  while (writing_ || open_) is_idle_.Wait(commit_mutex_);
  const auto end = [&]() SCAUP_REQUIRES_LOCK(commit_mutex_) {
    is_closed_ = false;
    may_join_.NotifyAll();
  };
  try {
    const MutexUnlock unlocked(commit_mutex_);
    {
      // The leader takes mutex_ before it reports idle, so this waits until the last commits are published.
      const MutexLock published(mutex_);
    }
    body();
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace scaup
