// The state of one connection.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "common/at_edge.hpp"
#include "common/lock/mutex.hpp"
#include "common/running_call.hpp"
#include "main/session/registered_tables.hpp"
#include "main/session/statement_cache.hpp"
#include "main/statement/named_statements.hpp"
#include "main/statement/statement_execution.hpp"

namespace scaup {

/// The state of a stream. Shared by the StreamingResult and, weakly, by the session, which ends it before its
/// next statement. Guarded by the session's mutex.
class StreamExecution {
 public:
  StreamExecution(std::shared_ptr<class Session> session_in, std::unique_ptr<StatementExecution> execution_in)
      : session(std::move(session_in)),
        execution(std::move(execution_in)),
        columns(execution ? execution->columns() : std::vector<ResultColumn>()),
        rows_changed(execution ? execution->rows_changed() : 0),
        time_zone(execution ? execution->time_zone_name() : std::string("UTC")) {}
  std::shared_ptr<class Session> session;
  std::unique_ptr<StatementExecution> execution;  ///< null once the stream has ended
  std::vector<ResultColumn> columns;
  uint64_t rows_changed;
  std::string time_zone;
  bool was_closed = false;  ///< a later statement has ended the stream before its last row
};

/// One connection's session. Shared by the connection, its prepared statements, streams and appenders; it
/// keeps the database open. Any thread may call; statements take `mutex` and so run one at a time, Interrupt
/// and Progress do not.
class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(std::shared_ptr<DatabaseInstance> database)
      : database_(std::move(database)), block_(*database_, settings_) {}

  QueryResult Execute(std::string_view sql, std::span<const Value> parameters, bool single);
  StreamingResult Stream(std::string_view sql, std::span<const Value> parameters);
  /// Parses a text. Throws Error(kSyntax) unless it is one statement.
  ast::StatementPtr ParseSingle(std::string_view sql) const;
  PreparedPlan Prepare(const ast::Statement& statement);
  QueryResult ExecutePrepared(const ast::Statement& statement, PreparedPlan& prepared,
                              std::span<const Value> parameters);
  StreamingResult StreamPrepared(const ast::Statement& statement, PreparedPlan& prepared,
                                 std::span<const Value> parameters);
  void InsertAppended(const AppendedRows& rows);
  bool Fetch(StreamExecution& stream, QueryResult& rows, size_t most_rows);
  void End(StreamExecution& stream) noexcept;

  void Interrupt() noexcept { interrupted_.store(true); }
  double Progress() const noexcept;
  const std::shared_ptr<DatabaseInstance>& database() const { return database_; }
  /// Returns the process that opened it. Children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  TransactionBlock& block() SCAUP_REQUIRES_LOCK(mutex) { return block_; }
  std::shared_ptr<const TimeZone> CurrentTimeZone() const SCAUP_REQUIRES_LOCK(mutex);
  RegisteredTables& registered() SCAUP_REQUIRES_LOCK(mutex) { return registered_; }

  /// Returns whether the calling thread works for a statement of this session. A statement may call the
  /// program, for example to read a registered table; such code must not wait for the statement's end.
  bool IsCalledBack() const noexcept { return RunningCall::IsFor(interrupted_); }

  Mutex mutex;  // Held by SessionLock during a call.

 private:
  /// Begins a statement, and ends a stream that is still open. It does not clear an interruption, which the
  /// public call has done: an interruption between two statements of a text ends the text.
  std::unique_ptr<StatementExecution> Begin() SCAUP_REQUIRES_LOCK(mutex);
  void EndStream() SCAUP_REQUIRES_LOCK(mutex);
  /// Calls `body` with `mutex` held. If it throws, an open transaction block is aborted.
  template <typename Body>
  auto InStatement(Body&& body);
  /// Runs a statement about transactions, such as BEGIN.
  void RunTransaction(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  StreamingResult OpenStream(std::unique_ptr<StatementExecution> execution) SCAUP_REQUIRES_LOCK(mutex);
  /// Opens a stream of a statement that was started. A statement with effects runs to its end first, so that
  /// its changes do not depend on who reads the stream, and later statements do not close it.
  StreamingResult OpenStarted(std::unique_ptr<StatementExecution> execution, bool has_effects)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Runs a statement about transactions; the stream that is returned has ended.
  StreamingResult StreamTransaction(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  /// Executes a statement without a plan; the stream that is returned has ended.
  StreamingResult StreamDirectly(std::unique_ptr<StatementExecution> execution, BoundStatement& statement)
      SCAUP_REQUIRES_LOCK(mutex);
  std::shared_ptr<const ResultData> Run(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Runs the only statement of a text, and caches it if the text has come before.
  std::shared_ptr<const ResultData> RunText(std::string_view sql, ast::StatementPtr statement,
                                            std::span<const Value> parameters) SCAUP_REQUIRES_LOCK(mutex);
  /// Begins a statement with its cached plan. Returns null if there is no plan that fits; the text is then
  /// parsed and planned.
  std::unique_ptr<StatementExecution> BeginCached(std::string_view sql, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// A statement that is begun and bound, with the values of its parameters. Lives for one call.
  struct Ready {
    /// Returns the plan to run. REQUIRES: the statement has a plan.
    PreparedPlan& plan() { return named != nullptr ? *named : prepared; }
    /// Starts the statement. REQUIRES: it has a plan.
    void Start();
    std::unique_ptr<StatementExecution> execution;
    PreparedPlan* named = nullptr;  ///< the plan of PREPARE, if EXECUTE runs it as it is
    PreparedPlan prepared;          ///< otherwise the plan
    std::vector<Value> values;
  };
  // The functions in session_named_statements.cpp are for statements with IsAboutNamed.
  std::shared_ptr<const ResultData> RunNamed(const ast::Statement& statement,
                                             std::span<const Value> parameters) SCAUP_REQUIRES_LOCK(mutex);
  StreamingResult StreamNamed(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Runs PREPARE and DEALLOCATE; returns false for others.
  bool RunAboutNamed(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  void PrepareNamed(const ast::PrepareStatement& prepare) SCAUP_REQUIRES_LOCK(mutex);
  /// Begins the statement that EXECUTE names.
  Ready BeginNamed(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  static PreparedPlan& NamedPlanFor(NamedStatement& named, const ast::ExecuteStatement& execute,
                                    StatementExecution& execution, std::span<const Value> parameters);
  void RefreshNamed(NamedStatement& named, StatementExecution& execution);
  /// Returns whether a plan no longer fits the catalog, the settings or the attributes of documents.
  static bool IsStale(const PreparedPlan& prepared, const StatementExecution& execution);
  void RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared, StatementExecution& execution);
  /// Returns the plan for parameters of these types. It is `prepared` itself, unless the types of the values
  /// decide what the statement means; then it is one of `by_types`. REQUIRES: `prepared` fits.
  static PreparedPlan& PlanFor(const ast::Statement& statement, PreparedPlan& prepared,
                               const std::vector<LogicalType>& types, StatementExecution& execution);

  const ProcessOrigin origin_;
  std::shared_ptr<DatabaseInstance> database_;
  SessionSettings settings_ SCAUP_GUARDED_BY(mutex);
  TransactionBlock block_ SCAUP_GUARDED_BY(mutex);
  SessionSequences sequences_ SCAUP_GUARDED_BY(mutex);
  std::atomic<bool> interrupted_{false};
  QueryProgress progress_;
  std::weak_ptr<StreamExecution> stream_ SCAUP_GUARDED_BY(mutex);
  StatementCache kept_ SCAUP_GUARDED_BY(mutex);
  NamedStatements named_ SCAUP_GUARDED_BY(mutex);
  RegisteredTables registered_ SCAUP_GUARDED_BY(mutex);
};

/// Locks a session's mutex for its lifetime, on one thread. Throws Error(kUsage, 55006) if a statement of the
/// session has called back into the program on this thread, as it would wait for itself.
class SCAUP_SCOPED_LOCK SessionLock {
 public:
  explicit SessionLock(Session& session) SCAUP_ACQUIRES(session.mutex);
  ~SessionLock() SCAUP_RELEASES() {}
  SessionLock(const SessionLock&) = delete;
  SessionLock& operator=(const SessionLock&) = delete;

 private:
  const MutexLock lock_;
};

}  // namespace scaup
