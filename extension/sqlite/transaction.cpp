// Keeps SQLite's transactions over the engine's.
#include "transaction.hpp"

#include <sqlite3.h>

#include "error.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {
/// The savepoint to which a failed statement goes back.
constexpr char kStatementSavepoint[] = "sqlite_statement";

constexpr char kAttemptSavepoint[] = "sqlite_attempt";

std::string EngineSavepoint(const std::string& name) { return QuoteName("sqlite_savepoint_" + name); }
}  // namespace

void Transaction::Lock() {
  if (!shared_.LockForWriting(this, keeps_waiting_)) throw SqliteError(SQLITE_BUSY, "database is locked");
}

void Transaction::EnsureBlock() {
  if (has_block_) return;
  engine_.Query("BEGIN");
  has_block_ = true;
}

void Transaction::End() {
  is_open_ = has_block_ = began_by_savepoint_ = false;
  savepoints_.clear();
  shared_.Unlock(this);
}

void Transaction::TakenBack() {
  // Row ids that were given are free again, and tables may be others.
  rollback_count_++;
  shared_.ForgetLastRowids();
}

void Transaction::Begin(bool writes) {
  if (is_open_) throw SqliteError(SQLITE_ERROR, "cannot start a transaction within a transaction");
  if (writes) Lock();
  is_open_ = true;
}

void Transaction::Commit() {
  if (!is_open_) throw SqliteError(SQLITE_ERROR, "cannot commit - no transaction is active");
  try {
    if (has_block_) engine_.Query("COMMIT");
  } catch (const Error&) {
    // The engine has rolled back what it could not commit.
    Rollback();
    throw;
  }
  End();
}

void Transaction::Rollback() {
  if (!is_open_) throw SqliteError(SQLITE_ERROR, "cannot rollback - no transaction is active");
  if (engine_.transaction_status() != TransactionStatus::kIdle) engine_.Query("ROLLBACK");
  if (has_block_) TakenBack();
  End();
}

void Transaction::Savepoint(const std::string& name) {
  if (!is_open_) {
    Begin(false);
    began_by_savepoint_ = true;
  }
  EnsureBlock();
  engine_.Query("SAVEPOINT " + EngineSavepoint(name));
  savepoints_.push_back(name);
}

size_t Transaction::FindSavepoint(const std::string& name) const {
  for (size_t i = savepoints_.size(); i > 0; i--) {
    if (savepoints_[i - 1] == name) return i - 1;
  }
  throw SqliteError(SQLITE_ERROR, "no such savepoint: " + name);
}

void Transaction::Release(const std::string& name) {
  const size_t at = FindSavepoint(name);
  if (at == 0 && began_by_savepoint_) {
    Commit();
    return;
  }
  engine_.Query("RELEASE SAVEPOINT " + EngineSavepoint(name));
  savepoints_.resize(at);
}

void Transaction::RollbackTo(const std::string& name) {
  const size_t at = FindSavepoint(name);
  engine_.Query("ROLLBACK TO SAVEPOINT " + EngineSavepoint(name));
  savepoints_.resize(at + 1);
  TakenBack();
}

void Transaction::Run(Mode mode, const std::function<void()>& work) {
  if (is_running_) {
    work();
    return;
  }
  if (mode != Mode::kRead) Lock();
  struct Running {
    explicit Running(bool& is_running) : is_running_(is_running) { is_running_ = true; }
    ~Running() { is_running_ = false; }
    bool& is_running_;
  } running(is_running_);
  if (is_open_) {
    RunInBlock(work);
  } else if (mode == Mode::kWrite) {
    RunAutomatic(work);
  } else {
    struct Unlocking {
      ~Unlocking() { transaction.shared_.Unlock(&transaction); }
      Transaction& transaction;
    } unlocking{*this};
    work();
  }
}

bool Transaction::Try(const std::function<void()>& work) {
  // An error would end the engine's block.
  const bool has_block = engine_.transaction_status() != TransactionStatus::kIdle;
  if (has_block) engine_.Query(std::string("SAVEPOINT ") + kAttemptSavepoint);
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBinder && error.kind() != ErrorKind::kConversion) throw;
    if (has_block) engine_.Query(std::string("ROLLBACK TO SAVEPOINT ") + kAttemptSavepoint);
    return false;
  }
  if (has_block) engine_.Query(std::string("RELEASE SAVEPOINT ") + kAttemptSavepoint);
  return true;
}

void Transaction::RunInBlock(const std::function<void()>& work) {
  EnsureBlock();
  engine_.Query(std::string("SAVEPOINT ") + kStatementSavepoint);
  try {
    work();
  } catch (...) {
    TakenBack();
    if (engine_.transaction_status() == TransactionStatus::kIdle) {
      End();
    } else {
      engine_.Query(std::string("ROLLBACK TO SAVEPOINT ") + kStatementSavepoint);
      engine_.Query(std::string("RELEASE SAVEPOINT ") + kStatementSavepoint);
    }
    throw;
  }
  engine_.Query(std::string("RELEASE SAVEPOINT ") + kStatementSavepoint);
}

void Transaction::RunAutomatic(const std::function<void()>& work) {
  try {
    engine_.Query("BEGIN");
    work();
    engine_.Query("COMMIT");
  } catch (...) {
    TakenBack();
    if (engine_.transaction_status() != TransactionStatus::kIdle) engine_.Query("ROLLBACK");
    shared_.Unlock(this);
    throw;
  }
  shared_.Unlock(this);
}

}  // namespace scaup::sqlite
