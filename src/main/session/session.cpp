// Sessions: statements one after the other, streams, prepared plans.
#include "main/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/running_call.hpp"
#include "common/throw.hpp"
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

}  // namespace

SessionLock::SessionLock(Session& session)
    : lock_([&]() -> Mutex& {
        if (session.IsCalledBack()) {
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
  return std::make_unique<StatementExecution>(SessionServices{database_, block_, sequences_, settings_,
                                                              named_, registered_, interrupted_, progress_});
}

void Session::RunTransaction(const ast::Statement& statement) {
  // The stream of the last statement ends first. A session has one transaction and one progress at a time,
  // and ROLLBACK must not take the rows away from under an open scan.
  EndStream();
  block_.Run(statement.As<ast::TransactionStatement>());
}

template <typename Body>
auto Session::InStatement(Body&& body) {
  origin_.RequireOwn();
  const SessionLock lock(*this);
  // An interruption that came while nothing ran is dropped: its sender meant a statement that has ended.
  interrupted_.store(false);
  const RunningCall running(interrupted_);
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
  return database_->RequireTimeZone(settings_.Over(database_->settings()).time_zone);
}

double Session::Progress() const noexcept {
  if (origin_.IsInherited()) return -1;
  try {
    return progress_.Current();
  } catch (...) {
    return -1;
  }
}

ast::StatementPtr Session::ParseSingle(std::string_view sql) const {
  origin_.RequireOwn();
  auto statements = Parser(database_->settings().max_expression_depth).Parse(sql);
  if (statements.size() == 1) return std::move(statements[0]);
  if (statements.empty())
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "there is no statement in the text", sql.size());
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "expected one statement, but there are several",
             statements[1]->position);
}

std::shared_ptr<const ResultData> Session::Run(const ast::Statement& statement,
                                               std::span<const Value> parameters) {
  CheckParameterCount(statement.parameter_count, parameters.size());
  if (statement.kind == ast::StatementKind::kTransaction) {
    // Allocated first: a COMMIT that has succeeded must not look as if it had failed.
    std::shared_ptr<const ResultData> none = MakeSharedInProcess<ResultData>();
    RunTransaction(statement);
    return none;
  }
  if (IsAboutNamed(statement)) return RunNamed(statement, parameters);
  auto execution = Begin();
  // A collection that the statement creates must exist before the statement is bound to it.
  execution->CreateCollectionFor(statement);
  PreparedPlan prepared = execution->Prepare(statement, parameters);
  if (!prepared.plan) return execution->ExecuteDirectly(*prepared.direct);
  execution->StartFirst(prepared, parameters);
  return execution->Finish();
}

std::unique_ptr<StatementExecution> Session::BeginCached(std::string_view sql,
                                                         std::span<const Value> parameters) {
  // Uncommitted changes of the catalog have no version yet, so no cached plan can be known to fit them.
  if (block_.is_open() && database_->catalog().HasChanges(*block_.transaction())) return nullptr;
  const uint64_t version = block_.is_open() ? block_.catalog_version() : database_->catalog().version();
  CachedStatement* kept = kept_.Find(sql, DeclaredTypes(parameters), version);
  if (kept == nullptr) return nullptr;
  CheckParameterCount(kept->statement->parameter_count, parameters.size());
  auto execution = Begin();
  // Another session may have changed the catalog between the lookup and the begin of the transaction, and the
  // session's settings and the attributes of documents are no part of the catalog's version.
  if (kept->prepared.catalog_version != execution->catalog_version() ||
      !execution->HasSettingsOf(kept->prepared) ||
      !kept->prepared.KnowsAttributes(execution->transaction())) {
    return nullptr;
  }
  execution->StartAgain(kept->prepared, parameters);
  return execution;
}

std::shared_ptr<const ResultData> Session::RunText(std::string_view sql, ast::StatementPtr statement,
                                                   std::span<const Value> parameters) {
  if (statement->kind == ast::StatementKind::kTransaction || IsAboutNamed(*statement))
    return Run(*statement, parameters);
  CheckParameterCount(statement->parameter_count, parameters.size());
  auto execution = Begin();
  execution->CreateCollectionFor(*statement);
  PreparedPlan prepared = execution->Prepare(*statement, parameters);
  if (!prepared.plan) return execution->ExecuteDirectly(*prepared.direct);
  const auto types = DeclaredTypes(parameters);
  // A statement that fails to start is not cached.
  if (!execution->has_changed_catalog() && kept_.WouldKeep(sql, types, *statement, prepared)) {
    execution->StartAgain(prepared, parameters);
    kept_.Add(sql, types, {std::move(statement), std::move(prepared)});
  } else {
    execution->StartFirst(prepared, parameters);
  }
  return execution->Finish();
}

QueryResult Session::Execute(std::string_view sql, std::span<const Value> parameters, bool single) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    if (const auto execution = BeginCached(sql, parameters))
      return ResultAccess::MakeResult(execution->Finish());
    if (single) return ResultAccess::MakeResult(RunText(sql, ParseSingle(sql), parameters));
    auto statements = Parser(database_->settings().max_expression_depth).Parse(sql);
    if (statements.size() == 1)
      return ResultAccess::MakeResult(RunText(sql, std::move(statements[0]), parameters));
    // The cache finds statements by their whole text, so those of a longer text are not cached. All of them
    // are parsed before the first one runs: a syntax error anywhere in the text runs none.
    std::shared_ptr<const ResultData> last = MakeSharedInProcess<ResultData>();
    for (const auto& statement : statements) last = Run(*statement, parameters);
    return ResultAccess::MakeResult(std::move(last));
  });
}

StreamingResult Session::OpenStream(std::unique_ptr<StatementExecution> execution) {
  auto stream = MakeSharedInProcess<StreamExecution>(shared_from_this(), std::move(execution));
  stream_ = stream;
  return ResultAccess::MakeStream(std::move(stream));
}

StreamingResult Session::OpenStarted(std::unique_ptr<StatementExecution> execution, bool has_effects) {
  if (!has_effects) return OpenStream(std::move(execution));
  // The rows are materialized and the statement has committed. The session forgets the stream, so that later
  // statements do not close it.
  execution->RunToEnd();
  auto stream = OpenStream(std::move(execution));
  stream_.reset();
  return stream;
}

StreamingResult Session::StreamDirectly(std::unique_ptr<StatementExecution> execution,
                                        BoundStatement& statement) {
  execution->ExecuteDirectly(statement);
  auto ended = OpenStream(std::move(execution));
  stream_.lock()->execution.reset();
  return ended;
}

StreamingResult Session::StreamTransaction(const ast::Statement& statement) {
  RunTransaction(statement);
  return OpenStream(nullptr);
}

StreamingResult Session::Stream(std::string_view sql, std::span<const Value> parameters) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    const auto statement = ParseSingle(sql);
    CheckParameterCount(statement->parameter_count, parameters.size());
    if (statement->kind == ast::StatementKind::kTransaction) return StreamTransaction(*statement);
    if (IsAboutNamed(*statement)) return StreamNamed(*statement, parameters);
    auto execution = Begin();
    execution->CreateCollectionFor(*statement);
    PreparedPlan prepared = execution->Prepare(*statement, parameters);
    if (!prepared.plan) return StreamDirectly(std::move(execution), *prepared.direct);
    // Determined before the start, which consumes the plan.
    const bool has_effects = HasEffects(*prepared.plan->root);
    execution->StartFirst(prepared, parameters);
    return OpenStarted(std::move(execution), has_effects);
  });
}

PreparedPlan Session::Prepare(const ast::Statement& statement) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    // Statements about transactions and names have no plan. They are run from their syntax tree at each
    // execution.
    if (statement.kind == ast::StatementKind::kTransaction || IsAboutNamed(statement)) return PreparedPlan();
    const auto execution = Begin();
    PreparedPlan prepared;
    RefreshPlan(statement, prepared, *execution);
    return prepared;
  });
}

bool Session::IsStale(const PreparedPlan& prepared, const StatementExecution& execution) {
  // Changes of the catalog by the transaction itself have no version yet, so no version tells whether a plan
  // fits.
  return prepared.catalog_version != execution.catalog_version() || execution.has_changed_catalog() ||
         !execution.HasSettingsOf(prepared) || !prepared.KnowsAttributes(execution.transaction());
}

void Session::RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared,
                          StatementExecution& execution) {
  if (prepared.plan && !IsStale(prepared, execution)) return;
  execution.CreateCollectionFor(statement);
  prepared = execution.Prepare(statement);
  // A collection that was created for preparing alone is rolled back with this transaction. Version 0, which
  // no catalog has, marks the plan as stale for the next execution.
  if (execution.has_changed_catalog()) prepared.catalog_version = 0;
}

PreparedPlan& Session::PlanFor(const ast::Statement& statement, PreparedPlan& prepared,
                               const std::vector<LogicalType>& types, StatementExecution& execution) {
  // Programs pass few combinations of types. The bound limits the memory of those that pass many.
  constexpr size_t kMostPlans = 16;
  if (!prepared.plan || !prepared.follows_given_types || statement.parameter_count == 0) return prepared;
  std::vector<LogicalType> declared = prepared.declared_types;
  declared.resize(statement.parameter_count);
  if (declared == types) return prepared;
  auto& plans = prepared.by_types;
  const auto known = std::find_if(plans.begin(), plans.end(),
                                  [&](const PreparedPlan& plan) { return plan.declared_types == types; });
  if (known != plans.end() && !IsStale(*known, execution)) return *known;
  PreparedPlan bound = execution.PrepareTyped(statement, types);
  if (execution.has_changed_catalog()) bound.catalog_version = 0;
  if (known != plans.end()) return *known = std::move(bound);
  if (plans.size() >= kMostPlans) plans.erase(plans.begin());
  plans.push_back(std::move(bound));
  return plans.back();
}

QueryResult Session::ExecutePrepared(const ast::Statement& statement, PreparedPlan& prepared,
                                     std::span<const Value> parameters) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    CheckParameterCount(statement.parameter_count, parameters.size());
    if (statement.kind == ast::StatementKind::kTransaction) {
      RunTransaction(statement);
      return QueryResult();
    }
    if (IsAboutNamed(statement)) return ResultAccess::MakeResult(RunNamed(statement, parameters));
    auto execution = Begin();
    RefreshPlan(statement, prepared, *execution);
    if (!prepared.plan) return ResultAccess::MakeResult(execution->ExecuteDirectly(*prepared.direct));
    execution->StartAgain(PlanFor(statement, prepared, DeclaredTypes(parameters), *execution), parameters);
    return ResultAccess::MakeResult(execution->Finish());
  });
}

StreamingResult Session::StreamPrepared(const ast::Statement& statement, PreparedPlan& prepared,
                                        std::span<const Value> parameters) {
  return InStatement([&]() SCAUP_REQUIRES_LOCK(mutex) {
    CheckParameterCount(statement.parameter_count, parameters.size());
    if (statement.kind == ast::StatementKind::kTransaction) return StreamTransaction(statement);
    if (IsAboutNamed(statement)) return StreamNamed(statement, parameters);
    auto execution = Begin();
    RefreshPlan(statement, prepared, *execution);
    if (!prepared.plan) return StreamDirectly(std::move(execution), *prepared.direct);
    PreparedPlan& plan = PlanFor(statement, prepared, DeclaredTypes(parameters), *execution);
    const bool has_effects = HasEffects(*plan.plan->root);
    execution->StartAgain(plan, parameters);
    return OpenStarted(std::move(execution), has_effects);
  });
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
  if (!IsCalledBack() || !stream.was_closed) lock.emplace(*this);
  mutex.AssertHeld();  // By this thread: by the lock, or by the statement that calls back.
  if (stream.was_closed) {
    ThrowError(ErrorKind::kUsage, "24000", "the result was closed by a later statement on its connection");
  }
  if (!stream.execution) return false;
  const RunningCall running(interrupted_);
  std::shared_ptr<const ResultData> part;
  try {
    part = stream.execution->FetchPart(most_rows);
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
  rows = ResultAccess::MakeResult(std::move(part));
  return true;
}

// The transaction of the query ends under the session's mutex, like all its other actions. If a statement of
// the session destroys the stream, this thread holds the mutex already; the stream has then ended or was
// closed.
void Session::End(StreamExecution& stream) noexcept {
  std::optional<MutexLock> lock;
  if (!IsCalledBack()) lock.emplace(mutex);
  const RunningCall running(interrupted_);
  stream.execution.reset();
}

}  // namespace scaup
