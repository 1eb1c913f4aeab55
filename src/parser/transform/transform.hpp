// From libpg_query's nodes to our syntax tree: one function per topic.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parser/ast/statement.hpp"
#include "parser/pg_query/parse_tree.hpp"
#include "parser/text/statement_text.hpp"

namespace scaup {

// All functions are stateless. Those that recurse keep their frames small, with what needs room kept out of
// line: a tree of the greatest depth has to fit on a stack of 512 KiB.
//
// "wrapped" nodes are {"Name":{...}}, "bodies" the inner object. Nodes that stand for
// valid SQL without a place in our tree throw Error(kNotSupported) with their position.

// --- refusal.cpp
[[noreturn]] void Refuse(const StatementText& text, std::string_view construct, int64_t location);
[[noreturn]] void SyntaxErrorAt(const StatementText& text, const std::string& message, int64_t location);
/// Refuses the statement if `body` has a field besides `known`: what we do not read is never dropped in
/// silence.
void RefuseOtherFields(const StatementText& text, TreeNode body, std::string_view construct,
                       std::initializer_list<std::string_view> known, int64_t location);

// --- expression.cpp
ast::ExpressionPtr TransformExpression(const StatementText& text, TreeNode wrapped);
/// Null for an absent node.
ast::ExpressionPtr TransformOptional(const StatementText& text, TreeNode wrapped);
/// Transforms the wrapped nodes in an array field.
std::vector<ast::ExpressionPtr> TransformExpressions(const StatementText& text, TreeNode body,
                                                     std::string_view key);
/// Transforms a COLLATE clause's body; nullopt for an absent one.
std::optional<ast::Collation> TransformCollation(const StatementText& text, TreeNode body);
/// The byte offset of a wrapped node, -1 if it has none.
int64_t LocationOf(TreeNode wrapped);

// --- literal.cpp
ast::ExpressionPtr TransformLiteral(const StatementText& text, TreeNode body);
/// An integer whose sign libpg_query's JSON may have lost: it prints negative ones like zero. `location` is
/// that of its first token.
int64_t IntegerAt(const StatementText& text, int64_t printed, int64_t location);

// --- type_name.cpp
ast::TypeName TransformTypeName(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformTypeCast(const StatementText& text, TreeNode body);

// --- operator.cpp
ast::ExpressionPtr TransformOperator(const StatementText& text, TreeNode body);
/// The last of an operator's name parts; refuses schemas other than pg_catalog.
std::string OperatorSymbol(const StatementText& text, TreeNode body, std::string_view key);

// --- function_call.cpp
ast::ExpressionPtr TransformFunctionCall(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformNamedArgument(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformGroupingCall(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformCoalesce(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformMinMax(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformValueFunction(const StatementText& text, TreeNode body);
std::unique_ptr<ast::FunctionCall> MakeCall(const StatementText& text, std::string name, int64_t location);

// --- nested.cpp
ast::ExpressionPtr TransformArray(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformRow(const StatementText& text, TreeNode body);
ast::ExpressionPtr TransformIndirection(const StatementText& text, TreeNode body);
/// x op ANY (array), or ALL.
ast::ExpressionPtr TransformArrayComparison(const StatementText& text, TreeNode body, bool is_any);
/// struct_pack(a := 1, b := 2) is a row with names; other calls stay what they are.
ast::ExpressionPtr RowFromCall(ast::ExpressionPtr call);

// --- window.cpp
std::unique_ptr<ast::WindowSpecification> TransformOver(const StatementText& text, TreeNode body);
std::vector<ast::WindowSpecification> TransformWindowClause(const StatementText& text, TreeNode select);

// --- select.cpp
/// Whether DEFAULT may stand in the rows of a VALUES list.
enum class DefaultMarkers : bool { kForbidden, kAllowed };
std::unique_ptr<ast::SelectStatement> TransformSelect(const StatementText& text, TreeNode body,
                                                      DefaultMarkers defaults = DefaultMarkers::kForbidden);
/// A field that holds {"SelectStmt":{...}}.
std::unique_ptr<ast::SelectStatement> TransformQuery(const StatementText& text, TreeNode wrapped,
                                                     DefaultMarkers defaults = DefaultMarkers::kForbidden);
void TransformWith(const StatementText& text, TreeNode with_clause, ast::SelectStatement& query);
/// The select list, or what stands in its form, in field `key`.
std::vector<ast::SelectItem> TransformItems(const StatementText& text, TreeNode body, std::string_view key);
std::vector<ast::OrderByItem> TransformOrderBy(const StatementText& text, TreeNode body,
                                               std::string_view key);

// --- table_ref.cpp
ast::TableRefPtr TransformTableRef(const StatementText& text, TreeNode wrapped);
void TransformRangeVar(const StatementText& text, TreeNode body, ast::NamedTable& table);
/// A name with or without its schema, in parts, that begins at `location`.
void SetDottedName(const StatementText& text, std::vector<std::string> parts, int64_t location,
                   ast::NamedTable& name);

// --- insert.cpp, update.cpp, merge.cpp
ast::StatementPtr TransformInsert(const StatementText& text, TreeNode body);
ast::StatementPtr TransformUpdate(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDelete(const StatementText& text, TreeNode body);
/// INSERT, UPDATE, DELETE or MERGE in WITH.
ast::StatementPtr TransformChange(const StatementText& text, TreeNode node);
ast::StatementPtr TransformTruncate(const StatementText& text, TreeNode body);
ast::StatementPtr TransformMerge(const StatementText& text, TreeNode body);
/// The SET list in field `targetList`, DEFAULT included.
std::vector<ast::Assignment> TransformAssignments(const StatementText& text, TreeNode body);
/// A value of VALUES or SET: an expression or DEFAULT.
ast::ExpressionPtr TransformValueOrDefault(const StatementText& text, TreeNode wrapped);
std::vector<ast::SelectItem> TransformReturning(const StatementText& text, TreeNode body);
/// WITH in front of UPDATE, DELETE and MERGE.
ast::WithClause TransformWithInFront(const StatementText& text, TreeNode body);
/// The columns in front of what is inserted, in the ResTargets of `key`.
void TransformTargetColumns(const StatementText& text, TreeNode body, std::string_view key,
                            std::vector<std::string>& columns, std::vector<size_t>& positions);
ast::Overriding TransformOverriding(TreeNode body);

// --- constraint.cpp
/// The constraints of a column that do not stand in its definition are added to `constraints`.
ast::ColumnDefinition TransformColumnDefinition(const StatementText& text, TreeNode body,
                                                std::vector<ast::TableConstraint>& constraints);
ast::TableConstraint TransformTableConstraint(const StatementText& text, TreeNode body);
/// Reads GENERATED ... AS IDENTITY into the column.
void TransformIdentity(const StatementText& text, TreeNode constraint, ast::ColumnDefinition& column);

// --- alter.cpp
ast::StatementPtr TransformAlterTable(const StatementText& text, TreeNode body);
ast::StatementPtr TransformRename(const StatementText& text, TreeNode body);
ast::StatementPtr TransformSetSchema(const StatementText& text, TreeNode body);

// --- sequence.cpp
ast::StatementPtr TransformCreateSequence(const StatementText& text, TreeNode body);
ast::StatementPtr TransformAlterSequence(const StatementText& text, TreeNode body);
ast::SequenceOptions TransformSequenceOptions(const StatementText& text, TreeNode body);

// --- enum_type.cpp
ast::StatementPtr TransformCreateType(const StatementText& text, TreeNode body);
/// ADD VALUE and RENAME VALUE.
ast::StatementPtr TransformAlterType(const StatementText& text, TreeNode body);
/// RENAME TO and SET SCHEMA.
ast::StatementPtr TransformMoveType(const StatementText& text, TreeNode body);

// --- transaction.cpp
ast::StatementPtr TransformTransaction(const StatementText& text, TreeNode body);
/// SET TRANSACTION, SET SESSION CHARACTERISTICS AS TRANSACTION
ast::StatementPtr TransformSetTransaction(const StatementText& text, TreeNode body);

// --- create.cpp, index.cpp, drop.cpp, comment.cpp, copy.cpp, settings.cpp, maintenance.cpp
ast::StatementPtr TransformCreateTable(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateTableAs(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateView(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateSchema(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateIndex(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDrop(const StatementText& text, TreeNode body);
ast::StatementPtr TransformComment(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCopy(const StatementText& text, TreeNode body);
/// {"DefElem":{...}}, as COPY, EXPLAIN and VACUUM have them.
ast::CopyOption TransformOption(const StatementText& text, TreeNode wrapped);
/// Whether an option that is true, false or stands alone is on.
bool OptionIsOn(const StatementText& text, const ast::CopyOption& option, int64_t location);
ast::StatementPtr TransformSet(const StatementText& text, TreeNode body);
ast::StatementPtr TransformShow(const StatementText& text, TreeNode body);
ast::StatementPtr TransformPragma(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformCheckpoint(const StatementText& text, TreeNode body);
ast::StatementPtr TransformVacuum(const StatementText& text, TreeNode body);
/// Transforms the COPY statements that the dialect step makes of EXPORT DATABASE and IMPORT DATABASE.
ast::StatementPtr TransformExportDatabase(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformImportDatabase(const StatementText& text, TreeNode wrapped);

// --- prepare.cpp
/// `statement`: what is prepared.
ast::StatementPtr TransformPrepare(const StatementText& text, TreeNode body, ast::StatementPtr statement);
ast::StatementPtr TransformExecute(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDeallocate(const StatementText& text, TreeNode body);

// --- statement.cpp
/// The whole statement with its position, length and number of parameters.
ast::StatementPtr TransformStatement(const StatementText& text, TreeNode root);

}  // namespace scaup
