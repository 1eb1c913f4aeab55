// The manager of transactions: how they begin, commit and roll back, and how their reads are validated.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/byte_stream.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "transaction/active_transactions.hpp"
#include "transaction/commit_pace.hpp"
#include "transaction/committed_changes.hpp"
#include "transaction/old_versions.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The log that makes commits durable before they become visible.
class CommitLog {
 public:
  virtual ~CommitLog() = default;
  /// Appends one payload per commit, all of them or none, and makes them durable. Never called by two threads
  /// at once. If it throws, none of the commits has happened.
  virtual void Append(std::span<const std::span<const std::byte>> payloads) = 0;
};

/// A database, for those who know it by the manager of its transactions.
struct ManagedDatabase {
  std::string name;           ///< in SQL
  bool is_read_only = false;  ///< it is attached so
};

/// Hands out timestamps, orders commits, and refuses commits that no serial order explains, by precision
/// locking (Neumann, Mühlbauer, Kemper, SIGMOD 2015, section 4). Thread-safe. Owned by the database.
class TransactionManager {
 public:
  /// Sets the log that commits are written to first; null for none. No transaction may be committing.
  void SetLog(CommitLog* log) { log_ = log; }
  /// Says what the database is, before anything else happens.
  void SetDatabase(ManagedDatabase database) { database_ = std::move(database); }
  const ManagedDatabase& database() const { return database_; }
  /// Turns the validation of reads at commit on or off, for all transactions: commits do not check predicates
  /// while it is off.
  void SetValidation(bool validates) { validates_.store(validates); }

  std::shared_ptr<Transaction> Begin();
  /// Begins a transaction with a branch in each of `others`, which must outlive it. All of its snapshots are
  /// of one moment. Commit, Rollback and RollbackTo of the transaction end its branches, too.
  std::shared_ptr<Transaction> BeginWith(std::span<TransactionManager* const> others);
  /// Declares that a transaction that changes nothing will read only these tables. It then does not hold back
  /// version garbage collection of other tables.
  void RestrictTo(Transaction& transaction, std::vector<uint64_t> table_ids);
  /// Commits all changes at one new timestamp. Threads that commit at the same time share one log write
  /// (group commit), which one of them does. If it throws, the transaction has been rolled back. The error is
  /// Error(kTransaction, 40001) if another commit has changed what this transaction read.
  void Commit(Transaction& transaction);
  /// Runs `body` while no commit is in progress; new commits wait. For checkpoints.
  void RunBetweenCommits(const std::function<void()>& body);
  /// Undoes all changes, the last first.
  void Rollback(Transaction& transaction);
  /// Undoes the changes made since `undo_mark`; the transaction continues.
  void RollbackTo(Transaction& transaction, size_t undo_mark);
  /// Commits an entry that belongs to no transaction. It is cleaned up once all transactions that are active
  /// now have ended.
  void CleanUpLater(std::unique_ptr<UndoEntry> entry) noexcept;

 private:
  struct CommitGroup;
  friend class FamilyCommit;
  /// Commits one member of a family, or a transaction without branches.
  void CommitOne(Transaction& transaction);
  // The steps of a commit, in group_commit.cpp.
  std::shared_ptr<CommitGroup> Join(Transaction& transaction) SCAUP_REQUIRES_LOCK(commit_mutex_);
  /// Writes the group as its leader; lets go of `lock`. Returns what the log threw. Null on success, and if
  /// the group before failed.
  std::exception_ptr Lead(const std::shared_ptr<CommitGroup>& group, ReleasableMutexLock& lock)
      SCAUP_REQUIRES_LOCK(commit_mutex_);
  void WaitForMore() SCAUP_REQUIRES_LOCK(commit_mutex_);
  std::exception_ptr Write(CommitGroup& group) noexcept SCAUP_REQUIRES_LOCK(commit_mutex_);
  void Settle(CommitGroup& group) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  /// Prepares the commit and writes its log records.
  void Prepare(Transaction& transaction, ByteWriter& payload) const SCAUP_REQUIRES_LOCK(commit_mutex_);
  /// Throws if a commit since the transaction's start, or one in progress, changed what it read.
  void Validate(const Transaction& transaction) const SCAUP_REQUIRES_LOCK(commit_mutex_);
  static void Cancel(Transaction& transaction) noexcept;
  void Publish(Transaction& transaction) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void Undo(Transaction& transaction) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void UndoDownTo(Transaction& transaction, size_t undo_mark) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  /// Cleans up after commits that every active transaction sees.
  void CleanUp() noexcept SCAUP_REQUIRES_LOCK(mutex_);

  CommitLog* log_ = nullptr;
  ManagedDatabase database_;
  // Held while a family commits that has read other databases than the one it changes: two that wait for each
  // other's database would wait for ever. Of the family's first database; guards no member. Lock order:
  // before every commit_mutex_.
  Mutex family_mutex_;
  std::atomic<bool> validates_{true};
  // Commits in progress. Lock order: commit_mutex_ before mutex_.
  Mutex commit_mutex_;
  // The group that the log is writing; may be null.
  std::shared_ptr<CommitGroup> writing_ SCAUP_GUARDED_BY(commit_mutex_);
  // Joined by new commits; its first member leads it.
  std::shared_ptr<CommitGroup> open_ SCAUP_GUARDED_BY(commit_mutex_);
  ConditionVariable may_lead_;  // the leader of the open group waits here
  ConditionVariable is_idle_;   // RunBetweenCommits waits here until no commit is in progress
  ConditionVariable may_join_;  // commits wait here while RunBetweenCommits runs
  // RunBetweenCommits runs or is about to.
  bool is_closed_ SCAUP_GUARDED_BY(commit_mutex_) = false;
  // The leader waits although the log is free.
  bool is_waiting_for_more_ SCAUP_GUARDED_BY(commit_mutex_) = false;
  CommitPace pace_ SCAUP_GUARDED_BY(commit_mutex_);

  mutable Mutex mutex_;
  Timestamp last_commit_ SCAUP_GUARDED_BY(mutex_) = 1;
  Timestamp next_id_ SCAUP_GUARDED_BY(mutex_) = kFirstTransactionId;
  ActiveTransactions active_ SCAUP_GUARDED_BY(mutex_);
  CommittedChanges changes_ SCAUP_GUARDED_BY(mutex_);
  OldVersions old_versions_ SCAUP_GUARDED_BY(mutex_);
};

/// A transaction that reads the snapshot at its construction and ends with its scope.
class ReadTransaction {
 public:
  explicit ReadTransaction(TransactionManager& transactions)
      : transactions_(transactions), transaction_(transactions.Begin()) {}
  ~ReadTransaction() { transactions_.Rollback(*transaction_); }
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;
  const Transaction& operator*() const { return *transaction_; }
  const Transaction* operator->() const { return transaction_.get(); }

 private:
  TransactionManager& transactions_;
  std::shared_ptr<Transaction> transaction_;
};

}  // namespace scaup
