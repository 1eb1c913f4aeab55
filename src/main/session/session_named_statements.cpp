// Sessions: PREPARE, EXECUTE and DEALLOCATE.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/throw.hpp"
#include "main/session/session.hpp"
#include "main/statement/statement_effects.hpp"

namespace scaup {

namespace {

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Calls `body` and removes positions from its errors. They refer to the text of PREPARE, while the user has
/// the text of EXECUTE.
template <typename Body>
auto WithoutPositions(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

void CheckArgumentCount(const ast::ExecuteStatement& execute, size_t wanted) {
  const size_t given = execute.arguments.size();
  if (given == wanted) return;
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
             fmt::format("wrong number of parameters for prepared statement \"{}\": expected {} parameter{} "
                         "but got {}",
                         execute.name, wanted, wanted == 1 ? "" : "s", given),
             execute.name_position);
}

/// Returns whether two plans return the same columns. `types` are the former types of the columns, with enums
/// as they are now.
bool GivesSame(const LogicalPlan& before, const std::vector<LogicalType>& types, const LogicalPlan& now) {
  return before.returns_rows == now.returns_rows && before.names == now.names && types == now.types;
}

}  // namespace

void Session::PrepareNamed(const ast::PrepareStatement& prepare) {
  const auto execution = Begin();
  // Tested after Begin, which reports an aborted block first, and before the work of planning.
  named_.CheckIsFree(prepare.name);
  auto named = std::make_unique<NamedStatement>();
  execution->CreateCollectionFor(*prepare.statement);
  named->prepared = execution->Prepare(*prepare.statement, prepare.types);
  // Errors of later executions must not have positions in the text of PREPARE.
  ForgetPositions(*named->prepared.plan->root);
  if (execution->has_changed_catalog()) named->prepared.catalog_version = 0;
  named->types = execution->TypesWithin(named->prepared);
  named->text = prepare.text;
  // The syntax tree of this call is destroyed with it, so the named statement parses its text again and owns
  // its tree.
  named->statement = std::move(static_cast<ast::PrepareStatement&>(*ParseSingle(prepare.text)).statement);
  named->prepared_micros = NowMicros();
  named_.Add(prepare.name, std::move(named));
}

void Session::RefreshNamed(NamedStatement& named, StatementExecution& execution) {
  if (!IsStale(named.prepared, execution)) return;
  // If parameters take the types of the given values, only the types that PREPARE has declared are fixed.
  const bool follows_types = named.prepared.follows_given_types;
  std::vector<LogicalType> parameters =
      follows_types ? named.prepared.declared_types : named.prepared.parameter_types;
  std::vector<LogicalType> columns = named.prepared.plan->types;
  execution.FollowTypes(named.types, parameters);
  execution.FollowTypes(named.types, columns);
  PreparedPlan prepared =
      WithoutPositions([&] { return execution.PrepareTyped(*named.statement, parameters); });
  // A client may have prepared for the columns that were described to it, so they must not change, as in
  // PostgreSQL. Paths of documents are exempt: their types follow the documents.
  if (!follows_types && !GivesSame(*named.prepared.plan, columns, *prepared.plan))
    ThrowNotSupported(
        "cached plan must not change result type: DEALLOCATE the statement and PREPARE it again");
  ForgetPositions(*prepared.plan->root);
  if (execution.has_changed_catalog()) prepared.catalog_version = 0;
  named.types = execution.TypesWithin(prepared);
  named.prepared = std::move(prepared);
}

/// Returns the plan for the types that PREPARE has declared, and for the others by the types of EXECUTE's
/// arguments.
PreparedPlan& Session::NamedPlanFor(NamedStatement& named, const ast::ExecuteStatement& execute,
                                    StatementExecution& execution, std::span<const Value> parameters) {
  PreparedPlan& prepared = named.prepared;
  if (!prepared.follows_given_types) return prepared;
  std::vector<LogicalType> types = execution.ArgumentTypes(execute.arguments, parameters);
  for (size_t i = 0; i < std::min(types.size(), prepared.declared_types.size()); i++) {
    if (prepared.declared_types[i].id() != TypeId::kNull) types[i] = prepared.declared_types[i];
  }
  return WithoutPositions([&]() -> PreparedPlan& {
    PreparedPlan& plan = PlanFor(*named.statement, prepared, types, execution);
    // PlanFor may have planned just now, with positions. The plan of PREPARE has lost them before.
    if (&plan != &prepared) ForgetPositions(*plan.plan->root);
    return plan;
  });
}

Session::Ready Session::BeginNamed(const ast::Statement& statement, std::span<const Value> parameters) {
  Ready ready;
  ready.execution = Begin();
  const ast::ExecuteStatement& execute = ExecuteIn(statement);
  NamedStatement& named = named_.Require(execute.name, execute.name_position);
  CheckArgumentCount(execute, named.statement->parameter_count);
  if (statement.kind == ast::StatementKind::kExecute) ready.execution->CreateCollectionFor(*named.statement);
  RefreshNamed(named, *ready.execution);
  PreparedPlan& plan = NamedPlanFor(named, execute, *ready.execution, parameters);
  const std::vector<LogicalType>& types = plan.parameter_types;
  // Arguments are evaluated once, before the plan runs, as constants in the types that the plan wants.
  ready.values = ready.execution->EvaluateArguments(execute.arguments, types, parameters);
  // EXPLAIN and CREATE TABLE AS are bound as one statement with the prepared query in the place of EXECUTE,
  // as they need the query's plan within their own.
  const auto whole = WithoutExecute(statement, named, database_->settings().max_expression_depth);
  if (!whole) {
    ready.named = &plan;
    return ready;
  }
  ready.prepared = WithoutPositions([&] { return ready.execution->PrepareTyped(*whole, types); });
  if (ready.prepared.plan) ForgetPositions(*ready.prepared.plan->root);
  return ready;
}

void Session::Ready::Start() {
  if (named != nullptr) return execution->StartAgain(*named, values);
  execution->StartFirst(prepared, values);
}

bool Session::RunAboutNamed(const ast::Statement& statement) {
  if (statement.kind == ast::StatementKind::kPrepare) {
    PrepareNamed(statement.As<ast::PrepareStatement>());
    return true;
  }
  if (statement.kind != ast::StatementKind::kDeallocate) return false;
  // DEALLOCATE needs no transaction, but must fail in an aborted block like any other statement.
  const auto execution = Begin();
  const auto& deallocate = statement.As<ast::DeallocateStatement>();
  named_.Remove(deallocate.name, deallocate.name_position);
  return true;
}

std::shared_ptr<const ResultData> Session::RunNamed(const ast::Statement& statement,
                                                    std::span<const Value> parameters) {
  if (RunAboutNamed(statement)) return MakeSharedInProcess<ResultData>();
  Ready ready = BeginNamed(statement, parameters);
  if (ready.prepared.direct) return ready.execution->ExecuteDirectly(*ready.prepared.direct);
  ready.Start();
  return ready.execution->Finish();
}

StreamingResult Session::StreamNamed(const ast::Statement& statement, std::span<const Value> parameters) {
  if (RunAboutNamed(statement)) return OpenStream(nullptr);
  Ready ready = BeginNamed(statement, parameters);
  if (ready.prepared.direct) return StreamDirectly(std::move(ready.execution), *ready.prepared.direct);
  const bool has_effects = HasEffects(*ready.plan().plan->root);
  ready.Start();
  return OpenStarted(std::move(ready.execution), has_effects);
}

}  // namespace scaup
