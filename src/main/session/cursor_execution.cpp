// Cursors are declared by running their query to its end; FETCH is a scan of the rows.
#include "main/session/cursor_execution.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "main/session/cursor_step.hpp"
#include "main/statement/transaction_block.hpp"

namespace scaup {

namespace {

Cursor& RequireCursor(Cursors& cursors, const std::string& name, size_t position) {
  Cursor* const found = cursors.Find(name);
  if (found != nullptr) return *found;
  ThrowError(ErrorKind::kUsage, "34000",
             fmt::format("cursor \"{}\" does not exist; pg_cursors lists those that do", name), position);
}

void CheckIsFree(Cursors& cursors, const std::string& name, size_t position) {
  if (cursors.Find(name) == nullptr) return;
  ThrowError(ErrorKind::kUsage, "42P03",
             fmt::format("cursor \"{0}\" already exists; CLOSE {0} removes it", name), position);
}

void Close(Cursors& cursors, const ast::CloseCursorStatement& close) {
  if (close.name.empty()) return cursors.CloseAll();
  RequireCursor(cursors, close.name, close.name_position);
  cursors.Close(close.name);
}

void Declare(Cursors& cursors, const ast::DeclareCursorStatement& declare, bool is_in_block,
             ReadyStatement& ready) {
  StatementExecution& execution = *ready.execution;
  StatementPreparer& preparer = execution.preparer();
  preparer.CreateCollectionFor(*declare.query);
  PreparedPlan prepared = preparer.Prepare(*declare.query, ready.parameters);
  if (!is_in_block && !declare.with_hold) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kNoActiveTransaction,
               "DECLARE CURSOR: there is no transaction in progress; BEGIN starts one, or declare the cursor "
               "WITH HOLD");
  }
  CheckIsFree(cursors, declare.name, declare.name_position);
  Cursor cursor;
  cursor.text = declare.text;
  cursor.no_scroll = declare.no_scroll;
  cursor.with_hold = declare.with_hold;
  cursor.is_binary = declare.is_binary;
  cursor.declared_micros = NowMicros();
  cursor.is_transactional = is_in_block;
  execution.StartFirst(prepared, ready.parameters);
  cursor.columns = execution.run()->columns();
  cursor.rows = execution.FinishForScans();
  cursors.Add(declare.name, std::move(cursor));
}

void Fetch(Cursors& cursors, const ast::FetchStatement& fetch, ReadyStatement& ready) {
  Cursor& cursor = RequireCursor(cursors, fetch.name, fetch.name_position);
  const CursorStep step = StepOf(cursor, fetch);
  if (fetch.is_move) {
    auto result = MakeSharedInProcess<ResultData>();
    result->rows_changed = step.rows.count;
    ready.result = std::move(result);
    cursor.position = step.position;
  } else {
    std::vector<LogicalType> types;
    for (const ResultColumn& column : cursor.columns) types.push_back(column.type);
    ready.execution->StartScan(std::make_unique<CursorScan>(std::move(types), cursor.rows, step.rows),
                               cursor.columns);
    ready.is_started = true;
    ready.when_done = [&cursor, position = step.position] { cursor.position = position; };
  }
}

}  // namespace

bool IsAboutCursors(const ast::Statement& statement) {
  return statement.kind == ast::StatementKind::kDeclareCursor ||
         statement.kind == ast::StatementKind::kFetch || statement.kind == ast::StatementKind::kCloseCursor;
}

std::vector<ResultColumn> CursorColumns(Cursors& cursors, const ast::Statement& statement) {
  if (statement.kind != ast::StatementKind::kFetch) return {};
  const auto& fetch = statement.As<ast::FetchStatement>();
  const Cursor* const found = fetch.is_move ? nullptr : cursors.Find(fetch.name);
  return found != nullptr ? found->columns : std::vector<ResultColumn>();
}

void BeginAboutCursors(Cursors& cursors, const ast::Statement& statement, bool is_in_block,
                       ReadyStatement& ready) {
  SCAUP_ASSERT(IsAboutCursors(statement) && ready.execution != nullptr);
  // Allocated before DECLARE can commit, as what can fail must fail before.
  ready.result = MakeSharedInProcess<ResultData>();
  if (statement.kind == ast::StatementKind::kDeclareCursor) {
    Declare(cursors, statement.As<ast::DeclareCursorStatement>(), is_in_block, ready);
  } else if (statement.kind == ast::StatementKind::kFetch) {
    Fetch(cursors, statement.As<ast::FetchStatement>(), ready);
  } else {
    Close(cursors, statement.As<ast::CloseCursorStatement>());
  }
  // The execution of a statement that has run ends here. MOVE and CLOSE have nothing to commit.
  if (!ready.is_started) ready.execution.reset();
}

}  // namespace scaup
