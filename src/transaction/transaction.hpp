// Transactions: what they see, what they have changed and read, and their participants.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/byte_stream.hpp"
#include "common/isolation_level.hpp"
#include "common/lock/mutex.hpp"

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

class TransactionManager;

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

/// An object that a transaction has changed and that does its maintenance after the commit.
class CommitFollower {
 public:
  virtual ~CommitFollower() = default;
  /// Called after the commit by the thread that committed, which holds no lock.
  virtual void AfterCommit(TransactionManager& transactions) noexcept = 0;
};

class Transaction;

/// A transaction as a member of a family, which is a transaction over several databases: that of the first
/// database is the root, and owns a branch for each of the others. All of them have one snapshot and the same
/// modes. Any member finds the others, and at most one has changes. Most transactions have no family.
class FamilyMember {
 public:
  /// Returns what manages the transactions of its database; null for one that was made without.
  TransactionManager* manager() const { return manager_; }
  /// Returns the family's member in a database, which is known by its manager; null means this one. Throws
  /// Error(kTransaction, 25000) if the family has none there, as the database was attached later.
  Transaction& In(const TransactionManager* database);
  const Transaction& In(const TransactionManager* database) const;
  /// Returns the member that owns the others, which may be this one.
  const Transaction& root() const;
  /// Returns the branches that it owns.
  const std::vector<std::shared_ptr<Transaction>>& branches() const { return branches_; }
  bool is_in_family() const { return root_ != nullptr || !branches_.empty(); }
  /// Throws Error(kTransaction, 25000) if another member has changes, so that Transaction::AddUndo would.
  void RequireNoOtherChanges() const;

 protected:
  explicit FamilyMember(TransactionManager* manager) : manager_(manager) {}

 private:
  friend class TransactionManager;
  Transaction& Member(const TransactionManager* database);

  TransactionManager* manager_;
  Transaction* root_ = nullptr;  // the owner of a branch; otherwise null
  std::vector<std::shared_ptr<Transaction>> branches_;
};

/// An object of one database, which is known by the manager of its transactions. So who uses it finds the
/// member of a family that belongs there.
class DatabaseObject {
 public:
  /// Returns the manager; null if it belongs to no database.
  const TransactionManager* transactions() const { return transactions_; }
  /// Called before any other thread knows the object.
  void SetTransactions(const TransactionManager& transactions) { transactions_ = &transactions; }

 private:
  const TransactionManager* transactions_ = nullptr;
};

/// The state of one transaction in one database. One statement uses it at a time. The statement's tasks read
/// it concurrently, but only what does not change meanwhile.
class Transaction : public FamilyMember {
 public:
  Transaction(Timestamp id, Timestamp start_timestamp, TransactionManager* manager = nullptr)
      : FamilyMember(manager), view_{start_timestamp, id}, stamp_(std::make_shared<CommitStamp>(id)) {}

  Timestamp id() const { return view_.own; }
  Timestamp start_timestamp() const { return view_.start; }
  const ReadView& view() const { return view_; }
  const std::shared_ptr<CommitStamp>& stamp() const { return stamp_; }
  /// Returns whether this transaction sees a version written at `timestamp`, a commit timestamp or a
  /// transaction id.
  bool Sees(Timestamp timestamp) const { return view_.Sees(timestamp); }
  /// Adds a change. Throws Error(kTransaction, 25000) if another member of the family has changes.
  void AddUndo(std::unique_ptr<UndoEntry> entry) {
    if (is_in_family()) RequireNoOtherChanges();
    undo_.push_back(std::move(entry));
  }
  bool has_changes() const { return !undo_.empty(); }
  void AddFollower(std::shared_ptr<CommitFollower> follower) { followers_.push_back(std::move(follower)); }
  /// The current position in the list of undo entries of the family, for savepoints; see
  /// TransactionManager::RollbackTo. As one member at most has changes, the sum tells its position.
  size_t undo_mark() const;

  /// Call it before anything is read or written. All levels read one snapshot; kSerializable is also
  /// validated at commit.
  void SetIsolation(IsolationLevel level) {
    isolation_ = level;
    for (const auto& branch : branches()) branch->SetIsolation(level);
  }
  IsolationLevel isolation() const { return isolation_; }
  /// Marks the transaction read-only. Statements check the mark and refuse to write.
  void SetReadOnly(bool read_only) {
    is_read_only_ = read_only;
    for (const auto& branch : branches()) branch->SetReadOnly(read_only);
  }
  bool is_read_only() const { return is_read_only_; }
  /// Logs a read for validation, if the isolation level needs it or `always` is set.
  /// Any task may call it: functions of the program run queries while others read.
  void LogRead(std::unique_ptr<ReadPredicate> predicate, bool always = false) {
    if (!always && !logs_reads()) return;
    const MutexLock lock(predicates_mutex_);
    predicates_.push_back(std::move(predicate));
  }
  /// Turns off the logging of reads, for an autocommit statement that is known to write nothing.
  void SkipReads() {
    skips_reads_ = true;
    for (const auto& branch : branches()) branch->SkipReads();
  }
  /// Marks the transaction as one that repeats the log, for recovery or of another process: checks that have
  /// passed are skipped, and its changes are not logged.
  void SetReplay() { is_replay_ = true; }
  bool is_replay() const { return is_replay_; }
  /// Sets the tables whose rows the present statement locks, as by FOR UPDATE: its reads of them are
  /// validated at commit whatever the isolation level.
  void SetLockedTables(std::vector<uint64_t> table_ids) {
    // Tables of different databases may share an id. One whose reads are validated without need costs no more
    // than time.
    for (const auto& branch : branches()) branch->SetLockedTables(table_ids);
    locked_tables_ = std::move(table_ids);
  }
  /// Whether reads of the table are validated at commit; logs_reads tells the same of all tables.
  bool logs_reads_of(uint64_t table_id) const {
    return logs_reads() ||
           std::find(locked_tables_.begin(), locked_tables_.end(), table_id) != locked_tables_.end();
  }
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
  friend class FamilyCommit;
  ReadView view_;
  std::shared_ptr<CommitStamp> stamp_;
  IsolationLevel isolation_ = IsolationLevel::kSerializable;
  bool is_read_only_ = false;
  bool skips_reads_ = false;
  bool is_replay_ = false;
  std::vector<uint64_t> locked_tables_;
  std::vector<std::unique_ptr<UndoEntry>> undo_;  // in the order of the changes
  mutable Mutex predicates_mutex_;
  std::vector<std::unique_ptr<ReadPredicate>> predicates_ SCAUP_GUARDED_BY(predicates_mutex_);
  std::map<const void*, std::shared_ptr<TransactionLocal>> locals_;
  std::vector<std::shared_ptr<CommitFollower>> followers_;
};

inline Transaction& FamilyMember::In(const TransactionManager* database) {
  return database == nullptr || database == manager_ ? static_cast<Transaction&>(*this) : Member(database);
}

inline const Transaction& FamilyMember::In(const TransactionManager* database) const {
  return const_cast<FamilyMember&>(*this).In(database);
}

inline const Transaction& FamilyMember::root() const {
  return root_ == nullptr ? static_cast<const Transaction&>(*this) : *root_;
}

}  // namespace scaup
