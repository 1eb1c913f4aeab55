// PREPARE gives a statement a name; EXECUTE runs its plan with arguments.
#include "main/session/named_execution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"
#include "main/session/plan_choice.hpp"
#include "main/statement/transaction_block.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

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

/// Plans a named statement again if its plan no longer fits.
void RefreshNamed(NamedStatement& named, StatementPreparer& preparer) {
  if (preparer.Fits(named.prepared)) return;
  // If parameters take the types of the given values, only the types that PREPARE has declared are fixed.
  const bool follows_types = named.prepared.follows_given_types;
  std::vector<LogicalType> parameters =
      follows_types ? named.prepared.declared_types : named.prepared.parameter_types;
  std::vector<LogicalType> columns = named.prepared.plan->types;
  preparer.FollowTypes(named.types, parameters);
  preparer.FollowTypes(named.types, columns);
  PreparedPlan prepared =
      WithoutPositions([&] { return preparer.PrepareTyped(*named.statement, parameters); });
  // A client may have prepared for the columns that were described to it, so they must not change, as in
  // PostgreSQL. Paths of documents are exempt: their types follow the documents.
  if (!follows_types && !GivesSame(*named.prepared.plan, columns, *prepared.plan))
    ThrowNotSupported(
        "cached plan must not change result type: DEALLOCATE the statement and PREPARE it again");
  ForgetPositions(*prepared.plan->root);
  named.types = preparer.TypesWithin(prepared);
  named.prepared = std::move(prepared);
}

/// Returns the plan for the types that PREPARE has declared, and for the others by the types of EXECUTE's
/// arguments.
PreparedPlan& NamedPlanFor(NamedStatement& named, const ast::ExecuteStatement& execute,
                           StatementPreparer& preparer, std::span<const Value> parameters) {
  PreparedPlan& prepared = named.prepared;
  if (!prepared.follows_given_types) return prepared;
  std::vector<LogicalType> types = preparer.ArgumentTypes(execute.arguments, parameters);
  for (size_t i = 0; i < std::min(types.size(), prepared.declared_types.size()); i++) {
    if (prepared.declared_types[i].id() != TypeId::kNull) types[i] = prepared.declared_types[i];
  }
  return WithoutPositions([&]() -> PreparedPlan& {
    PreparedPlan& plan = PlanFor(*named.statement, prepared, types, preparer);
    // PlanFor may have planned just now, with positions. The plan of PREPARE has lost them before.
    if (&plan != &prepared) ForgetPositions(*plan.plan->root);
    return plan;
  });
}

}  // namespace

void PrepareNamed(NamedStatements& named, const ast::PrepareStatement& prepare, StatementPreparer& preparer) {
  // Tested before the work of planning.
  named.CheckIsFree(prepare.name);
  auto added = std::make_unique<NamedStatement>();
  preparer.CreateCollectionFor(*prepare.statement);
  added->prepared = preparer.Prepare(*prepare.statement, prepare.types);
  // Errors of later executions must not have positions in the text of PREPARE.
  ForgetPositions(*added->prepared.plan->root);
  added->types = preparer.TypesWithin(added->prepared);
  added->text = prepare.text;
  // The syntax tree of this call is destroyed with it, so the named statement parses its text again and owns
  // its tree.
  auto parsed = Parser(preparer.settings().max_expression_depth).Parse(prepare.text);
  added->statement = std::move(parsed.at(0)->As<ast::PrepareStatement>().statement);
  added->prepared_micros = NowMicros();
  named.Add(prepare.name, std::move(added));
}

std::vector<ResultColumn> NamedColumns(const NamedStatements& named, const ast::Statement& statement) {
  std::vector<ResultColumn> columns;
  if (statement.kind != ast::StatementKind::kExecute) return columns;
  const auto found = named.all().find(statement.As<ast::ExecuteStatement>().name);
  if (found == named.all().end()) return columns;
  const std::optional<LogicalPlan>& plan = found->second->prepared.plan;
  if (!plan || !plan->returns_rows) return columns;
  for (size_t i = 0; i < plan->names.size(); i++) columns.push_back({plan->names[i], plan->types[i]});
  return columns;
}

void BindNamed(NamedStatements& named, const ast::Statement& statement, std::span<const Value> parameters,
               ReadyStatement& ready) {
  SCAUP_ASSERT(ready.execution != nullptr);
  StatementPreparer& preparer = ready.execution->preparer();
  const ast::ExecuteStatement& execute = ExecuteIn(statement);
  NamedStatement& found = named.Require(execute.name, execute.name_position);
  CheckArgumentCount(execute, found.statement->parameter_count);
  if (statement.kind == ast::StatementKind::kExecute) preparer.CreateCollectionFor(*found.statement);
  RefreshNamed(found, preparer);
  PreparedPlan& plan = NamedPlanFor(found, execute, preparer, parameters);
  const std::vector<LogicalType>& types = plan.parameter_types;
  // Arguments are evaluated once, before the plan runs, as constants in the types that the plan wants.
  ready.arguments = preparer.EvaluateArguments(execute.arguments, types, parameters);
  ready.parameters = ready.arguments;
  // EXPLAIN and CREATE TABLE AS are bound as one statement with the prepared query in the place of EXECUTE,
  // as they need the query's plan within their own.
  ready.statement = WithoutExecute(statement, found, preparer.settings().max_expression_depth);
  if (!ready.statement) {
    ready.kept = &plan;
    return;
  }
  ready.own = WithoutPositions([&] { return preparer.PrepareTyped(*ready.statement, types); });
  if (ready.own.plan) ForgetPositions(*ready.own.plan->root);
}

}  // namespace scaup
