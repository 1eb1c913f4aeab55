// Sessions: statements one after the other, streams, prepared plans.
#include "main/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/running_call.hpp"
#include "common/throw.hpp"
#include "main/session/cursor_execution.hpp"
#include "main/session/inner_statements.hpp"
#include "main/session/named_execution.hpp"
#include "main/session/plan_choice.hpp"
#include "main/statement/statement_effects.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

void CheckParameterCount(size_t wanted, size_t given) {
  if (wanted == given) return;
  ThrowError(ErrorKind::kUsage, sqlstate::kUndefinedParameter,
             fmt::format("the statement has {} parameter{}, but {} value{} given", wanted,
                         wanted == 1 ? "" : "s", given, given == 1 ? " was" : "s were"));
}

/// Returns whether a statement runs when it is begun, since it is about transactions or names.
bool RunsAtOnce(const ast::Statement& statement) {
  return statement.kind == ast::StatementKind::kTransaction ||
         statement.kind == ast::StatementKind::kPrepare || statement.kind == ast::StatementKind::kDeallocate;
}

/// Calls `body`, whose errors have positions in another text.
template <typename Body>
auto AtPositions(const MovedPositions& positions, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (positions.empty()) throw;
    throw positions.Move(error);
  }
}

/// Makes a plan for literals ready.
ReadyStatement ReadyWith(LiteralShapes::Found found, std::unique_ptr<StatementExecution> execution) {
  ReadyStatement ready;
  ready.execution = std::move(execution);
  ready.kept = found.prepared;
  ready.arguments = std::move(found.values);
  ready.parameters = ready.arguments;
  ready.positions = std::move(found.positions);
  return ready;
}

bool IsAttached(DatabaseInstance& database, const std::string& name) {
  const auto attached = database.attached().list();
  return attached && std::any_of(attached->begin(), attached->end(),
                                 [&](const AttachedDatabase& each) { return each.name == name; });
}

}  // namespace

SessionLock::SessionLock(Session& session)
    : lock_([&]() -> Mutex& {
        if (session.call().IsCalledBack()) {
          ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
                     "a statement of this connection is running and has called this code: use another "
                     "connection, or run the query first");
        }
        return session.mutex;
      }()) {}

void Session::EndStream() {
  if (const auto open = stream_.lock()) {
    // A stream that had ended by itself still reports its end; only one that loses rows reports an error.
    open->was_closed = open->execution != nullptr;
    open->execution.reset();
  }
  stream_.reset();
}

std::unique_ptr<StatementExecution> Session::Begin() {
  EndStream();
  block_.BeginStatement();
  const auto& given = given_.Make(database_->settings(), settings_, block_);
  return InnerStatements::Begin(SessionServices{database_,
                                                block_,
                                                checks_,
                                                home,
                                                sequences_,
                                                settings_,
                                                given,
                                                named_,
                                                cursors_,
                                                registered_.tables,
                                                registered_.functions.registry(),
                                                registered_.functions.version(),
                                                registered_.languages,
                                                registered_.file_hosts,
                                                *temporary_,
                                                variables_,
                                                call_.interrupted(),
                                                call_.progress(),
                                                random_position_,
                                                number_},
                                inner_texts_);
}

template <typename Body>
auto Session::InStatement(Body&& body) {
  origin_.RequireOwn();
  const SessionLock lock(*this);
  call_.Begin();
  const RunningCall running(call_.interrupted());
  // The mark is set before anything can fail. A syntax error comes before the statement has begun, and must
  // not undo the statements before it.
  block_.KeepChanges();
  try {
    return body();
  } catch (const Error& error) {
    // The changes are undone before the mutex is released, so that no later call sees a half-done statement.
    block_.Fail();
    database_->ExplainOutOfMemory(error);
    throw;
  } catch (...) {
    block_.Fail();
    throw;
  }
}

std::shared_ptr<const TimeZone> Session::CurrentTimeZone() const {
  return database_->settings().RequireTimeZone(settings_.Over(database_->settings().Current()).time_zone);
}

std::vector<ast::StatementPtr> Session::Parse(std::string_view sql) const {
  origin_.RequireOwn();
  return Parser(database_->settings().Shared()->max_expression_depth).Parse(sql);
}

ast::StatementPtr SingleStatement(std::string_view sql, std::vector<ast::StatementPtr> statements) {
  if (statements.size() == 1) return std::move(statements[0]);
  if (statements.empty())
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "there is no statement in the text", sql.size());
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "expected one statement, but there are several",
             statements[1]->position);
}

/// Runs the deferred checks of a block that is about to commit. A COMMIT that fails ends the transaction.
static void CheckDeferred(std::unique_ptr<StatementExecution> execution, TransactionBlock& block) {
  try {
    execution->EnforceKeys(KeyChecks::kDeferred);
  } catch (...) {
    execution.reset();
    ast::TransactionStatement rollback;
    rollback.action = ast::TransactionStatement::Action::kRollback;
    block.Run(rollback);
    throw;
  }
}

void Session::RunAtOnce(const ast::Statement& statement) {
  switch (statement.kind) {
    case ast::StatementKind::kTransaction:
      // The stream of the last statement ends first. A session has one transaction and one progress at a
      // time, and ROLLBACK must not take the rows away from under an open scan.
      EndStream();
      if (statement.As<ast::TransactionStatement>().action == ast::TransactionStatement::Action::kCommit &&
          block_.is_open() && !block_.is_aborted() && checks_.has_pending())
        CheckDeferred(Begin(), block_);
      block_.Run(statement.As<ast::TransactionStatement>());
      return;
    case ast::StatementKind::kPrepare:
      PrepareNamed(named_, statement.As<ast::PrepareStatement>(), Begin()->preparer());
      return;
    case ast::StatementKind::kDeallocate: {
      // DEALLOCATE needs no transaction, but must fail in an aborted block like any other statement.
      const auto execution = Begin();
      const auto& deallocate = statement.As<ast::DeallocateStatement>();
      named_.Remove(deallocate.name, deallocate.name_position);
      return;
    }
    default: ThrowInternal("a statement that needs a plan or an execution was run at once");
  }
}

ReadyStatement Session::Begin(ast::Statement& statement, std::span<const Value> parameters,
                              PreparedPlan* kept) {
  CheckParameterCount(statement.parameter_count, parameters.size());
  ReadyStatement ready;
  // Allocated before the statement runs: a COMMIT that has succeeded must not look as if it had failed.
  if (RunsAtOnce(statement)) {
    ready.result = MakeSharedInProcess<ResultData>();
    RunAtOnce(statement);
    return ready;
  }
  // USE leaves a database that another session has detached, and need not find it.
  if (statement.kind == ast::StatementKind::kUse && !IsAttached(*database_, home)) home.clear();
  ready.execution = Begin();
  ready.parameters = parameters;
  StatementPreparer& preparer = ready.execution->preparer();
  preparer.SplitTargetNames(statement);
  if (IsAboutCursors(statement)) {
    BeginAboutCursors(cursors_, statement, block_.is_open(), ready);
  } else if (IsAboutNamed(statement)) {
    BindNamed(named_, statement, parameters, ready);
  } else if (kept != nullptr) {
    RefreshPlan(statement, *kept, preparer);
    ready.kept = &PlanFor(statement, *kept, DeclaredTypes(parameters), preparer);
  } else {
    // A collection that the statement creates must exist before the statement is bound to it.
    preparer.CreateCollectionFor(statement);
    ready.own = preparer.Prepare(statement, parameters);
  }
  return ready;
}

std::optional<ReadyStatement> Session::BeginCached(std::string_view sql, std::span<const Value> parameters) {
  // Uncommitted changes of the catalog have no version yet, so no cached plan can be known to fit them.
  if (block_.is_open() && HasCatalogChanges(*database_, block_.begun())) return std::nullopt;
  const uint64_t version = block_.is_open() ? block_.catalog_version() : CatalogVersion(*database_);
  shapes_.Follow(version);
  inner_texts_.Follow(version);
  CachedStatement* cached = cache_.Find(sql, DeclaredTypes(parameters), version);
  if (cached == nullptr) {
    auto found = parameters.empty() ? shapes_.Find(sql) : std::nullopt;
    if (!found) return std::nullopt;
    auto execution = Begin();
    // As for a text that is cached, below.
    if (!execution->preparer().Fits(*found->prepared)) return std::nullopt;
    return ReadyWith(std::move(*found), std::move(execution));
  }
  CheckParameterCount(cached->statement->parameter_count, parameters.size());
  ReadyStatement ready;
  ready.execution = Begin();
  // Another session may have changed the catalog between the lookup and the begin of the transaction, and the
  // session's settings and the attributes of documents are no part of the catalog's version.
  if (!ready.execution->preparer().Fits(cached->prepared)) return std::nullopt;
  ready.kept = &cached->prepared;
  ready.parameters = parameters;
  return ready;
}

ReadyStatement Session::BeginText(std::string_view sql, ast::StatementPtr statement,
                                  std::span<const Value> parameters) {
  // A text that comes again as it is gets a plan for its values, which may be a better one.
  if (parameters.empty() && !cache_.HasSeen(sql, {})) {
    if (const auto shape = shapes_.ShapeToLearn(sql)) {
      // The tree is one of its own, as literals are taken out of it.
      ast::StatementPtr tree = SingleStatement(sql, Parse(sql));
      auto execution = Begin();
      auto found = shapes_.Learn(sql, *shape, std::move(tree), execution->preparer());
      if (found) return ReadyWith(std::move(*found), std::move(execution));
    }
  }
  ReadyStatement ready = Begin(*statement, parameters, nullptr);
  const bool is_bound = ready.execution && ready.kept == nullptr && !ready.statement && !ready.is_started;
  const auto types = DeclaredTypes(parameters);
  if (is_bound && cache_.WouldKeep(sql, types, *statement, ready.own)) {
    ready.kept = &cache_.Add(sql, types, {std::move(statement), std::move(ready.own)}).prepared;
  } else if (!ready.statement) {
    ready.statement = std::move(statement);
  }
  return ready;
}

QueryResult Session::Execute(std::string_view sql, std::span<const Value> parameters, bool single) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    const auto finish = [](ReadyStatement ready) {
      return AtPositions(ready.positions, [&] { return ResultAccess::MakeResult(ready.Finish()); });
    };
    if (auto ready = BeginCached(sql, parameters)) return finish(std::move(*ready));
    if (single) return finish(BeginText(sql, SingleStatement(sql, Parse(sql)), parameters));
    auto statements = Parse(sql);
    if (statements.size() == 1) return finish(BeginText(sql, std::move(statements[0]), parameters));
    // The cache finds statements by their whole text, so those of a longer text are not cached. All of them
    // are parsed before the first one runs: a syntax error anywhere in the text runs none.
    std::shared_ptr<const ResultData> last = MakeSharedInProcess<ResultData>();
    for (const auto& statement : statements) last = Begin(*statement, parameters, nullptr).Finish();
    return ResultAccess::MakeResult(std::move(last));
  });
}

StreamingResult Session::Stream(std::string_view sql, ast::StatementPtr parsed,
                                std::span<const Value> parameters) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    if (auto ready = BeginCached(sql, parameters)) return OpenStream(std::move(*ready));
    if (!parsed) parsed = SingleStatement(sql, Parse(sql));
    return OpenStream(BeginText(sql, std::move(parsed), parameters));
  });
}

PreparedPlan Session::Prepare(ast::Statement& statement, std::span<const LogicalType> types) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    PreparedPlan prepared;
    // Statements about transactions and names have no plan. They are run from their syntax tree at each
    // execution.
    if (statement.kind == ast::StatementKind::kTransaction) return prepared;
    if (IsAboutNamed(statement)) {
      prepared.columns = NamedColumns(named_, statement);
      return prepared;
    }
    if (IsAboutCursors(statement)) {
      prepared.columns = CursorColumns(cursors_, statement);
      return prepared;
    }
    prepared.declared_types.assign(types.begin(), types.end());
    const auto execution = Begin();
    execution->preparer().SplitTargetNames(statement);
    RefreshPlan(statement, prepared, execution->preparer());
    return prepared;
  });
}

QueryResult Session::ExecutePrepared(ast::Statement& statement, PreparedPlan& prepared,
                                     std::span<const Value> parameters) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    return ResultAccess::MakeResult(Begin(statement, parameters, &prepared).Finish());
  });
}

StreamingResult Session::StreamPrepared(ast::Statement& statement, PreparedPlan& prepared,
                                        std::span<const Value> parameters) {
  return InStatement(
      [&]() SCAUP_REQUIRES_LOCK(mutex) { return OpenStream(Begin(statement, parameters, &prepared)); });
}

StreamingResult Session::OpenStream(ReadyStatement ready) {
  // Allocated before the statement can commit.
  auto stream = MakeSharedInProcess<StreamExecution>(shared_from_this());
  StreamingResult result = ResultAccess::MakeStream(stream);
  if (!ready.execution) {
    stream->rows_changed = ready.result->rows_changed;
    return result;
  }
  stream->time_zone = ready.execution->time_zone_name();
  PreparedPlan& prepared = ready.prepared();
  if (prepared.direct) {
    ready.execution->ExecuteDirectly(*prepared.direct);
    stream->rows_changed = ready.execution->rows_changed();
    return result;
  }
  // Determined before the start, which consumes the plan.
  // FETCH moves its cursor at once, and not when the rows are read.
  const bool has_effects = ready.is_started || HasEffects(*prepared.plan->root);
  AtPositions(ready.positions, [&] {
    if (!ready.is_started) ready.Start();
    stream->columns = ready.execution->run()->columns();
    stream->has_rows = ready.execution->run()->returns_rows();
    // A statement with effects runs to its end first and commits, so that its changes do not depend on who
    // reads the stream. The session forgets the stream, so that later statements do not close it.
    if (!has_effects) return;
    if (stream->has_rows) return ready.execution->RunToEnd();
    ready.execution->Finish();
  });
  stream->positions = std::move(ready.positions);
  if (has_effects) {
    if (ready.when_done) ready.when_done();
  } else {
    stream_ = stream;
  }
  stream->rows_changed = ready.execution->rows_changed();
  // A change that returns no rows has ended.
  if (stream->has_rows || !has_effects) stream->execution = std::move(ready.execution);
  return result;
}

void Session::InsertAppended(const AppendedRows& rows) {
  InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) { Begin()->InsertAppended(rows); });
}

bool Session::Fetch(StreamExecution& stream, QueryResult& rows, size_t most_rows) {
  origin_.RequireOwn();
  if (most_rows == 0) {
    ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
               "Fetch was asked for no rows: at least one must be wanted");
  }
  // A statement that reads a stream of its own session has closed the stream when it began. The lock is held
  // by that statement, so the call goes on without it to report this.
  std::optional<SessionLock> lock;
  if (!call_.IsCalledBack() || !stream.was_closed) lock.emplace(*this);
  mutex.AssertHeld();  // By this thread: by the lock, or by the statement that calls back.
  if (stream.was_closed) {
    ThrowError(ErrorKind::kUsage, "24000", "the result was closed by a later statement on its connection");
  }
  if (!stream.execution) return false;
  const RunningCall running(call_.interrupted());
  std::shared_ptr<const ResultData> part;
  try {
    part = AtPositions(stream.positions, [&] { return stream.execution->FetchPart(most_rows); });
  } catch (...) {
    // A statement that has committed cannot fail any more. Its materialized rows can be fetched again, for
    // example when memory is available.
    if (stream.execution->is_done()) throw;
    stream.execution.reset();
    block_.Fail();
    throw;
  }
  if (!part) {
    stream.execution.reset();
    return false;
  }
  if (stream.execution->run() == nullptr) stream.execution.reset();
  rows = ResultAccess::MakeResult(std::move(part));
  return true;
}

// The transaction of the query ends under the session's mutex, like all its other actions. If a statement of
// the session destroys the stream, this thread holds the mutex already; the stream has then ended or was
// closed.
void Session::End(StreamExecution& stream) noexcept {
  std::optional<MutexLock> lock;
  if (!call_.IsCalledBack()) lock.emplace(mutex);
  const RunningCall running(call_.interrupted());
  stream.execution.reset();
}

}  // namespace scaup
