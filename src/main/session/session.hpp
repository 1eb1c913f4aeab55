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

/// A stream that a session has given out. Guarded by the session's mutex.
class StreamExecution {
 public:
  StreamExecution(std::shared_ptr<class Session> session_in, std::unique_ptr<StatementExecution> execution_in)
      : session(std::move(session_in)),
        execution(std::move(execution_in)),
        columns(execution ? execution->columns() : std::vector<ResultColumn>()),
        rows_changed(execution ? execution->rows_changed() : 0),
        time_zone(execution ? execution->time_zone_name() : std::string("UTC")) {}
  std::shared_ptr<class Session> session;
  std::unique_ptr<StatementExecution> execution;  ///< null once it ended
  std::vector<ResultColumn> columns;
  uint64_t rows_changed;
  std::string time_zone;
  bool was_closed = false;  ///< by a later statement
};

/// One connection's session. Statements take `mutex`; Interrupt and Progress do not.
class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(std::shared_ptr<DatabaseInstance> database)
      : database_(std::move(database)), block_(*database_, settings_) {}

  QueryResult Execute(std::string_view sql, std::span<const Value> parameters, bool single);
  StreamingResult Stream(std::string_view sql, std::span<const Value> parameters);
  /// Parses text that must be one statement.
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
  /// Which process opened it: children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  TransactionBlock& block() SCAUP_REQUIRES_LOCK(mutex) { return block_; }
  std::shared_ptr<const TimeZone> CurrentTimeZone() const SCAUP_REQUIRES_LOCK(mutex);
  RegisteredTables& registered() SCAUP_REQUIRES_LOCK(mutex) { return registered_; }

  /// Whether the calling thread works for a statement of this session: code of the program that the statement
  /// calls, as a table that it reads, must not wait for the end of the statement.
  bool IsCalledBack() const noexcept { return RunningCall::IsFor(interrupted_); }

  Mutex mutex;  // Held by SessionLock during a call.

 private:
  /// Begins a statement, and ends a stream that is still open. With `mutex` held. The public call clears an
  /// old interruption, not this: one that comes between two statements of a text ends the text.
  std::unique_ptr<StatementExecution> Begin() SCAUP_REQUIRES_LOCK(mutex);
  void EndStream() SCAUP_REQUIRES_LOCK(mutex);
  /// Calls `body` with `mutex` held; if it throws, an open transaction block is aborted.
  template <typename Body>
  auto InStatement(Body&& body);
  /// A statement about transactions: BEGIN and the like.
  void RunTransaction(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  StreamingResult OpenStream(std::unique_ptr<StatementExecution> execution) SCAUP_REQUIRES_LOCK(mutex);
  /// Opens a stream of a statement that was started. A statement that does more than read runs to its end
  /// now: later statements do not close such a stream, and nothing is lost with it.
  StreamingResult OpenStarted(std::unique_ptr<StatementExecution> execution, bool has_effects)
      SCAUP_REQUIRES_LOCK(mutex);
  /// A stream that has ended, of a statement about transactions.
  StreamingResult StreamTransaction(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  /// Executes a statement without a plan; the stream that is returned has ended.
  StreamingResult StreamDirectly(std::unique_ptr<StatementExecution> execution, BoundStatement& statement)
      SCAUP_REQUIRES_LOCK(mutex);
  std::shared_ptr<const ResultData> Run(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Runs the only statement of a text, which may be cached for when it comes again.
  std::shared_ptr<const ResultData> RunText(std::string_view sql, ast::StatementPtr statement,
                                            std::span<const Value> parameters) SCAUP_REQUIRES_LOCK(mutex);
  /// Begins a statement with its cached plan. Null where there is none that fits: then the text is parsed and
  /// planned.
  std::unique_ptr<StatementExecution> BeginCached(std::string_view sql, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// A statement that is begun and bound, with the values of its parameters.
  struct Ready {
    /// REQUIRES: it is not executed directly.
    PreparedPlan& plan() { return named != nullptr ? *named : prepared; }
    /// REQUIRES: the same.
    void Start();
    std::unique_ptr<StatementExecution> execution;
    PreparedPlan* named = nullptr;  ///< what PREPARE made, if that is run
    PreparedPlan prepared;          ///< else this
    std::vector<Value> values;
  };
  // session_named_statements.cpp. Of statements with IsAboutNamed.
  std::shared_ptr<const ResultData> RunNamed(const ast::Statement& statement,
                                             std::span<const Value> parameters) SCAUP_REQUIRES_LOCK(mutex);
  StreamingResult StreamNamed(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// PREPARE and DEALLOCATE; false for others.
  bool RunAboutNamed(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  void PrepareNamed(const ast::PrepareStatement& prepare) SCAUP_REQUIRES_LOCK(mutex);
  /// Begins the statement that EXECUTE stands for.
  Ready BeginNamed(const ast::Statement& statement, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  static PreparedPlan& NamedPlanFor(NamedStatement& named, const ast::ExecuteStatement& execute,
                                    StatementExecution& execution, std::span<const Value> parameters);
  void RefreshNamed(NamedStatement& named, StatementExecution& execution);
  /// Whether a plan of an earlier statement fits no longer.
  static bool IsStale(const PreparedPlan& prepared, const StatementExecution& execution);
  void RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared, StatementExecution& execution);
  /// The plan for parameters of these types: `prepared` itself, or where given values decide one of its
  /// `by_types`: as a query with these values would be bound. REQUIRES: `prepared` fits.
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

/// Holds a session's mutex. Throws Error(kUsage, 55006) where a statement of the session has called back into
/// the program: it would wait for itself.
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
