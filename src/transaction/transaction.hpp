// Transactions: what a statement sees, what it undoes or makes visible at its end, and what it has read.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/byte_stream.hpp"
#include "common/isolation_level.hpp"
#include "transaction/commit_pace.hpp"

namespace scaup {

/// A point in the order of commits. Values from kFirstTransactionId on mark changes of transactions that have
/// not committed: they are above every start timestamp, so nobody else sees them.
using Timestamp = uint64_t;
inline constexpr Timestamp kFirstTransactionId = Timestamp{1} << 62;

/// When the changes of a transaction were made, for all of them at once: its id until it commits, then the
/// timestamp of the commit.
class CommitStamp {
 public:
  explicit CommitStamp(Timestamp id) : value_(id) {}
  Timestamp load() const { return value_.load(std::memory_order_acquire); }
  void Set(Timestamp commit_timestamp) { value_.store(commit_timestamp, std::memory_order_release); }

 private:
  std::atomic<Timestamp> value_;
};

/// Which versions somebody reads: those committed up to `start`, and those that transaction `own` made.
struct ReadView {
  Timestamp start = 0;
  Timestamp own = 0;
  bool Sees(Timestamp timestamp) const { return timestamp <= start || timestamp == own; }
};

/// The changes that one commit made to one table, for transactions that must find out whether these concern
/// what they read. Immutable; thread-safe.
class ChangeSet {
 public:
  explicit ChangeSet(uint64_t table_id_in) : table_id(table_id_in) {}
  virtual ~ChangeSet() = default;
  uint64_t table_id;
};

/// The read of one table by a transaction: which rows, by a condition, and which columns of them. Owned by
/// the transaction.
class ReadPredicate {
 public:
  explicit ReadPredicate(uint64_t table_id_in) : table_id(table_id_in) {}
  virtual ~ReadPredicate() = default;
  uint64_t table_id;
  /// Whether somebody who reads again after `changes`, which are of this table, might find something else.
  /// May read from the file and throw.
  virtual bool IsHitBy(const ChangeSet& changes) const = 0;
  /// "rows of table "t" where a = 1", for messages.
  virtual std::string Describe() const = 0;
};

/// One change that a transaction made and that its end settles. Owned by the transaction.
class UndoEntry {
 public:
  virtual ~UndoEntry() = default;
  /// Does whatever of Commit can fail. Called in the order of commits, by one thread at a time, maybe while
  /// another transaction's Commit or CleanUp runs; may throw, and then the transaction is rolled back. Either
  /// Commit or CancelPrepare follows.
  virtual void Prepare() {}
  /// Writes the records that recovery needs to make the change again. Called after all of the transaction's
  /// Prepare; may throw, and then the transaction is rolled back.
  virtual void Log(ByteWriter&) const {}
  /// Forgets a Prepare, if there was one; those that were prepared later were cancelled before, or are
  /// all cancelled too.
  virtual void CancelPrepare() noexcept {}
  /// The changes, after Prepare; null if no transaction can have read what they concern.
  virtual std::shared_ptr<const ChangeSet> Changes() const { return nullptr; }
  /// Makes the change visible from `commit_timestamp` on. Must not fail. Called under the commit lock.
  /// No transaction that is active or begins later starts before `oldest_start`.
  virtual void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept = 0;
  /// Frees what the change replaced, as far as no transaction sees it any more. False: something is left, as
  /// one that began before the commit still runs; then it is called again later. Called after Commit, under
  /// the commit lock.
  virtual bool CleanUp(Timestamp) noexcept { return true; }
  /// The one table that CleanUp concerns; 0: others, too.
  virtual uint64_t table_id() const { return 0; }
  /// Takes the change back. Must not fail.
  virtual void Rollback() noexcept = 0;
};

/// State of another room that belongs to a transaction, such as the rows that it has inserted into a table.
class TransactionLocal {
 public:
  virtual ~TransactionLocal() = default;
};

class TransactionManager;

/// An object that is told when a commit has changed it, to tidy up.
class CommitFollower {
 public:
  virtual ~CommitFollower() = default;
  /// Called by the thread that committed, with no lock held, after the commit.
  virtual void AfterCommit(TransactionManager& transactions) noexcept = 0;
};

/// The state of one transaction. Used by one statement at a time; its tasks only read what does not change
/// meanwhile.
class Transaction {
 public:
  Transaction(Timestamp id, Timestamp start_timestamp)
      : view_{start_timestamp, id}, stamp_(std::make_shared<CommitStamp>(id)) {}

  Timestamp id() const { return view_.own; }
  Timestamp start_timestamp() const { return view_.start; }
  const ReadView& view() const { return view_; }
  const std::shared_ptr<CommitStamp>& stamp() const { return stamp_; }
  /// True if a version written at `timestamp` (a commit's, or a transaction's id) is visible to this one.
  bool Sees(Timestamp timestamp) const { return view_.Sees(timestamp); }
  void AddUndo(std::unique_ptr<UndoEntry> entry) { undo_.push_back(std::move(entry)); }
  bool has_changes() const { return !undo_.empty(); }
  void AddFollower(std::shared_ptr<CommitFollower> follower) { followers_.push_back(std::move(follower)); }
  /// A place in the list of changes, for savepoints: see TransactionManager::RollbackTo.
  size_t undo_mark() const { return undo_.size(); }

  /// Until something is read or written. All levels read one state; kSerializable is also checked at commit.
  void SetIsolation(IsolationLevel level) { isolation_ = level; }
  IsolationLevel isolation() const { return isolation_; }
  /// For statements to refuse what would write.
  void SetReadOnly(bool read_only) { is_read_only_ = read_only; }
  bool is_read_only() const { return is_read_only_; }
  /// Notes what was read. Unless `always`, only where the isolation asks for it.
  void LogRead(std::unique_ptr<ReadPredicate> predicate, bool always = false) {
    if (always || logs_reads()) predicates_.push_back(std::move(predicate));
  }
  /// For a statement that commits by itself and is known to write nothing.
  void SkipReads() { skips_reads_ = true; }
  /// For recovery: it does again what the log says, and what was checked then need not be checked.
  void SetReplay() { is_replay_ = true; }
  bool is_replay() const { return is_replay_; }
  bool logs_reads() const {
    return isolation_ == IsolationLevel::kSerializable && !is_read_only_ && !skips_reads_;
  }

  /// Null if there is none.
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
  std::vector<std::unique_ptr<UndoEntry>> undo_;  // In the order of the changes.
  std::vector<std::unique_ptr<ReadPredicate>> predicates_;
  std::map<const void*, std::shared_ptr<TransactionLocal>> locals_;
  std::vector<std::shared_ptr<CommitFollower>> followers_;
  std::optional<std::vector<uint64_t>> only_tables_;  // Guarded by the manager's mutex.
};

/// Where commits become durable before they become visible.
class CommitLog {
 public:
  virtual ~CommitLog() = default;
  /// Appends what each of some commits did, all or none of them, and makes it durable. Never called by two
  /// threads at once. When it throws, none of the commits happened.
  virtual void Append(std::span<const std::span<const std::byte>> payloads) = 0;
};

/// Hands out timestamps, orders commits, and refuses those that no serial order explains: precision locking
/// after Neumann, Mühlbauer, Kemper (SIGMOD 2015), section 4. Thread-safe. Owned by the database.
class TransactionManager {
 public:
  /// From now on commits go to `log` first (null: none). No transaction may be committing.
  void SetLog(CommitLog* log) { log_ = log; }
  /// For measurements: whether serializable transactions are checked at all.
  void SetValidation(bool validates) { validates_.store(validates); }

  std::shared_ptr<Transaction> Begin();
  /// Says that a transaction that changes nothing will read no other tables than these, so that it does not
  /// keep old versions of others alive.
  void RestrictTo(Transaction& transaction, std::vector<uint64_t> table_ids);
  /// Settles all changes at one new timestamp. Threads that commit at the same time share one write of the
  /// log (group commit), which one of them does. When it throws, the transaction was rolled back:
  /// Error(kTransaction, 40001) when another commit has changed what it read.
  void Commit(Transaction& transaction);
  /// Runs `body` while no commit is on its way; those that come wait. For checkpoints.
  void RunBetweenCommits(const std::function<void()>& body);
  /// Takes all changes back, the last first.
  void Rollback(Transaction& transaction);
  /// Takes back what was changed since a mark; the transaction goes on.
  void RollbackTo(Transaction& transaction, size_t undo_mark);
  /// Commits an entry of no transaction, to have it clean up once all that are active now have ended.
  void CleanUpLater(std::unique_ptr<UndoEntry> entry);

 private:
  struct CommitGroup;
  struct Change {
    Timestamp commit_timestamp;
    std::shared_ptr<const ChangeSet> changes;
  };
  // The way of a commit: group_commit.cpp. All with commit_mutex_.
  std::shared_ptr<CommitGroup> Join(Transaction& transaction);
  /// Returns what the log threw; null also where the group failed with the one before.
  std::exception_ptr Lead(const std::shared_ptr<CommitGroup>& group, std::unique_lock<std::mutex>& lock);
  void WaitForMore(std::unique_lock<std::mutex>& lock);
  std::exception_ptr Write(CommitGroup& group, std::unique_lock<std::mutex>& lock) noexcept;
  void Settle(CommitGroup& group) noexcept;
  /// Makes ready what the commit does, and writes its records.
  void Prepare(Transaction& transaction, ByteWriter& payload) const;
  /// Throws when what a transaction read was changed, by a commit since or by one on its way.
  void Validate(const Transaction& transaction) const;
  /// The changes that were committed since a transaction began.
  std::vector<std::shared_ptr<const ChangeSet>> ChangesSince(const Transaction& transaction) const;
  static void Cancel(Transaction& transaction) noexcept;
  void Publish(Transaction& transaction) noexcept;
  void Undo(Transaction& transaction) noexcept;
  void UndoDownTo(Transaction& transaction, size_t undo_mark) noexcept;
  void Forget(const Transaction& transaction) noexcept;
  Timestamp OldestStart() const;
  /// The least start of the transactions that may read table `table_id`.
  Timestamp OldestStart(uint64_t table_id) const;
  void AddLeftover(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry) noexcept;
  /// Cleans up after commits that every active transaction sees.
  void CleanUp() noexcept;

  CommitLog* log_ = nullptr;
  std::atomic<bool> validates_{true};
  // Commits on their way; taken before mutex_.
  std::mutex commit_mutex_;
  std::shared_ptr<CommitGroup> writing_;  // Whose write the log does; null: nobody's.
  std::shared_ptr<CommitGroup> open_;  // That commits join; its first member leads it, and waits for the log.
  std::condition_variable may_lead_;   // The leader of the open group waits here,
  std::condition_variable is_idle_;    // who wants to run between commits there until none is on its way,
  std::condition_variable may_join_;   // and commits, while somebody does.
  bool is_closed_ = false;             // Somebody runs between commits, or is about to.
  bool is_waiting_for_more_ = false;   // The leader waits though the log is free.
  CommitPace pace_;

  mutable std::mutex mutex_;
  Timestamp last_commit_ = 1;
  Timestamp next_id_ = kFirstTransactionId;
  std::multimap<Timestamp, const Transaction*> active_;  // That have not ended, by start.
  std::deque<Change> changes_;      // That active transactions may have to be checked against.
  Timestamp validation_floor_ = 0;  // What was changed before is not known: see Publish.
  struct Leftover {
    Timestamp commit_timestamp;
    std::unique_ptr<UndoEntry> entry;
  };
  std::map<uint64_t, std::deque<Leftover>> leftovers_;  // By table; each by commit timestamp.
};

/// A transaction that reads what is committed when it begins. Ends with its scope.
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
