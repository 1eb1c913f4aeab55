// The public Connection, PreparedStatement and StreamingResult.
#include "scaup/connection.hpp"

#include "common/throw.hpp"
#include "main/api/moved_from.hpp"
#include "main/api/parsed_text.hpp"
#include "main/session/session.hpp"
#include "parser/parser.hpp"

namespace scaup {

// --- Connection
// --------------------------------------------------------------------------------------------------

namespace {

Session& Require(const std::shared_ptr<Session>& session) { return RequireState(session, "connection"); }

}  // namespace

Connection::Connection(const Database& database) {
  AtEdge([&] {
    RequireState(database.instance_, "database").origin().RequireOwn();
    session_ = MakeSharedInProcess<Session>(database.instance_);
  });
}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;

QueryResult Connection::Query(std::string_view sql) {
  return AtEdge([&] { return Require(session_).Execute(sql, {}, false); });
}

QueryResult Connection::Query(std::string_view sql, std::span<const Value> parameters) {
  return AtEdge([&] { return Require(session_).Execute(sql, parameters, true); });
}

StreamingResult Connection::Stream(std::string_view sql, std::span<const Value> parameters) {
  return AtEdge([&] { return Require(session_).Stream(sql, nullptr, parameters); });
}

ParsedText Connection::Parse(std::string_view sql) const {
  return AtEdge([&] {
    auto state = std::make_unique<ParsedText::State>();
    state->sql = sql;
    state->statements = Require(session_).Parse(sql);
    state->infos = DescribeAll(state->statements);
    return ParsedText(std::move(state));
  });
}

StreamingResult Connection::Stream(ParsedText text, std::span<const Value> parameters) {
  return AtEdge([&] {
    ParsedText::State& state = RequireState(text.state_, "parsed text");
    return Require(session_).Stream(state.sql, SingleStatement(state.sql, std::move(state.statements)),
                                    parameters);
  });
}

void Connection::RegisterArrow(std::string_view name, ArrowArrayStream* stream) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    // The table is made before the lock is taken: it calls the program, which may be slow or call back.
    auto table = std::make_shared<ArrowTable>(stream);
    const SessionLock lock(session);
    session.registered().tables.Add(name, std::move(table));
  });
}

void Connection::RegisterArrow(std::string_view name, ArrowFactory factory) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    auto table = std::make_shared<ArrowTable>(std::move(factory));
    const SessionLock lock(session);
    session.registered().tables.Add(name, std::move(table));
  });
}

bool Connection::Unregister(std::string_view name) {
  return AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    return session.registered().tables.Remove(name);
  });
}

void Connection::CreateFunction(FunctionDefinition definition) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().functions.Create(std::move(definition), session.database()->shared_memory());
  });
}

void Connection::CreateAggregate(AggregateDefinition definition) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().functions.Create(std::move(definition), session.database()->shared_memory());
  });
}

void Connection::CreateTableFunction(TableFunctionDefinition definition) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().functions.Create(std::move(definition), session.database()->shared_memory());
  });
}

bool Connection::RemoveFunction(std::string_view name) {
  return AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    return session.registered().functions.Remove(name);
  });
}

void Connection::RegisterLanguage(std::string_view name, std::shared_ptr<FunctionHost> host) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().languages.Register(name, std::move(host));
  });
}

void Connection::RegisterFileSystem(std::string_view scheme, std::shared_ptr<FileHost> host) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().file_hosts.Register(scheme, std::move(host));
  });
}

void Connection::SetReplacementScan(ReplacementScan find) {
  AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    session.registered().tables.SetFinder(std::move(find));
  });
}

void Connection::Interrupt() noexcept {
  if (session_) session_->call().Interrupt();
}
TransactionStatus Connection::transaction_status() const {
  return AtEdge([&] {
    Session& session = Require(session_);
    session.origin().RequireOwn();
    const SessionLock lock(session);
    if (!session.block().is_open()) return TransactionStatus::kIdle;
    return session.block().is_aborted() ? TransactionStatus::kFailed : TransactionStatus::kOpen;
  });
}
double Connection::Progress() const noexcept { return session_ ? session_->call().Progress() : -1; }

std::vector<std::string> SplitStatements(std::string_view sql) {
  return AtEdge([&] {
    std::vector<std::string> parts;
    for (const auto& statement : Parser().Parse(sql))
      parts.emplace_back(sql.substr(statement->position, statement->length));
    return parts;
  });
}

std::vector<TableName> TableNames(std::string_view sql) {
  return AtEdge([&] { return Parser().TableNames(sql); });
}

// --- PreparedStatement
// -------------------------------------------------------------------------------------------

/// The state of a prepared statement. Owned by its handle. The session changes `prepared` under its mutex.
struct PreparedStatement::State {
  const ProcessOrigin origin = {};
  std::shared_ptr<Session> session;
  ast::StatementPtr statement;
  PreparedPlan prepared;
  std::vector<ResultColumn> columns;

  /// Updates the columns after the statement was prepared, perhaps anew because the catalog has changed.
  void RefreshColumns() {
    columns = prepared.columns;
    if (!prepared.plan || !prepared.plan->returns_rows) return;
    for (size_t i = 0; i < prepared.plan->names.size(); i++)
      columns.push_back({prepared.plan->names[i], prepared.plan->types[i]});
  }
};

PreparedStatement::PreparedStatement(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedStatement::~PreparedStatement() {
  if (state_) LeaveIfInherited(state_, state_->origin);
}
PreparedStatement::PreparedStatement(PreparedStatement&&) noexcept = default;
PreparedStatement& PreparedStatement::operator=(PreparedStatement&& other) noexcept {
  if (this == &other) return *this;
  if (state_) LeaveIfInherited(state_, state_->origin);
  state_ = std::move(other.state_);
  return *this;
}

PreparedStatement Connection::Prepare(std::string_view sql) { return Prepare(sql, {}); }

PreparedStatement Connection::Prepare(std::string_view sql, std::span<const LogicalType> parameter_types) {
  return Prepare(Parse(sql), parameter_types);
}

PreparedStatement Connection::Prepare(ParsedText text, std::span<const LogicalType> parameter_types) {
  return AtEdge([&] {
    Require(session_);
    ParsedText::State& parsed = RequireState(text.state_, "parsed text");
    auto state = std::make_unique<PreparedStatement::State>();
    state->session = session_;
    state->statement = SingleStatement(parsed.sql, std::move(parsed.statements));
    state->prepared = session_->Prepare(*state->statement, parameter_types);
    state->RefreshColumns();
    return PreparedStatement(std::move(state));
  });
}

const PreparedStatement::State& PreparedStatement::state() const {
  return RequireState(state_, "prepared statement");
}

size_t PreparedStatement::parameter_count() const { return state().statement->parameter_count; }
std::vector<LogicalType> PreparedStatement::parameter_types() const {
  std::vector<LogicalType> types = state().prepared.parameter_types;
  types.resize(parameter_count());
  return types;
}
const std::vector<ResultColumn>& PreparedStatement::columns() const { return state().columns; }
bool PreparedStatement::has_rows() const {
  return !state().columns.empty() || (state().prepared.plan && state().prepared.plan->returns_rows);
}

QueryResult PreparedStatement::Execute(std::span<const Value> parameters) {
  return AtEdge([&] {
    const uint64_t version = state().prepared.catalog_version;
    QueryResult result = state_->session->ExecutePrepared(*state_->statement, state_->prepared, parameters);
    if (state_->prepared.catalog_version != version) state_->RefreshColumns();
    return result;
  });
}

StreamingResult PreparedStatement::Stream(std::span<const Value> parameters) {
  return AtEdge([&] {
    const uint64_t version = state().prepared.catalog_version;
    StreamingResult result =
        state_->session->StreamPrepared(*state_->statement, state_->prepared, parameters);
    if (state_->prepared.catalog_version != version) state_->RefreshColumns();
    return result;
  });
}

// --- StreamingResult
// ---------------------------------------------------------------------------------------------

namespace {

/// The number of rows that Fetch returns by default.
constexpr size_t kUsualRows = 16 * kVectorSize;

}  // namespace

/// The state of a streaming result. Owned by its handle; ends the stream when it is destroyed.
struct StreamingResult::State {
  explicit State(std::shared_ptr<StreamExecution> execution_in) : execution(std::move(execution_in)) {}
  ~State() {
    // In a child made by fork the session's mutex may be locked for ever.
    if (execution->session->origin().IsInherited()) return;
    execution->session->End(*execution);
  }
  std::shared_ptr<StreamExecution> execution;
};

StreamingResult::StreamingResult(std::unique_ptr<State> state) : state_(std::move(state)) {}
StreamingResult::~StreamingResult() = default;
StreamingResult::StreamingResult(StreamingResult&&) noexcept = default;
StreamingResult& StreamingResult::operator=(StreamingResult&&) noexcept = default;

StreamExecution& StreamingResult::execution() const {
  return *RequireState(state_, "streaming result").execution;
}

const std::vector<ResultColumn>& StreamingResult::columns() const { return execution().columns; }
bool StreamingResult::has_rows() const { return execution().has_rows; }
uint64_t StreamingResult::rows_changed() const { return execution().rows_changed; }

const std::string& StreamingResult::time_zone() const { return execution().time_zone; }

bool StreamingResult::Fetch(QueryResult& rows) { return Fetch(rows, kUsualRows); }

bool StreamingResult::Fetch(QueryResult& rows, size_t most_rows) {
  return AtEdge([&] { return execution().session->Fetch(execution(), rows, most_rows); });
}

StreamingResult ResultAccess::MakeStream(std::shared_ptr<StreamExecution> execution) {
  return StreamingResult(std::make_unique<StreamingResult::State>(std::move(execution)));
}

}  // namespace scaup
