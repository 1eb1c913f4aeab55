// Inner statements: which of them may run, and how they run in the outer statement's transaction.
#include "main/session/inner_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "execution/foreign/program_calls.hpp"
#include "main/session/statement_cache.hpp"
#include "main/statement/statement_effects.hpp"
#include "main/trigger/trigger_run.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

constexpr size_t kMostDepth = 16;
constexpr size_t kMostTriggerDepth = 64;
constexpr size_t kMostKnown = 16;
/// The rows of an answer that is kept at most.
constexpr size_t kMostAnswerRows = 4096;

/// Throws 0A000 for statements that cannot run within another one.
void CheckKind(const ast::Statement& statement, const std::string& function) {
  switch (statement.kind) {
    case ast::StatementKind::kSelect:
    case ast::StatementKind::kExplain:
    case ast::StatementKind::kInsert:
    case ast::StatementKind::kUpdate:
    case ast::StatementKind::kDelete:
    case ast::StatementKind::kMerge: return;
    case ast::StatementKind::kTransaction:
      ThrowNotSupported(
          fmt::format("function {} cannot begin or end transactions: its queries are parts of the "
                      "statement that calls it",
                      function));
    default:
      ThrowNotSupported(
          fmt::format("function {} can run queries, INSERT, UPDATE, DELETE and MERGE within the "
                      "statement that calls it, and no other statements",
                      function));
  }
}

/// Throws 25006 if an inner statement must not change anything.
void RequireMayWrite(const InnerQueries& queries, const std::string& function, bool has_effects) {
  if (!has_effects) {
    ThrowError(
        ErrorKind::kTransaction, "25006",
        fmt::format("function {} cannot change anything, as it is not declared to: make it VOLATILE, or "
                    "create it with side effects",
                    function));
  }
  if (!queries.may_change) {
    ThrowError(ErrorKind::kTransaction, "25006",
               fmt::format("function {} cannot change rows while the statement that calls it reads tables or "
                           "changes them: call it alone, as in SELECT {}(...)",
                           function, function));
  }
}

bool IsDeterministicPlan(LogicalOperator& plan) {
  CheckStack();
  bool is = true;
  plan.ForEachExpression([&](ExpressionPtr& expression) { is = is && IsDeterministic(*expression); });
  return is && std::ranges::all_of(plan.children, [](const LogicalOperatorPtr& child) {
           return IsDeterministicPlan(*child);
         });
}

/// Returns whether a query gives the same rows as long as the transaction changes nothing.
bool IsRepeatable(const ast::Statement& statement, const PreparedPlan& prepared) {
  return statement.kind == ast::StatementKind::kSelect && DependsOnCatalogAlone(statement, prepared) &&
         !HasEffects(*prepared.plan->root) && !CallsProgram(*prepared.plan->root) &&
         IsDeterministicPlan(*prepared.plan->root);
}

}  // namespace

InnerStatements::~InnerStatements() {
  for (; !known_.empty(); known_.pop_back()) texts_.Give(std::move(known_.back()));
  for (; !triggered_.empty(); triggered_.pop_back()) texts_.Give(std::move(triggered_.back()));
}

std::unique_ptr<StatementExecution> InnerStatements::Begin(const SessionServices& session, InnerTexts& texts,
                                                           const StatementExecution* outer,
                                                           const InnerStatements* of_outer) {
  auto inner =
      std::make_unique<InnerStatements>(session, texts, of_outer == nullptr ? 0 : of_outer->depth_ + 1);
  if (of_outer != nullptr) inner->may_change = of_outer->may_change.load();
  InnerStatements& begun = *inner;
  auto execution = std::make_unique<StatementExecution>(session, std::move(inner), outer);
  begun.outer_ = execution.get();
  return execution;
}

std::shared_ptr<const ResultData> InnerStatements::Run(std::string_view sql,
                                                       std::span<const Value> parameters,
                                                       const std::string& function, bool has_effects) {
  if (depth_ >= kMostDepth) {
    ThrowError(
        ErrorKind::kUsage, "54001",
        fmt::format("function {} is called by a query of a function, and so on, {} deep: end the recursion",
                    function, kMostDepth));
  }
  const MutexLock lock(mutex_);
  RunningCall::CheckInterrupt();  // It may have waited long.
  try {
    InnerText& known = Find(sql, parameters, function);
    if (known.answer && !HasChanges(*outer_) && std::ranges::equal(known.answered, parameters))
      return known.answer;
    return RunStatement(known, parameters, function, has_effects);
  } catch (const Error& error) {
    // The position is one in another text than that of the statement that ends with the error.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

InnerText& InnerStatements::Find(std::string_view sql, std::span<const Value> parameters,
                                 const std::string& function) {
  std::vector<LogicalType> types = DeclaredTypes(parameters);
  const auto known = std::ranges::find_if(known_, [&](const std::unique_ptr<InnerText>& each) {
    return each->sql == sql && each->types == types;
  });
  if (known != known_.end()) {
    known_.splice(known_.begin(), known_, known);
    return *known_.front();
  }
  if (std::unique_ptr<InnerText> text = texts_.Take(sql, types)) return Add(std::move(text));
  auto statements = Parser().Parse(std::string(sql));
  if (statements.size() != 1) {
    ThrowError(ErrorKind::kUsage, sqlstate::kSyntaxError,
               fmt::format("function {} runs {} statements in one text: run one at a time", function,
                           statements.size()));
  }
  CheckKind(*statements[0], function);
  if (statements[0]->parameter_count != parameters.size()) {
    ThrowError(ErrorKind::kUsage, sqlstate::kUndefinedParameter,
               fmt::format("a query of function {} has {} parameters, but {} values were given", function,
                           statements[0]->parameter_count, parameters.size()));
  }
  return Add(std::make_unique<InnerText>(
      InnerText{std::string(sql), std::move(types), std::move(statements[0]), {}}));
}

InnerText& InnerStatements::Add(std::unique_ptr<InnerText> text) {
  known_.push_front(std::move(text));
  if (known_.size() > kMostKnown) known_.pop_back();
  return *known_.front();
}

std::shared_ptr<const ResultData> InnerStatements::RunStatement(InnerText& known,
                                                                std::span<const Value> parameters,
                                                                const std::string& function,
                                                                bool has_effects) {
  QueryProgress progress;  // The outer statement has its own.
  const SessionServices session = Services(session_.home, progress);
  const auto execution = Begin(session, texts_, outer_, this);
  StatementPreparer& preparer = execution->preparer();
  preparer.SplitTargetNames(*known.statement);
  // A plan that is run once is not kept, as keeping it costs more than running it.
  PreparedPlan first;
  const bool is_first = !std::exchange(known.was_run, true);
  PreparedPlan& prepared = is_first ? first : known.prepared;
  if (!prepared.plan || !preparer.Fits(prepared)) {
    prepared = preparer.Prepare(*known.statement, parameters);
    if (!prepared.plan || !prepared.locked_tables.empty())
      ThrowNotSupported(fmt::format("function {} cannot lock rows, nor run this statement", function));
  }
  if (HasEffects(*prepared.plan->root)) RequireMayWrite(*this, function, has_effects);
  // A function without effects is called for batch after batch, and mostly asks the same.
  const bool is_kept = !has_effects && IsRepeatable(*known.statement, prepared);
  if (is_first) {
    execution->StartFirst(prepared, parameters);
  } else {
    execution->StartAgain(prepared, parameters);
  }
  std::shared_ptr<const ResultData> rows = execution->Finish();
  known.answer.reset();
  if (is_kept && rows->rows.row_count <= kMostAnswerRows && !HasChanges(*outer_)) {
    known.answer = rows;
    known.answered.assign(parameters.begin(), parameters.end());
  }
  return rows;
}

SessionServices InnerStatements::Services(std::string& home, QueryProgress& progress) const {
  return {session_.database,        session_.block,
          session_.checks,          home,
          session_.sequences,       session_.settings,
          session_.given,           session_.named,
          session_.cursors,         session_.foreign,
          session_.registry,        session_.registry_version,
          session_.hosted,          session_.file_hosts,
          session_.temporary,       session_.variables,
          session_.interrupted,     progress,
          session_.random_position, session_.number};
}

void InnerStatements::CheckTriggerDepth(const RowChanges::Target& target) const {
  CheckStack();
  if (depth_ < kMostTriggerDepth) return;
  ThrowError(ErrorKind::kUsage, "54001",
             fmt::format("triggers of table \"{}\" are fired by a statement of a trigger, and so on, {} "
                         "deep: end the recursion, as by WHEN",
                         target.table->name, kMostTriggerDepth));
}

void InnerStatements::RunTriggers(RowChanges& changes, const DatabaseViews& databases) {
  const auto targets = changes.Take();
  CheckTriggerDepth(*targets.at(0));
  TriggerRun(*this, databases).Run(targets);
}

void InnerStatements::RunTriggersBefore(const std::vector<std::unique_ptr<RowChanges::Target>>& targets,
                                        const DatabaseViews& databases) {
  CheckTriggerDepth(*targets.at(0));
  TriggerRun(*this, databases).RunBefore(targets);
}

InnerText& InnerStatements::TriggerText(const Call& call, const std::string& key, const Parse& parse) {
  const std::vector<LogicalType> types = call.names.ParameterTypes();
  for (const auto& text : triggered_) {
    if (text->sql == key && text->types == types) return *text;
  }
  std::unique_ptr<InnerText> text = texts_.Take(key, types);
  if (!text) text = std::make_unique<InnerText>(InnerText{key, types, parse(), {}});
  return *triggered_.emplace_back(std::move(text));
}

std::unique_ptr<StatementExecution> InnerStatements::BeginTriggered(const Call& call, std::string& home,
                                                                    QueryProgress& progress) const {
  // The names in the function are those of the table's database, whichever one the session uses.
  if (call.database.name != session_.database->transactions().database().name) home = call.database.name;
  auto execution = Begin(Services(home, progress), texts_, outer_, this);
  execution->preparer().UseTrigger(&call.names);
  return execution;
}

void InnerStatements::PrepareTriggered(StatementPreparer& preparer, InnerText& text) const {
  const bool is_of_this = text.prepared_by == this && text.prepared.plan;
  if (is_of_this || (text.prepared.plan && preparer.Fits(text.prepared))) return;
  preparer.SplitTargetNames(*text.statement);
  text.prepared = preparer.Prepare(*text.statement);
  if (!text.prepared.plan || !text.prepared.locked_tables.empty())
    ThrowNotSupported("the function of a trigger cannot lock rows, nor run this statement");
  text.prepared_by = this;
}

const LogicalPlan* InnerStatements::TriggerPlan(const Call& call, InnerText& text) {
  const MutexLock lock(mutex_);
  QueryProgress progress;
  std::string home;
  const auto execution = BeginTriggered(call, home, progress);
  PrepareTriggered(execution->preparer(), text);
  return text.prepared.plan ? &*text.prepared.plan : nullptr;
}

std::shared_ptr<const ResultData> InnerStatements::RunText(const Call& call, InnerText& text,
                                                           std::span<const Value> parameters) {
  const MutexLock lock(mutex_);
  RunningCall::CheckInterrupt();
  QueryProgress progress;
  std::string home;
  const auto execution = BeginTriggered(call, home, progress);
  PrepareTriggered(execution->preparer(), text);
  execution->StartAgain(text.prepared, parameters);
  return execution->Finish();
}

std::shared_ptr<const ResultData> InnerStatements::RunPlan(const Call& call, LogicalPlan plan) {
  const MutexLock lock(mutex_);
  RunningCall::CheckInterrupt();
  QueryProgress progress;
  std::string home;
  const auto execution = BeginTriggered(call, home, progress);
  execution->Start(std::move(plan), {});
  return execution->Finish();
}

}  // namespace scaup
