// Sessions: statements one after the other, streams, prepared plans.
#include "main/session.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
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

std::unique_ptr<StatementExecution> Session::Begin() {
  if (const auto open = stream_.lock()) {
    open->was_closed = open->execution != nullptr;
    open->execution.reset();
  }
  stream_.reset();
  return std::make_unique<StatementExecution>(SessionServices{database_, interrupted_, progress_});
}

double Session::Progress() const noexcept {
  try {
    return progress_.Current();
  } catch (...) {
    return -1;
  }
}

ast::StatementPtr Session::ParseSingle(std::string_view sql) const {
  auto statements = Parser(database_->settings().max_expression_depth).Parse(sql);
  if (statements.size() == 1) return std::move(statements[0]);
  if (statements.empty())
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "there is no statement in the text");
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "expected one statement, but there are several",
             statements[1]->position);
}

std::shared_ptr<const ResultData> Session::Run(const ast::Statement& statement,
                                               std::span<const Value> parameters) {
  CheckParameterCount(statement.parameter_count, parameters.size());
  auto execution = Begin();
  PreparedPlan prepared = execution->Prepare(statement, parameters);
  if (!prepared.plan) return execution->ExecuteDirectly(*prepared.direct);
  execution->Start(std::move(*prepared.plan), parameters);
  return execution->Finish();
}

QueryResult Session::Execute(std::string_view sql, std::span<const Value> parameters, bool single) {
  std::lock_guard lock(mutex);
  interrupted_.store(false);
  if (single) return ResultAccess::MakeResult(Run(*ParseSingle(sql), parameters));
  const auto statements = Parser(database_->settings().max_expression_depth).Parse(sql);
  std::shared_ptr<const ResultData> last = std::make_shared<ResultData>();
  for (const auto& statement : statements) last = Run(*statement, parameters);
  return ResultAccess::MakeResult(std::move(last));
}

StreamingResult Session::OpenStream(std::unique_ptr<StatementExecution> execution) {
  auto stream = std::make_shared<StreamExecution>(shared_from_this(), std::move(execution));
  stream_ = stream;
  return ResultAccess::MakeStream(std::move(stream));
}

StreamingResult Session::StreamDirectly(std::unique_ptr<StatementExecution> execution,
                                        const BoundStatement& statement) {
  execution->ExecuteDirectly(statement);
  auto ended = OpenStream(std::move(execution));
  stream_.lock()->execution.reset();
  return ended;
}

StreamingResult Session::Stream(std::string_view sql, std::span<const Value> parameters) {
  const auto statement = ParseSingle(sql);
  std::lock_guard lock(mutex);
  interrupted_.store(false);
  CheckParameterCount(statement->parameter_count, parameters.size());
  auto execution = Begin();
  PreparedPlan prepared = execution->Prepare(*statement, parameters);
  if (!prepared.plan) return StreamDirectly(std::move(execution), *prepared.direct);
  execution->Start(std::move(*prepared.plan), parameters);
  return OpenStream(std::move(execution));
}

PreparedPlan Session::Prepare(const ast::Statement& statement) {
  std::lock_guard lock(mutex);
  interrupted_.store(false);
  return Begin()->Prepare(statement);
}

void Session::RefreshPlan(const ast::Statement& statement, PreparedPlan& prepared,
                          StatementExecution& execution) {
  const bool is_stale = prepared.catalog_version != execution.catalog_version();
  if (is_stale || !prepared.plan) prepared = execution.Prepare(statement);
}

QueryResult Session::ExecutePrepared(const ast::Statement& statement, PreparedPlan& prepared,
                                     std::span<const Value> parameters) {
  std::lock_guard lock(mutex);
  interrupted_.store(false);
  CheckParameterCount(statement.parameter_count, parameters.size());
  auto execution = Begin();
  RefreshPlan(statement, prepared, *execution);
  if (!prepared.plan) return ResultAccess::MakeResult(execution->ExecuteDirectly(*prepared.direct));
  LogicalPlan copy{ClonePlan(*prepared.plan->root), prepared.plan->names, prepared.plan->types,
                   prepared.plan->returns_rows};
  execution->Start(std::move(copy), parameters);
  return ResultAccess::MakeResult(execution->Finish());
}

StreamingResult Session::StreamPrepared(const ast::Statement& statement, PreparedPlan& prepared,
                                        std::span<const Value> parameters) {
  std::lock_guard lock(mutex);
  interrupted_.store(false);
  CheckParameterCount(statement.parameter_count, parameters.size());
  auto execution = Begin();
  RefreshPlan(statement, prepared, *execution);
  if (!prepared.plan) return StreamDirectly(std::move(execution), *prepared.direct);
  LogicalPlan copy{ClonePlan(*prepared.plan->root), prepared.plan->names, prepared.plan->types,
                   prepared.plan->returns_rows};
  execution->Start(std::move(copy), parameters);
  return OpenStream(std::move(execution));
}

bool Session::Fetch(StreamExecution& stream, QueryResult& rows) {
  std::lock_guard lock(mutex);
  if (stream.was_closed) {
    ThrowError(ErrorKind::kUsage, "24000", "the result was closed by a later statement on its connection");
  }
  if (!stream.execution) return false;
  std::shared_ptr<const ResultData> part;
  try {
    part = stream.execution->FetchPart();
  } catch (...) {
    stream.execution.reset();
    throw;
  }
  if (!part) {
    stream.execution.reset();
    return false;
  }
  rows = ResultAccess::MakeResult(std::move(part));
  return true;
}

}  // namespace scaup
