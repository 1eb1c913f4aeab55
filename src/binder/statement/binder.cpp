// Dispatches statements to their binders, and binds defaults of columns.
#include "binder/statement/binder.hpp"

#include <fmt/format.h>

#include <optional>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/domain_rules.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/trigger_names.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "binder/statement/target_database.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

bool HasPlan(const BoundStatement& statement) { return statement.kind <= BoundStatementKind::kExplain; }

BoundStatementPtr Binder::Bind(const ast::Statement& statement, std::span<const LogicalType> declared_types) {
  session_.ReserveParameters(statement.parameter_count);
  for (size_t i = 0; i < declared_types.size(); i++) session_.SetParameterType(i, declared_types[i]);
  // A statement of a trigger's function sees the names of the trigger around it.
  QueryLevel around;
  std::optional<Scope> names;
  if (const TriggerNames* trigger = session_.context().trigger) {
    names = ScopeOfTrigger(session_, *trigger);
    around.scope = &*names;
    around.is_trigger = true;
    session_.around = &around;
  }
  BoundStatementPtr bound = BindStatement(session_, statement);
  session_.around = nullptr;
  session_.SettleParameters();
  bound->next_table_index = session_.next_table_index();
  return bound;
}

namespace {

BoundStatementPtr BindByKind(BindSession& session, const ast::Statement& statement) {
  session.allows_changes =
      statement.kind == ast::StatementKind::kSelect || statement.kind == ast::StatementKind::kInsert ||
      statement.kind == ast::StatementKind::kUpdate || statement.kind == ast::StatementKind::kDelete ||
      statement.kind == ast::StatementKind::kMerge;
  switch (statement.kind) {
    case ast::StatementKind::kSelect:
      return std::make_unique<BoundQueryStatement>(
          BindQuery(session, statement.As<ast::SelectStatement>(), session.around));
    case ast::StatementKind::kInsert: return BindInsert(session, statement.As<ast::InsertStatement>());
    case ast::StatementKind::kCreateTable:
      return BindCreateTable(session, statement.As<ast::CreateTableStatement>());
    case ast::StatementKind::kCreateSchema:
      return BindCreateSchema(session, statement.As<ast::CreateSchemaStatement>());
    case ast::StatementKind::kCreateFunction:
      return BindCreateFunction(session, statement.As<ast::CreateFunctionStatement>());
    case ast::StatementKind::kDropFunction:
      return BindDropFunction(session, statement.As<ast::DropFunctionStatement>());
    case ast::StatementKind::kAlterFunction:
      return BindAlterFunction(session, statement.As<ast::AlterFunctionStatement>());
    case ast::StatementKind::kTrigger: return BindTrigger(session, statement.As<ast::TriggerStatement>());
    case ast::StatementKind::kDrop: return BindDrop(session, statement.As<ast::DropStatement>());
    case ast::StatementKind::kComment: return BindComment(session, statement.As<ast::CommentStatement>());
    case ast::StatementKind::kCopy: return BindCopy(session, statement.As<ast::CopyStatement>());
    case ast::StatementKind::kExplain: return BindExplain(session, statement.As<ast::ExplainStatement>());
    case ast::StatementKind::kSet: return BindSet(session, statement.As<ast::SetStatement>());
    case ast::StatementKind::kSetVariable:
      return BindSetVariable(session, statement.As<ast::SetVariableStatement>());
    case ast::StatementKind::kShow: return BindShow(session, statement.As<ast::ShowStatement>());
    case ast::StatementKind::kDescribe: return BindDescribe(session, statement.As<ast::DescribeStatement>());
    case ast::StatementKind::kPragma: return BindPragma(session, statement.As<ast::PragmaStatement>());
    case ast::StatementKind::kCheckpoint: return std::make_unique<BoundCheckpoint>();
    case ast::StatementKind::kVacuum: return BindVacuum(session, statement.As<ast::VacuumStatement>());
    case ast::StatementKind::kExportDatabase:
      return BindExportDatabase(statement.As<ast::ExportDatabaseStatement>());
    case ast::StatementKind::kImportDatabase:
      return BindImportDatabase(statement.As<ast::ImportDatabaseStatement>());
    case ast::StatementKind::kAttach: return BindAttach(statement.As<ast::AttachStatement>());
    case ast::StatementKind::kDetach: return BindDetach(session, statement.As<ast::DetachStatement>());
    case ast::StatementKind::kUse: return BindUse(session, statement.As<ast::UseStatement>());
    case ast::StatementKind::kCopyDatabase:
      return BindCopyDatabase(session, statement.As<ast::CopyDatabaseStatement>());
    case ast::StatementKind::kTransaction: return BindTransaction(statement.As<ast::TransactionStatement>());
    case ast::StatementKind::kPrepare:
    case ast::StatementKind::kExecute:
    case ast::StatementKind::kDeallocate: ThrowInternal("the session runs prepared statements");
    case ast::StatementKind::kDeclareCursor:
    case ast::StatementKind::kFetch:
    case ast::StatementKind::kCloseCursor: ThrowInternal("the session runs statements about cursors");
    case ast::StatementKind::kDiscard:
      return std::make_unique<BoundDiscard>(statement.As<ast::DiscardStatement>().target);
    case ast::StatementKind::kUpdate: return BindUpdate(session, statement.As<ast::UpdateStatement>());
    case ast::StatementKind::kDelete: return BindDelete(session, statement.As<ast::DeleteStatement>());
    case ast::StatementKind::kLockTable:
      return BindLockTable(session, statement.As<ast::LockTableStatement>());
    case ast::StatementKind::kSetConstraints:
      return BindSetConstraints(session, statement.As<ast::SetConstraintsStatement>());
    case ast::StatementKind::kTruncate: return BindTruncate(session, statement.As<ast::TruncateStatement>());
    case ast::StatementKind::kCreateIndex:
      return BindCreateIndex(session, statement.As<ast::CreateIndexStatement>());
    case ast::StatementKind::kCreateSequence:
      return BindCreateSequence(session, statement.As<ast::CreateSequenceStatement>());
    case ast::StatementKind::kCreateView:
      return BindCreateView(session, statement.As<ast::CreateViewStatement>());
    case ast::StatementKind::kAlterSequence:
      return BindAlterSequence(session, statement.As<ast::AlterSequenceStatement>());
    case ast::StatementKind::kRename: return BindRename(session, statement.As<ast::RenameStatement>());
    case ast::StatementKind::kMerge: return BindMerge(session, statement.As<ast::MergeStatement>());
    case ast::StatementKind::kCreateType:
      return BindCreateType(session, statement.As<ast::CreateTypeStatement>());
    case ast::StatementKind::kAlterType:
      return BindAlterType(session, statement.As<ast::AlterTypeStatement>());
    case ast::StatementKind::kRefresh: return BindRefresh(session, statement.As<ast::RefreshStatement>());
    case ast::StatementKind::kCreateDomain:
      return BindCreateDomain(session, statement.As<ast::CreateDomainStatement>());
    case ast::StatementKind::kAlterDomain:
      return BindAlterDomain(session, statement.As<ast::AlterDomainStatement>());
    case ast::StatementKind::kAlterTable:
      return BindAlterTable(session, statement.As<ast::AlterTableStatement>());
  }
  ThrowInternal("unknown statement");
}

}  // namespace

BoundStatementPtr BindStatement(BindSession& session, const ast::Statement& statement) {
  CheckStack();
  // A statement that defines or changes something in another database is bound and run there.
  const DatabaseView* const database = TargetDatabase(session, statement);
  const DatabaseScope scope(session, database);
  BoundStatementPtr bound = BindByKind(session, statement);
  if (database != nullptr) bound->database = database->name;
  return bound;
}

BoundStatementPtr BindExplain(BindSession& session, const ast::ExplainStatement& statement) {
  auto explain = std::make_unique<BoundExplain>();
  explain->analyze = statement.analyze;
  if (statement.format == "json") {
    explain->format = ExplainFormat::kJson;
  } else if (statement.format != "text") {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("EXPLAIN has no format \"{}\": take text or json", statement.format),
               statement.position);
  }
  explain->statement = BindStatement(session, *statement.statement);
  if (explain->statement->kind == BoundStatementKind::kExplain || !HasPlan(*explain->statement)) {
    ThrowNotSupported("EXPLAIN works for SELECT, INSERT, UPDATE, DELETE, MERGE, CREATE TABLE AS and COPY",
                      statement.statement->position);
  }
  return explain;
}

ExpressionPtr BindColumnDefault(BindSession& session, const TableEntry& table,
                                const ColumnDefinition& column) {
  std::optional<BinderContext> other;
  const BinderContext& context = ContextOf(session.context(), table, other);
  return BindDefault(context, DefaultTextOf(context, column), column.type);
}

ExpressionPtr BindDefault(const BinderContext& context, const std::string& default_text,
                          const LogicalType& type) {
  if (default_text.empty()) return std::make_unique<ConstantExpression>(Value(type));
  try {
    // A temporary sequence must not take the place of one that the default means. Defaults of temporary
    // tables name schemas.
    // Elsewhere the name of the database must be added, too.
    const bool may_hide = TemporarySchema::Of(context.transaction) != nullptr ||
                          SearchPath::Of(context.transaction) != nullptr || context.elsewhere != nullptr;
    const auto statements = Parser().Parse(
        "SELECT " + (may_hide ? WithSequenceSchemas(context, default_text, false) : default_text));
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    const auto& items = statements[0]->As<ast::SelectStatement>().items;
    SCAUP_CHECK(items.size() == 1);
    BindSession session(context);
    session.is_stored_text = true;
    QueryLevel level;
    ExpressionBinder binder(session, level, Clause::kDefault);
    ExpressionPtr value = CoerceForAssignment(session, binder.Bind(*items[0].expression), type, "DEFAULT");
    value->position.reset();
    return value;
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(),
                fmt::format("in DEFAULT {}: {}", default_text, error.message()));
  }
}

}  // namespace scaup
