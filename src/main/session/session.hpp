// The state of one connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/temporary_schema.hpp"
#include "common/at_edge.hpp"
#include "common/lock/mutex.hpp"
#include "main/session/call_control.hpp"
#include "main/session/inner_texts.hpp"
#include "main/session/literal_shapes.hpp"
#include "main/session/ready_statement.hpp"
#include "main/session/registered_functions.hpp"
#include "main/session/statement_cache.hpp"
#include "main/statement/named_statements.hpp"

namespace scaup {

/// The state of a stream. Shared by the StreamingResult and, weakly, by the session, which ends it before its
/// next statement. Guarded by the session's mutex.
class StreamExecution {
 public:
  explicit StreamExecution(std::shared_ptr<class Session> session_in) : session(std::move(session_in)) {}
  std::shared_ptr<class Session> session;
  std::unique_ptr<StatementExecution> execution;  ///< null once the stream has ended
  std::vector<ResultColumn> columns;              ///< none for a statement without a plan
  bool has_rows = false;                          ///< even without columns
  uint64_t rows_changed = 0;
  std::string time_zone = "UTC";
  MovedPositions positions;  ///< of errors
  bool was_closed = false;   ///< a later statement has ended the stream before its last row
};

/// Returns the only statement of a text. Throws Error(kSyntax) unless there is one.
ast::StatementPtr SingleStatement(std::string_view sql, std::vector<ast::StatementPtr> statements);

/// One connection's session. Shared by the connection, its prepared statements, streams and appenders; it
/// keeps the database open. Any thread may call; statements take `mutex` and so run one at a time, call()
/// does not.
class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(std::shared_ptr<DatabaseInstance> database)
      : database_(std::move(database)), block_(*database_, settings_, *temporary_, cursors_, checks_) {}

  QueryResult Execute(std::string_view sql, std::span<const Value> parameters, bool single);
  /// `parsed`: the text's one statement, if it was parsed already.
  StreamingResult Stream(std::string_view sql, ast::StatementPtr parsed, std::span<const Value> parameters);
  std::vector<ast::StatementPtr> Parse(std::string_view sql) const;
  /// Prepares a statement with declared types of its parameters; kNull for unknown ones.
  PreparedPlan Prepare(ast::Statement& statement, std::span<const LogicalType> types = {});
  QueryResult ExecutePrepared(ast::Statement& statement, PreparedPlan& prepared,
                              std::span<const Value> parameters);
  StreamingResult StreamPrepared(ast::Statement& statement, PreparedPlan& prepared,
                                 std::span<const Value> parameters);
  void InsertAppended(const AppendedRows& rows);
  bool Fetch(StreamExecution& stream, QueryResult& rows, size_t most_rows);
  void End(StreamExecution& stream) noexcept;

  /// Returns what other threads may use while a statement runs.
  CallControl& call() { return call_; }
  const std::shared_ptr<DatabaseInstance>& database() const { return database_; }
  /// Returns the process that opened it. Children made by fork may not use it.
  const ProcessOrigin& origin() const { return origin_; }
  TransactionBlock& block() SCAUP_REQUIRES_LOCK(mutex) { return block_; }
  std::shared_ptr<const TimeZone> CurrentTimeZone() const SCAUP_REQUIRES_LOCK(mutex);
  RegisteredObjects& registered() SCAUP_REQUIRES_LOCK(mutex) { return registered_; }

  Mutex mutex;                               // Held by SessionLock during a call.
  std::string home SCAUP_GUARDED_BY(mutex);  // The name of the database that USE has set; "" for database().

 private:
  /// Begins a statement, and ends a stream that is still open. It does not clear an interruption, which the
  /// public call has done: an interruption between two statements of a text ends the text.
  std::unique_ptr<StatementExecution> Begin() SCAUP_REQUIRES_LOCK(mutex);
  void EndStream() SCAUP_REQUIRES_LOCK(mutex);
  /// Calls `body` with `mutex` held. If it throws, an open transaction block is aborted.
  template <typename Body>
  auto InStatement(Body&& body);
  /// Makes a statement ready, or runs it if it is about transactions or names. `kept` is the plan of a
  /// prepared statement; null for others.
  ReadyStatement Begin(ast::Statement& statement, std::span<const Value> parameters, PreparedPlan* kept)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Makes the only statement of a text ready, and caches it if the text has come before.
  ReadyStatement BeginText(std::string_view sql, ast::StatementPtr statement,
                           std::span<const Value> parameters) SCAUP_REQUIRES_LOCK(mutex);
  /// Makes a text ready by its cached plan. Returns nothing if there is no plan that fits; the text is then
  /// parsed and planned.
  std::optional<ReadyStatement> BeginCached(std::string_view sql, std::span<const Value> parameters)
      SCAUP_REQUIRES_LOCK(mutex);
  /// Runs a statement about transactions or names.
  void RunAtOnce(const ast::Statement& statement) SCAUP_REQUIRES_LOCK(mutex);
  /// Runs a statement as a stream.
  StreamingResult OpenStream(ReadyStatement ready) SCAUP_REQUIRES_LOCK(mutex);

  const ProcessOrigin origin_;
  std::shared_ptr<DatabaseInstance> database_;
  const int32_t number_ = database_->activity().NewSessionNumber();
  // Set once; the schema itself is thread-safe.
  const std::shared_ptr<TemporarySchema> temporary_ = std::make_shared<TemporarySchema>();
  SessionVariables variables_ SCAUP_GUARDED_BY(mutex);
  SessionSettings settings_ SCAUP_GUARDED_BY(mutex);
  StatementSettingsMaker given_ SCAUP_GUARDED_BY(mutex);
  Cursors cursors_ SCAUP_GUARDED_BY(mutex);        // Destroyed after the block, which ends them.
  DeferredChecks checks_ SCAUP_GUARDED_BY(mutex);  // of the block
  TransactionBlock block_ SCAUP_GUARDED_BY(mutex);
  SessionSequences sequences_ SCAUP_GUARDED_BY(mutex);
  CallControl call_{origin_};
  std::atomic<uint64_t> random_position_{0};  // of random(), since setseed()
  std::weak_ptr<StreamExecution> stream_ SCAUP_GUARDED_BY(mutex);
  StatementCache cache_ SCAUP_GUARDED_BY(mutex);
  LiteralShapes shapes_ SCAUP_GUARDED_BY(mutex);
  InnerTexts inner_texts_;  // of functions
  NamedStatements named_ SCAUP_GUARDED_BY(mutex);
  RegisteredObjects registered_ SCAUP_GUARDED_BY(mutex) = RegisteredObjects(*database_);
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
