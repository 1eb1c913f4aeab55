// TableLocks: admits writers, and refuses those that would meet an ALTER or DROP.
#include "storage/table/table_locks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/throw.hpp"
#include "storage/table_index/table_index.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowLockConflict(std::string_view table_name) {
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             fmt::format("could not serialize access: table \"{}\" is changed, altered or dropped by another "
                         "transaction; run the transaction again",
                         table_name));
}

/// Returns whether a lock belongs to another transaction than `id`.
bool IsOther(Timestamp holder, Timestamp id) { return holder != 0 && holder != id; }

}  // namespace

/// Allows other transactions to write again.
class TableLocks::AlterUndo final : public UndoEntry {
 public:
  AlterUndo(std::shared_ptr<TableLocks> locks, Timestamp transaction)
      : locks_(std::move(locks)), transaction_(transaction) {}
  void Commit(Timestamp, Timestamp) noexcept override { End(); }
  void Rollback() noexcept override { End(); }

 private:
  void End() noexcept {
    MutexLock lock(locks_->mutex_);
    // A transaction that altered the table twice has two entries; the first to end frees the lock.
    if (locks_->altered_by_ == transaction_) locks_->altered_by_ = 0;
  }
  std::shared_ptr<TableLocks> locks_;
  Timestamp transaction_;
};

/// Excludes older transactions from writing, from the commit on.
class TableLocks::RuleUndo final : public UndoEntry {
 public:
  explicit RuleUndo(std::shared_ptr<TableLocks> locks) : locks_(std::move(locks)) {}
  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    MutexLock lock(locks_->mutex_);
    locks_->rules_since_ = std::max(locks_->rules_since_, commit_timestamp);
  }
  void Rollback() noexcept override {}

 private:
  std::shared_ptr<TableLocks> locks_;
};

uint32_t TableLocks::BeginWriter(const TableWrite& write) {
  const Timestamp id = write.transaction.id();
  MutexLock lock(mutex_);
  // A transaction that began before a constraint was added would not check it.
  const bool knows_rules = write.transaction.start_timestamp() >= rules_since_;
  if (IsOther(dropped_by_, id) || IsOther(altered_by_, id) || !knows_rules)
    ThrowLockConflict(write.table_name);
  // The lowest free number, as numbers have few bits in index entries.
  std::vector<bool> is_used(writers_.size() + 1);
  for (const auto& [writer, number] : writers_) {
    if (number < is_used.size()) is_used[number] = true;
  }
  const auto number =
      static_cast<uint32_t>(std::find(is_used.begin(), is_used.end(), false) - is_used.begin());
  if (number >= IndexValue::kWriterEnd) ThrowLockConflict(write.table_name);
  writers_.emplace(id, number);
  return number;
}

void TableLocks::EndWriter(const Transaction& transaction) noexcept {
  MutexLock lock(mutex_);
  writers_.erase(transaction.id());
}

void TableLocks::RequireAlone(const TableWrite& write) const {
  const Timestamp id = write.transaction.id();
  const bool others_write = writers_.size() > writers_.count(id);
  if (others_write || IsOther(dropped_by_, id) || IsOther(altered_by_, id))
    ThrowLockConflict(write.table_name);
}

void TableLocks::BeginAlter(const TableWrite& write) {
  const Timestamp id = write.transaction.id();
  // Tests before the undo entry is added, and again when the mark is set, as the mutex is not held in
  // between.
  auto undo = std::make_unique<AlterUndo>(shared_from_this(), id);
  {
    MutexLock lock(mutex_);
    RequireAlone(write);
    if (altered_by_ == id) return;
  }
  write.transaction.AddUndo(std::move(undo));
  MutexLock lock(mutex_);
  RequireAlone(write);
  altered_by_ = id;
}

void TableLocks::BeginRuleChange(const TableWrite& write) {
  // Added first, so that it takes effect before other transactions may write again.
  write.transaction.AddUndo(std::make_unique<RuleUndo>(shared_from_this()));
  BeginAlter(write);
}

void TableLocks::BeginDrop(const TableWrite& write) {
  MutexLock lock(mutex_);
  RequireAlone(write);
  dropped_by_ = write.transaction.id();
}

void TableLocks::CancelDrop() noexcept {
  MutexLock lock(mutex_);
  dropped_by_ = 0;
}

bool TableLocks::IsDroppedBy(const Transaction& transaction) const {
  MutexLock lock(mutex_);
  return dropped_by_ == transaction.id();
}

}  // namespace scaup
