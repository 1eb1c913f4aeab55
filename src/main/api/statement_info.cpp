// The public DescribeStatements: names of commands, as PostgreSQL's clients expect them.
#include "scaup/statement_info.hpp"

#include "common/at_edge.hpp"
#include "main/api/moved_from.hpp"
#include "main/api/parsed_text.hpp"
#include "parser/parser.hpp"
#include "parser/text/text_shape.hpp"

namespace scaup {

namespace {

using Kind = StatementInfo::Kind;

const char* DropCommand(ast::DropStatement::Object object) {
  using Object = ast::DropStatement::Object;
  switch (object) {
    case Object::kTable: return "DROP TABLE";
    case Object::kSchema: return "DROP SCHEMA";
    case Object::kView: return "DROP VIEW";
    case Object::kIndex: return "DROP INDEX";
    case Object::kSequence: return "DROP SEQUENCE";
    case Object::kType: return "DROP TYPE";
    case Object::kDomain: return "DROP DOMAIN";
    case Object::kCollection: return "DROP COLLECTION";
    case Object::kElementTable: return "DROP ELEMENT TABLE";
    case Object::kMaterializedView: return "DROP MATERIALIZED VIEW";
  }
  return "DROP";
}

const char* RenameCommand(ast::RenameStatement::Object object) {
  using Object = ast::RenameStatement::Object;
  switch (object) {
    case Object::kIndex: return "ALTER INDEX";
    case Object::kSequence: return "ALTER SEQUENCE";
    case Object::kView: return "ALTER VIEW";
    case Object::kSchema: return "ALTER SCHEMA";
  }
  return "ALTER";
}

void DescribeTransaction(const ast::TransactionStatement& statement, StatementInfo& info) {
  using Action = ast::TransactionStatement::Action;
  const auto set = [&](Kind kind, const char* command) {
    info.kind = kind;
    info.command = command;
  };
  switch (statement.action) {
    case Action::kBegin: return set(Kind::kBegin, "BEGIN");
    case Action::kCommit: return set(Kind::kCommit, "COMMIT");
    case Action::kRollback: return set(Kind::kRollback, "ROLLBACK");
    case Action::kSavepoint: return set(Kind::kOther, "SAVEPOINT");
    case Action::kRollbackTo: return set(Kind::kRollbackTo, "ROLLBACK");
    case Action::kRelease: return set(Kind::kOther, "RELEASE");
    // Not kSet: it changes the running transaction alone, and must come before its first query.
    case Action::kSetTransaction: return set(Kind::kOther, "SET");
    case Action::kSetSessionDefault: return set(Kind::kSet, "SET");
  }
}

/// DISCARD ALL also ends the prepared statements, as DEALLOCATE ALL does.
std::pair<Kind, const char*> DiscardCommand(const ast::DiscardStatement& discard) {
  using Target = ast::DiscardStatement::Target;
  switch (discard.target) {
    case Target::kAll: return {Kind::kDeallocate, "DISCARD ALL"};
    case Target::kPlans: return {Kind::kOther, "DISCARD PLANS"};
    case Target::kSequences: return {Kind::kOther, "DISCARD SEQUENCES"};
    case Target::kTemporary: return {Kind::kOther, "DISCARD TEMP"};
    case Target::kListening: return {Kind::kOther, "UNLISTEN"};
  }
  return {Kind::kOther, "DISCARD"};
}

CopyStream PartsOf(const ast::CopyStatement& statement) {
  CopyStream copy;
  copy.is_from = statement.is_from;
  copy.schema = statement.table.schema;
  copy.table = statement.table.name;
  copy.columns = statement.columns;
  copy.query = statement.query_text;
  copy.query_position = statement.query_position;
  for (const ast::CopyOption& option : statement.options) {
    copy.options.push_back({option.name, option.value, option.has_value, option.values, option.position});
  }
  return copy;
}

const char* AlterFunctionCommand(ast::FunctionKind kind) {
  switch (kind) {
    case ast::FunctionKind::kFunction: return "ALTER FUNCTION";
    case ast::FunctionKind::kAggregate: return "ALTER AGGREGATE";
    case ast::FunctionKind::kRoutine: return "ALTER ROUTINE";
  }
  return "ALTER FUNCTION";
}

const char* DropFunctionCommand(ast::FunctionKind kind) {
  switch (kind) {
    case ast::FunctionKind::kFunction: return "DROP FUNCTION";
    case ast::FunctionKind::kAggregate: return "DROP AGGREGATE";
    case ast::FunctionKind::kRoutine: return "DROP ROUTINE";
  }
  return "DROP FUNCTION";
}

const char* VacuumCommand(const ast::VacuumStatement& statement) {
  if (statement.vacuum) return "VACUUM";
  return statement.analyze ? "ANALYZE" : "MATERIALIZE";
}

/// Returns the kind and the name of a command; those of transactions and COPY are found elsewhere.
std::pair<Kind, const char*> CommandOf(const ast::Statement& statement) {
  using Statement = ast::StatementKind;
  switch (statement.kind) {
    case Statement::kSelect: return {Kind::kQuery, "SELECT"};
    case Statement::kInsert: return {Kind::kChange, "INSERT"};
    case Statement::kUpdate: return {Kind::kChange, "UPDATE"};
    case Statement::kDelete: return {Kind::kChange, "DELETE"};
    case Statement::kMerge: return {Kind::kChange, "MERGE"};
    case Statement::kCopy: return {Kind::kChange, "COPY"};
    case Statement::kTruncate: return {Kind::kOther, "TRUNCATE TABLE"};
    case Statement::kLockTable: return {Kind::kOther, "LOCK TABLE"};
    case Statement::kSetConstraints: return {Kind::kOther, "SET CONSTRAINTS"};
    case Statement::kCreateTable:
      // CREATE TABLE AS answers with the rows that it has copied.
      if (statement.As<ast::CreateTableStatement>().query) return {Kind::kQuery, "SELECT"};
      return {Kind::kOther, "CREATE TABLE"};
    case Statement::kCreateSchema: return {Kind::kOther, "CREATE SCHEMA"};
    case Statement::kCreateIndex: return {Kind::kOther, "CREATE INDEX"};
    case Statement::kCreateSequence: return {Kind::kOther, "CREATE SEQUENCE"};
    case Statement::kCreateView:
      return {Kind::kOther, statement.As<ast::CreateViewStatement>().is_materialized
                                ? "CREATE MATERIALIZED VIEW"
                                : "CREATE VIEW"};
    case Statement::kRefresh: return {Kind::kOther, "REFRESH MATERIALIZED VIEW"};
    case Statement::kCreateType: return {Kind::kOther, "CREATE TYPE"};
    case Statement::kCreateDomain: return {Kind::kOther, "CREATE DOMAIN"};
    case Statement::kAlterDomain: return {Kind::kOther, "ALTER DOMAIN"};
    case Statement::kCreateFunction:
      return {Kind::kOther, statement.As<ast::CreateFunctionStatement>().is_aggregate ? "CREATE AGGREGATE"
                                                                                      : "CREATE FUNCTION"};
    case Statement::kAlterTable: return {Kind::kOther, "ALTER TABLE"};
    case Statement::kAlterType: return {Kind::kOther, "ALTER TYPE"};
    case Statement::kAlterSequence: return {Kind::kOther, "ALTER SEQUENCE"};
    case Statement::kAlterFunction: {
      const auto& alter = statement.As<ast::AlterFunctionStatement>();
      if (alter.comment) return {Kind::kOther, "COMMENT"};
      return {Kind::kOther, AlterFunctionCommand(alter.function.kind)};
    }
    case Statement::kTrigger: {
      constexpr const char* kCommands[] = {"CREATE TRIGGER", "DROP TRIGGER", "ALTER TRIGGER"};
      return {Kind::kOther, kCommands[static_cast<size_t>(statement.As<ast::TriggerStatement>().action)]};
    }
    case Statement::kRename:
      return {Kind::kOther, RenameCommand(statement.As<ast::RenameStatement>().object)};
    case Statement::kDrop: return {Kind::kOther, DropCommand(statement.As<ast::DropStatement>().object)};
    case Statement::kDropFunction: {
      const auto& drop = statement.As<ast::DropFunctionStatement>();
      const auto kind = drop.names.empty() ? ast::FunctionKind::kFunction : drop.names[0].kind;
      return {Kind::kOther, DropFunctionCommand(kind)};
    }
    case Statement::kComment: return {Kind::kOther, "COMMENT"};
    case Statement::kExplain: return {Kind::kOther, "EXPLAIN"};
    case Statement::kSet: return {Kind::kSet, statement.As<ast::SetStatement>().value ? "SET" : "RESET"};
    case Statement::kSetVariable: return {Kind::kSet, "SET"};
    case Statement::kShow: return {Kind::kOther, "SHOW"};
    case Statement::kDescribe: return {Kind::kQuery, "SELECT"};
    case Statement::kTransaction: return {Kind::kOther, "BEGIN"};
    case Statement::kPrepare: return {Kind::kOther, "PREPARE"};
    case Statement::kExecute: return {Kind::kOther, "EXECUTE"};
    case Statement::kDeallocate: {
      const bool is_all = statement.As<ast::DeallocateStatement>().name.empty();
      return {Kind::kDeallocate, is_all ? "DEALLOCATE ALL" : "DEALLOCATE"};
    }
    case Statement::kDeclareCursor: return {Kind::kOther, "DECLARE CURSOR"};
    case Statement::kFetch:
      if (statement.As<ast::FetchStatement>().is_move) return {Kind::kChange, "MOVE"};
      return {Kind::kQuery, "FETCH"};
    case Statement::kCloseCursor: {
      const bool is_all = statement.As<ast::CloseCursorStatement>().name.empty();
      return {Kind::kOther, is_all ? "CLOSE CURSOR ALL" : "CLOSE CURSOR"};
    }
    case Statement::kDiscard: return DiscardCommand(statement.As<ast::DiscardStatement>());
    case Statement::kPragma: return {Kind::kOther, "PRAGMA"};
    case Statement::kCheckpoint: return {Kind::kOther, "CHECKPOINT"};
    case Statement::kVacuum: return {Kind::kOther, VacuumCommand(statement.As<ast::VacuumStatement>())};
    case Statement::kExportDatabase: return {Kind::kOther, "EXPORT DATABASE"};
    case Statement::kImportDatabase: return {Kind::kOther, "IMPORT DATABASE"};
    case Statement::kAttach: return {Kind::kOther, "ATTACH"};
    case Statement::kDetach: return {Kind::kOther, "DETACH"};
    case Statement::kUse: return {Kind::kOther, "USE"};
    case Statement::kCopyDatabase: return {Kind::kOther, "COPY FROM DATABASE"};
  }
  return {Kind::kOther, ""};
}

StatementInfo Describe(const ast::Statement& statement) {
  StatementInfo info;
  info.position = statement.position;
  info.length = statement.length;
  info.parameter_count = statement.parameter_count;
  const auto [kind, command] = CommandOf(statement);
  info.kind = kind;
  info.command = command;
  if (statement.kind == ast::StatementKind::kTransaction)
    DescribeTransaction(statement.As<ast::TransactionStatement>(), info);
  if (statement.kind == ast::StatementKind::kCopy && statement.As<ast::CopyStatement>().is_stream) {
    info.kind = Kind::kCopyStream;
    info.copy = PartsOf(statement.As<ast::CopyStatement>());
  }
  if (statement.kind == ast::StatementKind::kDeallocate)
    info.name = statement.As<ast::DeallocateStatement>().name;
  return info;
}

}  // namespace

std::vector<StatementInfo> DescribeAll(const std::vector<ast::StatementPtr>& statements) {
  std::vector<StatementInfo> infos;
  for (const auto& statement : statements) infos.push_back(Describe(*statement));
  return infos;
}

std::vector<StatementInfo> DescribeStatements(std::string_view sql) {
  return AtEdge([&] { return DescribeAll(Parser().Parse(sql)); });
}

std::string ShapeOfText(std::string_view sql) {
  return AtEdge([&] {
    auto shape = ShapeOf(sql);
    return shape ? std::move(shape->key) : std::string();
  });
}

ParsedText::ParsedText(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParsedText::~ParsedText() = default;
ParsedText::ParsedText(ParsedText&&) noexcept = default;
ParsedText& ParsedText::operator=(ParsedText&&) noexcept = default;

const std::vector<StatementInfo>& ParsedText::statements() const {
  return RequireState(state_, "parsed text").infos;
}

}  // namespace scaup
