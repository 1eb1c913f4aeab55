// Expressions over the row that INSERT, UPDATE and MERGE write: checks, generated columns, RETURNING.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Makes a scope of the columns of a table that are not hidden, as {table_index, i}, under an alias. Records
/// their collations.
Scope ScopeOfColumns(BindSession& session, std::string schema, std::string alias,
                     const std::vector<ColumnDefinition>& columns, size_t table_index);

/// Binds SQL text stored in the catalog over the columns {table_index, i} of a table: to BOOLEAN for CHECK
/// and conditions of indexes, by assignment to `type` for generated columns and index expressions, or to the
/// type that it has if `type` is kNull. Positions are unset; errors quote the text.
ExpressionPtr BindTableText(const BinderContext& context, const TableEntry& table, size_t table_index,
                            const std::string& text, Clause clause, const LogicalType& type);
/// Binds all checks of a table, and of the domains of its columns, over {table_index, i}.
std::vector<BoundCheck> BindChecks(const BinderContext& context, const TableEntry& table, size_t table_index);

/// Adds the checks of views WITH CHECK OPTION.
void AddViewChecks(const struct WrittenView& view, std::vector<BoundCheck>& checks);

/// Calls `visit` with every reference to a column of this table.
void ForEachColumnOf(ExpressionPtr& expression, size_t table_index,
                     const std::function<void(ColumnRefExpression&)>& visit);
/// Returns for each column {table_index, i} whether it occurs.
std::vector<bool> ColumnsOf(const Expression& expression, size_t table_index, size_t column_count);
/// Replaces every column reference {table_index, i} with a copy of values[i], which may be null if there are
/// no references to it. Copies of a subquery share its query: the planner must take equal ones once, as it
/// does for ON CONFLICT.
void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<const Expression*>& values);

/// Binds the items of RETURNING over the level's scope.
BoundReturning BindReturning(BindSession& session, QueryLevel& level,
                             const std::vector<ast::SelectItem>& items);

/// Refuses a value for a generated column: 428C9. `what` is "inserted" or "updated".
[[noreturn]] void ThrowGeneratedColumn(const ColumnDefinition& column, const char* what, size_t position);
inline bool IsGenerated(const ColumnDefinition& column) { return !column.generated_text.empty(); }

/// Completes DO UPDATE: values of all columns, of which `set` has those that are set and null for others, and
/// the generated columns that depend on them. REQUIRES: `conflict` has its table indexes.
void CompleteUpdate(const BinderContext& context, const TableEntry& table, std::vector<ExpressionPtr> set,
                    BoundOnConflict& conflict);
/// Fills in generated columns of an INSERT or MERGE: their values are null at first and are computed from the
/// others.
void FillGenerated(const BinderContext& context, const TableEntry& table, std::vector<ExpressionPtr>& values);

}  // namespace scaup
