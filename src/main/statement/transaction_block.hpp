// A transaction of several statements: BEGIN, COMMIT, ROLLBACK, savepoints, and the aborted state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "main/database/database_instance.hpp"
#include "main/statement/session_settings.hpp"
#include "parser/ast/statement.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// The transaction block of one session, open or not. One thread at a time. Rolls back when it is destroyed
/// open. A statement that fails aborts the block, as in PostgreSQL: until it is rolled back, to a savepoint
/// or as a whole, further statements fail with 25P02.
class TransactionBlock {
 public:
  /// `settings`: the session's, which go back to what they were with the transaction. Borrowed.
  TransactionBlock(DatabaseInstance& database, SessionSettings& settings)
      : database_(database), settings_(settings) {}
  ~TransactionBlock();
  TransactionBlock(const TransactionBlock&) = delete;
  TransactionBlock& operator=(const TransactionBlock&) = delete;

  bool is_open() const { return transaction_ != nullptr; }
  /// REQUIRES: open.
  const std::shared_ptr<Transaction>& transaction() const { return transaction_; }
  /// When it began, in microseconds since 1970-01-01 (UTC). REQUIRES: open.
  int64_t begin_micros() const { return begin_micros_; }
  /// The catalog's version before the transaction began.
  uint64_t catalog_version() const { return catalog_version_; }

  /// Does what a statement about transactions says. Throws Error(kTransaction): 25001 where one is open that
  /// must not be, or has run statements already; 25P01 where none is; 3B001 for an unknown savepoint; 40001
  /// by COMMIT. True: a COMMIT or ROLLBACK that ended it.
  bool Run(const ast::TransactionStatement& statement);
  /// Before another statement: throws Error(kTransaction, 25P02) in the aborted state.
  void BeginStatement();
  /// After a statement failed: what it has done is taken back at once, so that others need not wait for the
  /// end of the transaction.
  void Fail() noexcept;
  /// Makes what was done so far stay if the rest of the statement fails.
  void KeepChanges() noexcept { statement_mark_ = is_open() ? transaction_->undo_mark() : 0; }
  /// The modes of a transaction that begins now.
  void ApplyDefaults(Transaction& transaction) const;

 private:
  struct Modes {
    IsolationLevel isolation = IsolationLevel::kSerializable;
    bool read_only = false;
    void Set(const ast::TransactionStatement& statement);
    void ApplyTo(Transaction& transaction) const;
  };
  struct Savepoint {
    std::string name;
    size_t undo_mark;
    SessionSettings settings;
  };
  void Begin(const ast::TransactionStatement& statement);
  void Commit();
  void Rollback() noexcept;
  std::vector<Savepoint>::iterator RequireSavepoint(const std::string& name);
  void RequireOpen(const char* command) const;
  /// Forgets the transaction, which has ended.
  std::shared_ptr<Transaction> Close() noexcept;

  DatabaseInstance& database_;
  SessionSettings& settings_;
  SessionSettings settings_before_;  // As the transaction found them.
  std::shared_ptr<Transaction> transaction_;
  uint64_t catalog_version_ = 0;
  int64_t begin_micros_ = 0;
  bool is_aborted_ = false;
  size_t statement_mark_ = 0;  // undo mark at the begin of the present statement
  bool has_run_ = false;       // a statement has run that may have read
  Modes modes_;                // of the open block
  Modes defaults_;             // of the session's next block
  std::vector<Savepoint> savepoints_;
};

}  // namespace scaup
