// Transactions: what a statement sees, and what it undoes or makes visible at its end.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "common/byte_stream.hpp"

namespace scaup {

/// A point in the order of commits. Values from kFirstTransactionId on mark changes of transactions that have
/// not committed: they are above every start timestamp, so nobody else sees them.
using Timestamp = uint64_t;
inline constexpr Timestamp kFirstTransactionId = Timestamp{1} << 62;

/// One change that a transaction made and that its end settles. Owned by the transaction.
class UndoEntry {
 public:
  virtual ~UndoEntry() = default;
  /// Writes the records that recovery needs to make the change again. Called before Commit; may throw, and
  /// then the transaction is rolled back.
  virtual void Log(ByteWriter&) const {}
  /// Does whatever of Commit can fail. Called after all of the transaction's Log, in the order of commits, by
  /// one thread at a time; may throw, and then the transaction is rolled back. Either Commit or CancelPrepare
  /// follows.
  virtual void Prepare() {}
  /// Forgets a Prepare, if there was one; those of the same group that came later were cancelled before, or
  /// are all cancelled too.
  virtual void CancelPrepare() noexcept {}
  /// Makes the change visible from `commit_timestamp` on. Must not fail. Called under the commit lock.
  /// No transaction that is active or begins later starts before `oldest_start`.
  virtual void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept = 0;
  /// Frees what the change replaced, as far as no transaction sees it any more. False: something is left, as
  /// one that began before the commit still runs; then it is called again later. Called after Commit, under
  /// the commit lock.
  virtual bool CleanUp(Timestamp) noexcept { return true; }
  /// Takes the change back. Must not fail.
  virtual void Rollback() noexcept = 0;
};

/// The state of one transaction. Used by one statement at a time; its tasks only read the timestamps.
class Transaction {
 public:
  Transaction(Timestamp id, Timestamp start_timestamp) : id_(id), start_timestamp_(start_timestamp) {}

  Timestamp id() const { return id_; }
  Timestamp start_timestamp() const { return start_timestamp_; }
  /// True if a version written at `timestamp` (a commit's, or a transaction's id) is visible to this one.
  bool Sees(Timestamp timestamp) const { return timestamp <= start_timestamp_ || timestamp == id_; }
  void AddUndo(std::unique_ptr<UndoEntry> entry) { undo_.push_back(std::move(entry)); }

 private:
  friend class TransactionManager;
  Timestamp id_;
  Timestamp start_timestamp_;
  std::vector<std::unique_ptr<UndoEntry>> undo_;  // In the order of the changes.
};

/// Where commits become durable before they become visible.
class CommitLog {
 public:
  virtual ~CommitLog() = default;
  /// Appends what each of some commits did, all or none of them, and makes it durable. Never called by two
  /// threads at once. When it throws, none of the commits happened.
  virtual void Append(std::span<const std::span<const std::byte>> payloads) = 0;
};

/// Hands out timestamps and orders commits. Thread-safe. Owned by the database.
class TransactionManager {
 public:
  /// From now on commits go to `log` first (null: none). No transaction may be committing.
  void SetLog(CommitLog* log) { log_ = log; }

  std::shared_ptr<Transaction> Begin();
  /// Settles all changes at one new timestamp. With a log, one of the threads that commit at the same time
  /// writes for all of them, so that they share one sync (group commit). When it throws, the transaction was
  /// rolled back.
  void Commit(Transaction& transaction);
  /// Runs `body` while no commit is on its way; those that come wait. For checkpoints.
  void RunBetweenCommits(const std::function<void()>& body);
  /// Takes all changes back, the last first.
  void Rollback(Transaction& transaction);

 private:
  /// A commit that waits to be written.
  struct Request {
    Transaction& transaction;
    ByteWriter payload;
    std::exception_ptr error;
    bool is_done = false;
  };
  void LogGroup(const std::vector<Request*>& group);
  static void Prepare(Transaction& transaction);
  void Settle(Request& request) noexcept;
  void Publish(Transaction& transaction) noexcept;
  void Undo(Transaction& transaction) noexcept;
  void Forget(const Transaction& transaction);
  Timestamp OldestStart() const;
  /// Cleans up after commits that every active transaction sees.
  void CleanUp() noexcept;

  CommitLog* log_ = nullptr;
  // Commits with a log: who leads writes all that wait, the others wait for it.
  std::mutex commit_mutex_;
  std::condition_variable commit_done_;
  bool has_leader_ = false;
  std::vector<Request*> waiting_;

  mutable std::mutex mutex_;
  Timestamp last_commit_ = 1;
  Timestamp next_id_ = kFirstTransactionId;
  std::multiset<Timestamp> active_starts_;  // Of transactions that have not ended.
  struct Leftover {
    Timestamp commit_timestamp;
    std::unique_ptr<UndoEntry> entry;
  };
  std::deque<Leftover> leftovers_;  // By commit timestamp.
};

}  // namespace scaup
