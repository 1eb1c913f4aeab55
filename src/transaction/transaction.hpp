// Transactions: what they see, how they commit and roll back, and how their reads are validated.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/byte_stream.hpp"
#include "common/isolation_level.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "transaction/commit_pace.hpp"

namespace scaup {

/// A point in the order of commits. Values from kFirstTransactionId on are ids of transactions that have not
/// committed. They are above every start timestamp, so no other transaction sees changes that carry them.
using Timestamp = uint64_t;
inline constexpr Timestamp kFirstTransactionId = Timestamp{1} << 62;

/// The timestamp that all changes of one transaction share: the transaction's id until it commits, then its
/// commit timestamp.
class CommitStamp {
 public:
  explicit CommitStamp(Timestamp id) : value_(id) {}
  Timestamp load() const { return value_.load(std::memory_order_acquire); }
  void Set(Timestamp commit_timestamp) { value_.store(commit_timestamp, std::memory_order_release); }

 private:
  std::atomic<Timestamp> value_;
};

/// The versions that a reader sees: those committed at or before `start`, and those that transaction `own`
/// made.
struct ReadView {
  Timestamp start = 0;
  Timestamp own = 0;
  bool Sees(Timestamp timestamp) const { return timestamp <= start || timestamp == own; }
};

/// The changes that one commit made to one table. Other transactions test their reads against it. Immutable;
/// thread-safe.
class ChangeSet {
 public:
  explicit ChangeSet(uint64_t table_id_in) : table_id(table_id_in) {}
  virtual ~ChangeSet() = default;
  uint64_t table_id;
};

/// A read of one table by a transaction: a condition for the rows, and the columns that were read. Owned by
/// the transaction.
class ReadPredicate {
 public:
  explicit ReadPredicate(uint64_t table_id_in) : table_id(table_id_in) {}
  virtual ~ReadPredicate() = default;
  uint64_t table_id;
  /// Returns whether repeating the read after `changes` might find something else. `changes` must be of this
  /// table. May read from the file and throw.
  virtual bool IsHitBy(const ChangeSet& changes) const = 0;
  /// Describes the read for messages, as in "rows of table "t" where a = 1".
  virtual std::string Describe() const = 0;
};

/// A participant in a transaction: one change, which is prepared, logged and committed, or rolled back. Owned
/// by the transaction.
class UndoEntry {
 public:
  virtual ~UndoEntry() = default;
  /// Does everything that can fail, so that Commit cannot. Called in commit order by one thread at a time,
  /// possibly while another transaction's Commit or CleanUp runs. May throw; the transaction is then rolled
  /// back. Either Commit or CancelPrepare follows.
  virtual void Prepare() {}
  /// Writes the records that recovery needs to repeat the change. Called after all Prepare calls of the
  /// transaction. May throw; the transaction is then rolled back.
  virtual void Log(ByteWriter&) const {}
  /// Undoes Prepare; does nothing if Prepare was not called. Entries that were prepared later have been
  /// cancelled before this one, or are being cancelled as well.
  virtual void CancelPrepare() noexcept {}
  /// Returns the changes, after Prepare. Null if no transaction can have read what they concern.
  virtual std::shared_ptr<const ChangeSet> Changes() const { return nullptr; }
  /// Makes the change visible from `commit_timestamp` on. Must not fail. Called under the commit lock. Every
  /// transaction that is active or begins later has a start of at least `oldest_start`.
  virtual void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept = 0;
  /// Frees the old versions that no transaction sees any more. Returns false if some are left because a
  /// transaction that began before the commit still runs; the manager then calls it again later. Called after
  /// Commit, under the commit lock.
  virtual bool CleanUp(Timestamp) noexcept { return true; }
  /// The only table that CleanUp concerns; 0 if it may concern others.
  virtual uint64_t table_id() const { return 0; }
  /// Undoes the change. Must not fail.
  virtual void Rollback() noexcept = 0;
};

/// State of another module that a transaction owns, such as the rows that it has inserted into a table.
class TransactionLocal {
 public:
  virtual ~TransactionLocal() = default;
};

class TransactionManager;

/// An object that a transaction has changed and that does its maintenance after the commit.
class CommitFollower {
 public:
  virtual ~CommitFollower() = default;
  /// Called after the commit by the thread that committed, which holds no lock.
  virtual void AfterCommit(TransactionManager& transactions) noexcept = 0;
};

/// The state of one transaction. One statement uses it at a time. The statement's tasks read it concurrently,
/// but only what does not change meanwhile.
class Transaction {
 public:
  Transaction(Timestamp id, Timestamp start_timestamp)
      : view_{start_timestamp, id}, stamp_(std::make_shared<CommitStamp>(id)) {}

  Timestamp id() const { return view_.own; }
  Timestamp start_timestamp() const { return view_.start; }
  const ReadView& view() const { return view_; }
  const std::shared_ptr<CommitStamp>& stamp() const { return stamp_; }
  /// Returns whether this transaction sees a version written at `timestamp`, a commit timestamp or a
  /// transaction id.
  bool Sees(Timestamp timestamp) const { return view_.Sees(timestamp); }
  void AddUndo(std::unique_ptr<UndoEntry> entry) { undo_.push_back(std::move(entry)); }
  bool has_changes() const { return !undo_.empty(); }
  void AddFollower(std::shared_ptr<CommitFollower> follower) { followers_.push_back(std::move(follower)); }
  /// The current position in the list of undo entries, for savepoints; see TransactionManager::RollbackTo.
  size_t undo_mark() const { return undo_.size(); }

  /// Call it before anything is read or written. All levels read one snapshot; kSerializable is also
  /// validated at commit.
  void SetIsolation(IsolationLevel level) { isolation_ = level; }
  IsolationLevel isolation() const { return isolation_; }
  /// Marks the transaction read-only. Statements check the mark and refuse to write.
  void SetReadOnly(bool read_only) { is_read_only_ = read_only; }
  bool is_read_only() const { return is_read_only_; }
  /// Logs a read for validation, if the isolation level needs it or `always` is set.
  void LogRead(std::unique_ptr<ReadPredicate> predicate, bool always = false) {
    if (always || logs_reads()) predicates_.push_back(std::move(predicate));
  }
  /// Turns off the logging of reads, for an autocommit statement that is known to write nothing.
  void SkipReads() { skips_reads_ = true; }
  /// Marks the transaction as recovery's: it repeats the log, so checks that passed before the crash are
  /// skipped.
  void SetReplay() { is_replay_ = true; }
  bool is_replay() const { return is_replay_; }
  bool logs_reads() const {
    return isolation_ == IsolationLevel::kSerializable && !is_read_only_ && !skips_reads_;
  }

  /// Returns the state stored under `key`; null if there is none.
  TransactionLocal* FindLocal(const void* key) const {
    const auto found = locals_.find(key);
    return found == locals_.end() ? nullptr : found->second.get();
  }
  void SetLocal(const void* key, std::shared_ptr<TransactionLocal> local) { locals_[key] = std::move(local); }
  void RemoveLocal(const void* key) noexcept { locals_.erase(key); }

 private:
  friend class TransactionManager;
  ReadView view_;
  std::shared_ptr<CommitStamp> stamp_;
  IsolationLevel isolation_ = IsolationLevel::kSerializable;
  bool is_read_only_ = false;
  bool skips_reads_ = false;
  bool is_replay_ = false;
  std::vector<std::unique_ptr<UndoEntry>> undo_;  // in the order of the changes
  std::vector<std::unique_ptr<ReadPredicate>> predicates_;
  std::map<const void*, std::shared_ptr<TransactionLocal>> locals_;
  std::vector<std::shared_ptr<CommitFollower>> followers_;
  std::optional<std::vector<uint64_t>> only_tables_;  // guarded by the manager's mutex
};

/// The log that makes commits durable before they become visible.
class CommitLog {
 public:
  virtual ~CommitLog() = default;
  /// Appends one payload per commit, all of them or none, and makes them durable. Never called by two threads
  /// at once. If it throws, none of the commits has happened.
  virtual void Append(std::span<const std::span<const std::byte>> payloads) = 0;
};

/// Hands out timestamps, orders commits, and refuses commits that no serial order explains, by precision
/// locking (Neumann, Mühlbauer, Kemper, SIGMOD 2015, section 4). Thread-safe. Owned by the database.
class TransactionManager {
 public:
  /// Sets the log that commits are written to first; null for none. No transaction may be committing.
  void SetLog(CommitLog* log) { log_ = log; }
  /// Turns the validation of reads at commit on or off, for all transactions: commits do not check predicates
  /// while it is off.
  void SetValidation(bool validates) { validates_.store(validates); }

  std::shared_ptr<Transaction> Begin();
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
  struct Change {
    Timestamp commit_timestamp;
    std::shared_ptr<const ChangeSet> changes;
  };
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
  /// Returns the changes that were committed since the transaction began.
  std::vector<std::shared_ptr<const ChangeSet>> ChangesSince(const Transaction& transaction) const
      SCAUP_REQUIRES_LOCK(mutex_);
  static void Cancel(Transaction& transaction) noexcept;
  void Publish(Transaction& transaction) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void Undo(Transaction& transaction) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void UndoDownTo(Transaction& transaction, size_t undo_mark) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  void Forget(const Transaction& transaction) noexcept SCAUP_REQUIRES_LOCK(mutex_);
  Timestamp OldestStart() const SCAUP_REQUIRES_LOCK(mutex_);
  /// The lowest start among the transactions that may read table `table_id`.
  Timestamp OldestStart(uint64_t table_id) const SCAUP_REQUIRES_LOCK(mutex_);
  void AddLeftover(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry) noexcept
      SCAUP_REQUIRES_LOCK(mutex_);
  /// Cleans up after commits that every active transaction sees.
  void CleanUp() noexcept SCAUP_REQUIRES_LOCK(mutex_);

  CommitLog* log_ = nullptr;
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
  // Running transactions, by start.
  std::multimap<Timestamp, const Transaction*> active_ SCAUP_GUARDED_BY(mutex_);
  // Changes of commits that active transactions may have to be validated against.
  std::deque<Change> changes_ SCAUP_GUARDED_BY(mutex_);
  // Changes up to here are not known, see Publish.
  Timestamp validation_floor_ SCAUP_GUARDED_BY(mutex_) = 0;
  struct Leftover {
    Timestamp commit_timestamp;
    std::unique_ptr<UndoEntry> entry;
  };
  // By table; each ordered by commit timestamp.
  std::map<uint64_t, std::deque<Leftover>> leftovers_ SCAUP_GUARDED_BY(mutex_);
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
