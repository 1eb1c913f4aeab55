// Transforms libpg_query's nodes into our syntax tree: functions by topic.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parser/ast/statement.hpp"
#include "parser/pg_query/parse_tree.hpp"
#include "parser/text/statement_text.hpp"

namespace scaup {

// All functions are stateless. Recursive functions must have small stack frames, because the deepest allowed
// tree has to fit on a stack of 512 KiB; so parts with large locals are separate functions that are never
// inlined.
//
// A "wrapped" node is {"Name":{...}}, and its "body" is the inner object. Nodes for valid SQL that our tree
// cannot represent throw Error(kNotSupported) with their position.

// --- refusal.cpp
[[noreturn]] void Refuse(const StatementText& text, std::string_view construct, int64_t location);
[[noreturn]] void SyntaxErrorAt(const StatementText& text, const std::string& message, int64_t location);
/// Refuses the statement if `body` has a field other than `known`, so that no part of a statement is ignored.
void RefuseOtherFields(const StatementText& text, TreeNode body, std::string_view construct,
                       std::initializer_list<std::string_view> known, int64_t location);

// --- expression.cpp
ast::ExpressionPtr TransformExpression(const StatementText& text, TreeNode wrapped);
/// Returns null for an absent node.
ast::ExpressionPtr TransformOptional(const StatementText& text, TreeNode wrapped);
/// Transforms the wrapped nodes of an array field.
std::vector<ast::ExpressionPtr> TransformExpressions(const StatementText& text, TreeNode body,
                                                     std::string_view key);
/// Transforms the body of a COLLATE clause; returns nullopt if it is absent.
std::optional<ast::Collation> TransformCollation(const StatementText& text, TreeNode body);
/// Returns the byte offset of a wrapped node, -1 if it has none.
int64_t LocationOf(TreeNode wrapped);

// --- literal.cpp
ast::ExpressionPtr TransformLiteral(const StatementText& text, TreeNode body);
/// Returns an integer with its sign. libpg_query's JSON omits negative integers like zero, so `printed` may
/// be 0; the value is then read from the tokens at `location`, that of its first token.
int64_t IntegerAt(const StatementText& text, int64_t printed, int64_t location);

// --- type_name.cpp
/// Refuses SETOF, unless `may_be_set`.
ast::TypeName TransformTypeName(const StatementText& text, TreeNode body, bool may_be_set = false);
ast::ExpressionPtr TransformTypeCast(const StatementText& text, TreeNode body);

// --- operator.cpp
ast::ExpressionPtr TransformOperator(const StatementText& text, TreeNode body);
/// Returns the last part of an operator's name. Refuses schemas other than pg_catalog.
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
/// Transforms x op ANY (array) and x op ALL (array).
ast::ExpressionPtr TransformArrayComparison(const StatementText& text, TreeNode body, bool is_any);
/// Transforms struct_pack(a := 1, b := 2) to a row with names, and struct_update(s, a := 1) to a call with
/// such a row. Other calls stay as they are.
ast::ExpressionPtr RowFromCall(ast::ExpressionPtr call);

// --- window.cpp
std::unique_ptr<ast::WindowSpecification> TransformOver(const StatementText& text, TreeNode body);
/// Transforms a star with EXCLUDE, REPLACE or RENAME.
ast::ExpressionPtr TransformStarList(const StatementText& text, TreeNode select);
/// Returns the clauses of an argument that is a query, PARTITION BY and ORDER BY; none if it has none.
std::vector<ast::WindowSpecification> TransformPartition(const StatementText& text, TreeNode select);
/// Returns the condition of QUALIFY; null if there is none.
ast::ExpressionPtr TransformQualify(const StatementText& text, TreeNode select);
/// Returns whether GROUP BY or ORDER BY has ALL in place of this expression.
bool IsByAll(const StatementText& text, TreeNode wrapped);
std::vector<ast::WindowSpecification> TransformWindowClause(const StatementText& text, TreeNode select);

// --- select.cpp
/// Whether DEFAULT is allowed in the rows of a VALUES list.
enum class DefaultMarkers : bool { kForbidden, kAllowed };
std::unique_ptr<ast::SelectStatement> TransformSelect(const StatementText& text, TreeNode body,
                                                      DefaultMarkers defaults = DefaultMarkers::kForbidden);
/// Transforms a field that contains {"SelectStmt":{...}}.
std::unique_ptr<ast::SelectStatement> TransformQuery(const StatementText& text, TreeNode wrapped,
                                                     DefaultMarkers defaults = DefaultMarkers::kForbidden);
void TransformWith(const StatementText& text, TreeNode with_clause, ast::SelectStatement& query);
/// Transforms the select list, or another list of that form, in the field `key`.
std::vector<ast::SelectItem> TransformItems(const StatementText& text, TreeNode body, std::string_view key);
std::vector<ast::OrderByItem> TransformOrderBy(const StatementText& text, TreeNode body,
                                               std::string_view key);

// --- table_ref.cpp
ast::TableRefPtr TransformTableRef(const StatementText& text, TreeNode wrapped);
/// Adds the columns of SEARCH and CYCLE to a recursive query of WITH.
void TransformSearchAndCycle(const StatementText& text, TreeNode body, ast::CommonTableExpression& cte);
/// Transforms a join that was written PIVOT or UNPIVOT; returns null for any other join.
ast::TableRefPtr TransformPivot(const StatementText& text, TreeNode join);
void TransformRangeVar(const StatementText& text, TreeNode body, ast::NamedTable& table);
/// Sets a name of one or two parts that begins at `location`.
void SetDottedName(const StatementText& text, std::vector<std::string> parts, int64_t location,
                   ast::NamedTable& name);

// --- insert.cpp, update.cpp, merge.cpp
ast::StatementPtr TransformInsert(const StatementText& text, TreeNode body);
ast::StatementPtr TransformUpdate(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDelete(const StatementText& text, TreeNode body);
/// Transforms INSERT, UPDATE, DELETE or MERGE in WITH.
ast::StatementPtr TransformChange(const StatementText& text, TreeNode node);
ast::StatementPtr TransformLockTable(const StatementText& text, TreeNode body);
ast::StatementPtr TransformSetConstraints(const StatementText& text, TreeNode body);
/// Transforms the query's FOR UPDATE and FOR SHARE: marks its row_lock, and the tables whose rows they lock.
void TransformRowLocks(const StatementText& text, TreeNode body, ast::SelectStatement& query);
ast::StatementPtr TransformTruncate(const StatementText& text, TreeNode body);
ast::StatementPtr TransformMerge(const StatementText& text, TreeNode body);
/// Transforms the SET list in field `targetList`, including DEFAULT.
std::vector<ast::Assignment> TransformAssignments(const StatementText& text, TreeNode body);
/// Transforms a value in VALUES or SET: an expression or DEFAULT.
ast::ExpressionPtr TransformValueOrDefault(const StatementText& text, TreeNode wrapped);
std::vector<ast::SelectItem> TransformReturning(const StatementText& text, TreeNode body);
/// Transforms WITH in front of UPDATE, DELETE and MERGE.
ast::WithClause TransformWithInFront(const StatementText& text, TreeNode body);
/// Transforms the column list of an INSERT: the ResTargets in the field `key`.
void TransformTargetColumns(const StatementText& text, TreeNode body, std::string_view key,
                            std::vector<std::string>& columns, std::vector<size_t>& positions);
ast::Overriding TransformOverriding(TreeNode body);

// --- constraint.cpp
/// Constraints that have no member in ColumnDefinition are appended to `constraints`.
ast::ColumnDefinition TransformColumnDefinition(const StatementText& text, TreeNode body,
                                                std::vector<ast::TableConstraint>& constraints);
ast::TableConstraint TransformTableConstraint(const StatementText& text, TreeNode body);
/// Reads GENERATED ... AS IDENTITY into the column.
void TransformIdentity(const StatementText& text, TreeNode constraint, ast::ColumnDefinition& column);

// --- trigger.cpp
ast::StatementPtr TransformCreateTrigger(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDropTrigger(const StatementText& text, TreeNode body);
ast::StatementPtr TransformRenameTrigger(const StatementText& text, TreeNode body);
/// Reads ENABLE and DISABLE TRIGGER of ALTER TABLE. Returns false for other actions.
bool TransformTriggerMode(const StatementText& text, TreeNode command, size_t begin,
                          ast::AlterAction& action);

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
/// Transforms ADD VALUE and RENAME VALUE.
ast::StatementPtr TransformAlterType(const StatementText& text, TreeNode body);
/// Transforms RENAME TO and SET SCHEMA.
ast::StatementPtr TransformMoveType(const StatementText& text, TreeNode body);
ast::StatementPtr TransformRefresh(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateDomain(const StatementText& text, TreeNode body);
ast::StatementPtr TransformAlterDomain(const StatementText& text, TreeNode body);
/// Transforms ALTER DOMAIN ... RENAME and SET SCHEMA.
ast::StatementPtr TransformMoveDomain(const StatementText& text, TreeNode body);
/// Returns the user's text of a default: from the token after DEFAULT to the next constraint, at
/// `next_location` if it is not negative, to a comma or a closing bracket.
std::string DefaultText(const StatementText& text, int64_t location, int64_t next_location);

// --- transaction.cpp
ast::StatementPtr TransformTransaction(const StatementText& text, TreeNode body);
/// Transforms SET TRANSACTION and SET SESSION CHARACTERISTICS AS TRANSACTION.
ast::StatementPtr TransformSetTransaction(const StatementText& text, TreeNode body);
/// Returns whether SET of this name sets a mode of transactions.
bool IsTransactionMode(std::string_view setting);
/// Transforms SET of such a name; no values: RESET. REQUIRES: IsTransactionMode().
ast::StatementPtr TransformSetMode(const StatementText& text, std::string_view setting,
                                   const std::vector<std::string>& values);

// --- create.cpp, index.cpp, drop.cpp, comment.cpp, copy.cpp, settings.cpp, maintenance.cpp
/// Checks the names of storage parameters, which change nothing. Throws Error(22023) for one that PostgreSQL
/// does not have.
void CheckStorageParameters(const StatementText& text, const std::vector<TreeNode>& parameters);
ast::StatementPtr TransformCreateTable(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateTableAs(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateView(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateSchema(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateIndex(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDrop(const StatementText& text, TreeNode body);
ast::StatementPtr TransformComment(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCopy(const StatementText& text, TreeNode body);
/// Transforms {"DefElem":{...}}, an option of COPY, EXPLAIN or VACUUM.
ast::CopyOption TransformOption(const StatementText& text, TreeNode wrapped);
/// Returns the value of a boolean option; an option without value is on.
bool OptionIsOn(const StatementText& text, const ast::CopyOption& option, int64_t location);
ast::StatementPtr TransformSet(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCreateFunction(const StatementText& text, TreeNode body);
/// Returns whether a statement that names its object's kind so is about functions: FUNCTION, AGGREGATE and
/// ROUTINE.
inline bool IsFunctionKind(std::string_view kind) {
  return kind == "OBJECT_FUNCTION" || kind == "OBJECT_AGGREGATE" || kind == "OBJECT_ROUTINE";
}
ast::StatementPtr TransformDropFunction(const StatementText& text, TreeNode body);
/// Transforms ALTER FUNCTION ... RENAME TO and SET SCHEMA.
ast::StatementPtr TransformAlterFunction(const StatementText& text, TreeNode body);
ast::StatementPtr TransformFunctionComment(const StatementText& text, TreeNode body);
ast::StatementPtr TransformSetVariable(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformShow(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDiscard(const StatementText& text, TreeNode body);
ast::StatementPtr TransformUnlisten(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDiscard(const StatementText& text, TreeNode body);
ast::StatementPtr TransformUnlisten(const StatementText& text, TreeNode body);
ast::StatementPtr TransformPragma(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformCheckpoint(const StatementText& text, TreeNode body);
ast::StatementPtr TransformVacuum(const StatementText& text, TreeNode body);
/// Transforms the COPY statements into which the dialect step rewrites EXPORT DATABASE and IMPORT DATABASE.
ast::StatementPtr TransformExportDatabase(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformAttach(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformDetach(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformUse(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformCopyDatabase(const StatementText& text, TreeNode wrapped);
ast::StatementPtr TransformImportDatabase(const StatementText& text, TreeNode wrapped);

// --- prepare.cpp
/// `statement` is the statement to prepare.
ast::StatementPtr TransformPrepare(const StatementText& text, TreeNode body, ast::StatementPtr statement);
ast::StatementPtr TransformExecute(const StatementText& text, TreeNode body);
ast::StatementPtr TransformDeallocate(const StatementText& text, TreeNode body);

// --- cursor.cpp
ast::StatementPtr TransformDeclareCursor(const StatementText& text, TreeNode body);
/// FETCH and MOVE.
ast::StatementPtr TransformFetch(const StatementText& text, TreeNode body);
ast::StatementPtr TransformCloseCursor(const StatementText& text, TreeNode body);

// --- statement.cpp
/// Transforms a whole statement, and sets its position, length and number of parameters.
ast::StatementPtr TransformStatement(const StatementText& text, TreeNode root);

}  // namespace scaup
