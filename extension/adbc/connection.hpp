// Connection: what is behind an AdbcConnection.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "database.hpp"
#include "scaup/connection.hpp"

namespace scaup::adbc {

class LazyResult;

/// A session, its options and the results that are still being read from it. Shared by its AdbcConnection,
/// its statements and their results, so that these may be released in any order. Calls from several threads
/// wait for each other, except Cancel and Progress.
class ConnectionState {
 public:
  /// Options before Init are set by Init.
  void SetOption(const std::string& key, const std::string& value);
  std::string GetOption(const std::string& key);
  void Init(const DatabaseState& database);

  /// Commits. Throws StatusError(INVALID_STATE) with autocommit, and if the transaction has failed, which is
  /// rolled back then.
  void Commit();
  void Rollback();
  /// Interrupts what runs, and ends the results that are being read. Throws StatusError(INVALID_STATE) if
  /// there is nothing to cancel. Does not wait.
  void Cancel();
  /// Interrupts the statement that runs. Does not wait.
  void Interrupt() noexcept { session_->Interrupt(); }
  double Progress() const noexcept { return session_ ? session_->Progress() : -1; }

  const std::shared_ptr<registry::OpenDatabase>& database() const { return database_; }
  ArrowOptions arrow() const;

 private:
  friend class Operation;
  friend class Activity;

  void Apply(const std::string& key, const std::string& value);
  void SetAutocommit(bool is_on);
  void SetIsolation(const std::string& level);
  /// Materializes the results that are being read: a session computes one query at a time.
  void FinishResults();
  std::string TextOf(const std::string& sql, const std::vector<Value>& parameters = {});

  std::shared_ptr<registry::OpenDatabase> database_;
  std::optional<Connection> session_;  // set by Init
  std::atomic<int> activity_count_{0};
  // Held while a statement is executed, not while its result is read.
  std::recursive_mutex mutex_;
  // The members up to the next mutex are guarded by mutex_.
  std::vector<std::pair<std::string, std::string>> early_options_;
  bool is_autocommit_ = true;
  std::string isolation_;
  mutable std::mutex results_mutex_;
  // The members below are guarded by results_mutex_.
  std::vector<std::weak_ptr<LazyResult>> results_;
  ArrowOptions arrow_;
};

/// Marks the session as working, for its lifetime, so that there is something to cancel.
class Activity {
 public:
  explicit Activity(ConnectionState& connection) : connection_(connection) { connection_.activity_count_++; }
  ~Activity() { connection_.activity_count_--; }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  ConnectionState& connection_;
};

/// A statement's turn on a session: other calls wait until it is destroyed. Begins by materializing the
/// results that are being read.
class Operation {
 public:
  /// Throws StatusError(INVALID_STATE) before Init.
  explicit Operation(ConnectionState& connection);

  Connection& session() { return *connection_.session_; }
  /// Begins a transaction if autocommit is off and none is open.
  void BeginTransaction();
  /// Returns the name of the session's time zone.
  std::string TimeZone();
  /// Registers a result that is read later. Until then the session must not run another query.
  void AddResult(const std::shared_ptr<LazyResult>& result);
  /// Throws StatusError(NOT_FOUND) unless `name` is the database's name or null.
  void RequireCatalog(const char* name);
  ConnectionState& connection() { return connection_; }

 private:
  ConnectionState& connection_;
  const std::unique_lock<std::recursive_mutex> lock_;
  const Activity activity_;
};

}  // namespace scaup::adbc
