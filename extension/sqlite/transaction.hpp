// Transaction: the state of a connection between BEGIN and COMMIT, and what lets one statement fail alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shared_database.hpp"

namespace scaup::sqlite {

/// Runs the statements of one connection in transactions as SQLite has them. Owned by the connection, which
/// outlives it.
class Transaction {
 public:
  enum class Mode {
    kRead,
    kWrite,  ///< all of it or nothing, with the right to write
    kAlone   ///< as a write, but not within a transaction of the engine, such as VACUUM
  };
  /// `keeps_waiting` says what to do while another connection writes.
  Transaction(Connection& engine, SharedDatabase& shared, std::function<bool(int)> keeps_waiting)
      : engine_(engine), shared_(shared), keeps_waiting_(std::move(keeps_waiting)) {}

  /// Returns whether BEGIN or SAVEPOINT has opened a transaction.
  bool is_open() const { return is_open_; }
  /// Opens a transaction; with `writes`, takes the right to write at once.
  void Begin(bool writes);
  void Commit();
  void Rollback();
  void Savepoint(const std::string& name);
  void Release(const std::string& name);
  void RollbackTo(const std::string& name);
  /// Runs what a statement does. If it throws, what it has done is taken back and the transaction goes on.
  void Run(Mode mode, const std::function<void()>& work);
  /// Does what may fail for the types of its values, and returns whether it has succeeded. Errors of other
  /// kinds are thrown.
  bool Try(const std::function<void()>& work);
  /// Returns a number that changes whenever something was taken back.
  uint64_t rollback_count() const { return rollback_count_; }

 private:
  void Lock();
  void EnsureBlock();
  void End();
  void TakenBack();
  size_t FindSavepoint(const std::string& name) const;
  void RunInBlock(const std::function<void()>& work);
  void RunAutomatic(const std::function<void()>& work);

  Connection& engine_;
  SharedDatabase& shared_;
  const std::function<bool(int)> keeps_waiting_;
  bool is_open_ = false;
  bool has_block_ = false;   ///< the engine's BEGIN waits for the first statement, whose snapshot it takes
  bool is_running_ = false;  ///< within Run
  bool began_by_savepoint_ = false;
  std::vector<std::string> savepoints_;
  uint64_t rollback_count_ = 0;
};

}  // namespace scaup::sqlite
