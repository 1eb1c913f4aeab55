// Functions that bind statements other than queries; each kind of statement is bound in its own file.
#pragma once

#include "binder/bound/bound_statement.hpp"
#include "binder/scope/bind_session.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

BoundStatementPtr BindStatement(BindSession& session, const ast::Statement& statement);

BoundStatementPtr BindTransaction(const ast::TransactionStatement& statement);
BoundStatementPtr BindInsert(BindSession& session, const ast::InsertStatement& statement);
BoundStatementPtr BindUpdate(BindSession& session, const ast::UpdateStatement& statement);
BoundStatementPtr BindDelete(BindSession& session, const ast::DeleteStatement& statement);
BoundStatementPtr BindMerge(BindSession& session, const ast::MergeStatement& statement);
BoundStatementPtr BindLockTable(BindSession& session, const ast::LockTableStatement& statement);
BoundStatementPtr BindSetConstraints(BindSession& session, const ast::SetConstraintsStatement& statement);
BoundStatementPtr BindTruncate(BindSession& session, const ast::TruncateStatement& statement);
BoundStatementPtr BindCreateElementTable(BindSession& session, const ast::CreateIndexStatement& statement);
BoundStatementPtr BindCreateIndex(BindSession& session, const ast::CreateIndexStatement& statement);
/// Adds to DROP INDEX the changes of tables whose hidden columns no other index needs.
void DropHiddenColumns(BindSession& session, struct BoundDrop& drop);
BoundStatementPtr BindCreateSequence(BindSession& session, const ast::CreateSequenceStatement& statement);
BoundStatementPtr BindCreateType(BindSession& session, const ast::CreateTypeStatement& statement);
BoundStatementPtr BindAlterType(BindSession& session, const ast::AlterTypeStatement& statement);
/// Turns CREATE VIEW into CREATE MATERIALIZED VIEW. `query` is that of the view, bound.
void MakeMaterialized(BindSession& session, const ast::CreateViewStatement& statement, BoundQueryPtr query,
                      struct BoundCreateView& create);
BoundStatementPtr BindRefresh(BindSession& session, const ast::RefreshStatement& statement);
BoundStatementPtr BindCreateDomain(BindSession& session, const ast::CreateDomainStatement& statement);
BoundStatementPtr BindAlterDomain(BindSession& session, const ast::AlterDomainStatement& statement);
/// Returns the domain that DROP DOMAIN names. For a missing one, throws Error(42704) or, with
/// `may_be_missing`, returns null; 42809 for what is no domain.
DomainEntryRef FindDroppedDomain(BindSession& session, const ast::NamedTable& name, bool may_be_missing);
BoundStatementPtr BindAlterSequence(BindSession& session, const ast::AlterSequenceStatement& statement);
BoundStatementPtr BindAlterTable(BindSession& session, const ast::AlterTableStatement& statement);
BoundStatementPtr BindCreateView(BindSession& session, const ast::CreateViewStatement& statement);
/// Throws unless an object can move from a schema into another one: Error(kCatalog, 3F000), and 0A000 for the
/// temporary schema.
void CheckMove(const BinderContext& context, const std::string& from, const std::string& to, size_t position);
BoundStatementPtr BindRenameView(BindSession& session, const ast::RenameStatement& statement);
BoundStatementPtr BindRename(BindSession& session, const ast::RenameStatement& statement);
BoundStatementPtr BindCreateTable(BindSession& session, const ast::CreateTableStatement& statement);
BoundStatementPtr BindCreateFunction(BindSession& session, const ast::CreateFunctionStatement& statement);
BoundStatementPtr BindDropFunction(BindSession& session, const ast::DropFunctionStatement& statement);
BoundStatementPtr BindAlterFunction(BindSession& session, const ast::AlterFunctionStatement& statement);
BoundStatementPtr BindTrigger(BindSession& session, const ast::TriggerStatement& statement);
BoundStatementPtr BindCreateSchema(BindSession& session, const ast::CreateSchemaStatement& statement);
BoundStatementPtr BindDrop(BindSession& session, const ast::DropStatement& statement);
BoundStatementPtr BindComment(BindSession& session, const ast::CommentStatement& statement);
BoundStatementPtr BindCopy(BindSession& session, const ast::CopyStatement& statement);
BoundStatementPtr BindExplain(BindSession& session, const ast::ExplainStatement& statement);
BoundStatementPtr BindSet(BindSession& session, const ast::SetStatement& statement);
BoundStatementPtr BindSetVariable(BindSession& session, const ast::SetVariableStatement& statement);
BoundStatementPtr BindShow(BindSession& session, const ast::ShowStatement& statement);
BoundStatementPtr BindDescribe(BindSession& session, const ast::DescribeStatement& statement);
BoundStatementPtr BindPragma(BindSession& session, const ast::PragmaStatement& statement);
BoundStatementPtr BindVacuum(BindSession& session, const ast::VacuumStatement& statement);
BoundStatementPtr BindExportDatabase(const ast::ExportDatabaseStatement& statement);
BoundStatementPtr BindImportDatabase(const ast::ImportDatabaseStatement& statement);
BoundStatementPtr BindAttach(const ast::AttachStatement& statement);
BoundStatementPtr BindDetach(BindSession& session, const ast::DetachStatement& statement);
BoundStatementPtr BindUse(BindSession& session, const ast::UseStatement& statement);
BoundStatementPtr BindCopyDatabase(BindSession& session, const ast::CopyDatabaseStatement& statement);

/// Returns the format given by the option FORMAT, or else by the path's extension. Throws Error(22023) for an
/// unknown format.
CopyFormat CopyFormatOf(const ast::CopyStatement& statement);
/// Returns true for VALUES without WITH, ORDER BY and LIMIT.
bool IsPlainValues(const ast::SelectStatement& query);
/// Returns the positions of the table's columns of these names, in the given order; all columns if `names` is
/// empty. Throws 42703, 42701. `positions` may be shorter than `names`.
std::vector<size_t> ResolveTableColumns(const TableEntry& table, const std::vector<std::string>& names,
                                        const std::vector<size_t>& positions, size_t statement_position);
/// Binds ON CONFLICT of an INSERT into `table`, which is visible under the name or alias of `name`. Throws
/// 42P10. If `view` is not null, the names are those of the view called `name`.
std::unique_ptr<BoundOnConflict> BindOnConflict(BindSession& session, const ast::OnConflict& conflict,
                                                const ast::NamedTable& name, const TableEntry& table,
                                                size_t row_index, const struct WrittenView* view = nullptr);
/// Returns the columns of the table that a SET list assigns to, by the names of the view if it is not null.
/// Throws 42703, 42701, 0A000.
std::vector<size_t> ResolveAssignments(const TableEntry& table,
                                       const std::vector<ast::Assignment>& assignments,
                                       const struct WrittenView* view = nullptr);
/// Returns the value of one assignment; null for DEFAULT of a generated column. Throws 428C9.
ExpressionPtr BindAssignment(BindSession& session, class ExpressionBinder& binder, const TableEntry& table,
                             const ColumnDefinition& column, const ast::Assignment& assignment);
/// Returns a column's DEFAULT, or NULL, as an expression of the column's type.
ExpressionPtr BindColumnDefault(BindSession& session, const TableEntry& table,
                                const ColumnDefinition& column);

}  // namespace scaup
