// Transactions of several statements.
#include "main/statement/transaction_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/throw.hpp"
#include "main/statement/commit_actions.hpp"

namespace scaup {

void TransactionBlock::Modes::Set(const ast::TransactionStatement& statement) {
  if (statement.isolation) isolation = *statement.isolation;
  if (statement.read_only) read_only = *statement.read_only;
}

void TransactionBlock::Modes::ApplyTo(Transaction& transaction) const {
  transaction.SetIsolation(isolation);
  transaction.SetReadOnly(read_only);
}

TransactionBlock::~TransactionBlock() {
  if (is_open()) Rollback();
}

void TransactionBlock::ApplyDefaults(Transaction& transaction) const { defaults_.ApplyTo(transaction); }

TransactionModes TransactionBlock::modes() const {
  const Modes& current = is_open() ? modes_ : defaults_;
  return {current.isolation, current.read_only, defaults_.isolation, defaults_.read_only};
}

void TransactionBlock::BeginStatement() {
  if (!is_open()) return;
  if (is_aborted_) {
    ThrowError(
        ErrorKind::kTransaction, sqlstate::kInFailedTransaction,
        "the transaction is aborted, as a statement in it failed: end it with ROLLBACK, or go back with "
        "ROLLBACK TO a savepoint");
  }
  // From here on the snapshot may have been read, so the isolation level is fixed.
  has_run_ = true;
  KeepChanges();
}

void TransactionBlock::Fail() noexcept {
  // An aborted block has been undone to its mark already. A second failure must not undo it further.
  if (is_open() && !is_aborted_) database_.transactions().RollbackTo(*begun_.transaction, statement_mark_);
  is_aborted_ = is_open();
}

bool TransactionBlock::Run(const ast::TransactionStatement& statement) {
  using Action = ast::TransactionStatement::Action;
  switch (statement.action) {
    case Action::kBegin: Begin(statement); return false;
    case Action::kCommit:
      // COMMIT of an aborted block rolls it back without an error, as in PostgreSQL.
      RequireOpen("COMMIT");
      if (is_aborted_) {
        Rollback();
      } else {
        Commit();
      }
      return true;
    case Action::kRollback:
      RequireOpen("ROLLBACK");
      Rollback();
      return true;
    case Action::kSavepoint:
      RequireOpen("SAVEPOINT");
      BeginStatement();
      // Settings are no undo entries, so each savepoint has a copy.
      savepoints_.push_back(
          {statement.savepoint, begun_.transaction->undo_mark(), settings_, cursors_.mark(), checks_.mark()});
      checks_.SetSavepoints(savepoints_.size());
      return false;
    case Action::kRollbackTo: {
      RequireOpen("ROLLBACK TO");
      const auto savepoint = RequireSavepoint(statement.savepoint);
      database_.transactions().RollbackTo(*begun_.transaction, savepoint->undo_mark);
      settings_ = savepoint->settings;
      cursors_.RollBack(savepoint->cursor_mark);
      checks_.RollBackTo(savepoint->checks);
      // The savepoint itself stays: SQL allows rolling back to it again.
      savepoints_.erase(savepoint + 1, savepoints_.end());
      checks_.SetSavepoints(savepoints_.size());
      is_aborted_ = false;
      return false;
    }
    case Action::kRelease:
      RequireOpen("RELEASE");
      BeginStatement();
      // RELEASE also destroys the savepoints that were set after it. Their changes stay.
      savepoints_.erase(RequireSavepoint(statement.savepoint), savepoints_.end());
      checks_.SetSavepoints(savepoints_.size());
      return false;
    case Action::kSetTransaction:
      RequireOpen("SET TRANSACTION");
      if (has_run_) {
        ThrowError(ErrorKind::kTransaction, sqlstate::kActiveTransaction,
                   "the modes of a transaction must be set before its first statement");
      }
      modes_.Set(statement);
      modes_.ApplyTo(*begun_.transaction);
      return false;
    case Action::kSetSessionDefault: defaults_.Set(statement); return false;
  }
  ThrowInternal("unknown statement about transactions");
}

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void TransactionBlock::Begin(const ast::TransactionStatement& statement) {
  if (is_open()) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kActiveTransaction,
               "there is a transaction in progress already: end it with COMMIT or ROLLBACK first");
  }
  begin_micros_ = NowMicros();
  begun_ = database_.Begin();
  if (temporary_.is_used()) temporary_.Enter(*begun_.transaction);
  settings_before_ = settings_;
  is_aborted_ = false;
  has_run_ = false;
  savepoints_.clear();
  modes_ = defaults_;
  modes_.Set(statement);
  modes_.ApplyTo(*begun_.transaction);
}

DatabaseTransaction TransactionBlock::Close() noexcept {
  is_aborted_ = false;
  savepoints_.clear();
  checks_.Clear();
  return std::exchange(begun_, {});
}

void TransactionBlock::Commit() {
  // The block is closed first: whether the commit succeeds or fails, the transaction has ended.
  const DatabaseTransaction begun = Close();
  Transaction& transaction = *begun.transaction;
  DatabaseInstance* changed = &database_;
  try {
    try {
      RunCommitActions(database_.catalog(), transaction);
      changed = &ChangedBy(database_, begun);
    } catch (...) {
      database_.transactions().Rollback(transaction);
      throw;
    }
    database_.transactions().Commit(transaction);
  } catch (...) {
    // A failed commit has rolled back, and settings and cursors go back with it.
    settings_ = settings_before_;
    cursors_.RollBack(0);
    throw;
  }
  settings_.EndTransaction();
  cursors_.Commit();
  changed->CheckpointIfDue();
}

void TransactionBlock::Rollback() noexcept {
  const DatabaseTransaction begun = Close();
  database_.transactions().Rollback(*begun.transaction);
  settings_ = std::move(settings_before_);
  cursors_.RollBack(0);
}

std::vector<TransactionBlock::Savepoint>::iterator TransactionBlock::RequireSavepoint(
    const std::string& name) {
  // A name may have been used several times; the newest savepoint hides the others.
  const auto found = std::find_if(savepoints_.rbegin(), savepoints_.rend(),
                                  [&](const Savepoint& savepoint) { return savepoint.name == name; });
  if (found != savepoints_.rend()) return std::prev(found.base());
  ThrowError(ErrorKind::kTransaction, "3B001", fmt::format("savepoint \"{}\" does not exist", name));
}

void TransactionBlock::RequireOpen(const char* command) const {
  if (is_open()) return;
  ThrowError(ErrorKind::kTransaction, sqlstate::kNoActiveTransaction,
             fmt::format("{}: there is no transaction in progress; BEGIN starts one", command));
}

}  // namespace scaup
