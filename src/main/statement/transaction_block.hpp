// Transaction blocks: BEGIN, COMMIT, ROLLBACK, savepoints, and the aborted state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/temporary_schema.hpp"
#include "common/check.hpp"
#include "main/database/database_instance.hpp"
#include "main/key/deferred_checks.hpp"
#include "main/statement/cursors.hpp"
#include "main/statement/session_settings.hpp"
#include "parser/ast/statement.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

/// Returns the time of the system clock, in microseconds since 1970-01-01 (UTC).
int64_t NowMicros();

/// Modes of the running transaction and of those that come.
struct TransactionModes {
  IsolationLevel isolation = IsolationLevel::kSerializable;
  bool read_only = false;
  IsolationLevel default_isolation = IsolationLevel::kSerializable;
  bool default_read_only = false;
  bool operator==(const TransactionModes&) const = default;
};

/// The transaction block of one session, open or not. Owned by the session and guarded by its mutex. Rolls
/// back if it is destroyed while open. A statement that fails aborts the block, as in PostgreSQL: until it is
/// rolled back, as a whole or to a savepoint, further statements fail with 25P02.
class TransactionBlock {
 public:
  /// Borrows `settings`, those of the session, which a rollback restores, its temporary schema, its
  /// cursors, which end with the block, and the block's deferred checks.
  TransactionBlock(DatabaseInstance& database, SessionSettings& settings, TemporarySchema& temporary,
                   Cursors& cursors, DeferredChecks& checks)
      : database_(database), settings_(settings), temporary_(temporary), cursors_(cursors), checks_(checks) {}
  ~TransactionBlock();
  TransactionBlock(const TransactionBlock&) = delete;
  TransactionBlock& operator=(const TransactionBlock&) = delete;

  TemporarySchema& temporary() const { return temporary_; }
  bool is_open() const { return begun_.transaction != nullptr; }
  bool is_aborted() const { return is_aborted_; }
  /// REQUIRES: open.
  const std::shared_ptr<Transaction>& transaction() const {
    SCAUP_ASSERT(is_open());
    return begun_.transaction;
  }
  /// Returns the transaction with the databases that it may use. REQUIRES: open.
  const DatabaseTransaction& begun() const {
    SCAUP_ASSERT(is_open());
    return begun_;
  }
  /// Returns when it began, in microseconds since 1970-01-01 (UTC). REQUIRES: open.
  int64_t begin_micros() const {
    SCAUP_ASSERT(is_open());
    return begin_micros_;
  }
  /// Returns the version of the catalogs that the transaction of the open block sees, without its own
  /// changes.
  uint64_t catalog_version() const { return begun_.catalog_version; }

  /// Runs a statement about transactions. Returns whether it was a COMMIT or ROLLBACK, which ended the block.
  /// Throws Error(kTransaction): 25001 if a block is open that must not be, or has run statements already;
  /// 25P01 if none is open; 3B001 for an unknown savepoint; 40001 if COMMIT fails validation.
  bool Run(const ast::TransactionStatement& statement);
  /// Called before any other statement. Throws Error(kTransaction, 25P02) in the aborted state.
  void BeginStatement();
  /// Called after a statement has failed. Undoes its changes at once, so that other transactions do not
  /// conflict with them until the block ends.
  void Fail() noexcept;
  /// Makes the changes so far stay if the rest of the statement fails.
  void KeepChanges() noexcept { statement_mark_ = is_open() ? transaction()->undo_mark() : 0; }
  /// Gives a new transaction the session's default modes.
  void ApplyDefaults(Transaction& transaction) const;
  /// Returns the session's default modes to the initial ones.
  void ResetDefaults() { defaults_ = Modes(); }
  /// Returns the modes of the transaction, and those of the next ones, which settings tell.
  TransactionModes modes() const;

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
    uint64_t cursor_mark;
    DeferredChecks::Mark checks;
  };
  void Begin(const ast::TransactionStatement& statement);
  void Commit();
  void Rollback() noexcept;
  std::vector<Savepoint>::iterator RequireSavepoint(const std::string& name);
  void RequireOpen(const char* command) const;
  /// Resets the block and returns its transaction, which the caller ends.
  DatabaseTransaction Close() noexcept;

  DatabaseInstance& database_;
  SessionSettings& settings_;
  TemporarySchema& temporary_;
  Cursors& cursors_;
  DeferredChecks& checks_;
  SessionSettings settings_before_;  // at the begin of the block
  DatabaseTransaction begun_;
  int64_t begin_micros_ = 0;
  bool is_aborted_ = false;
  size_t statement_mark_ = 0;  // undo mark at the begin of the present statement
  bool has_run_ = false;       // a statement has run that may have read
  Modes modes_;                // of the open block
  Modes defaults_;             // of the session's next block
  std::vector<Savepoint> savepoints_;
};

}  // namespace scaup
