// What INSERT, UPDATE and MERGE bind over the row that they write: checks, generated columns, RETURNING.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// The columns of a table as {table_index, i}, under a name.
Scope ScopeOfColumns(std::string schema, std::string alias, const std::vector<ColumnDefinition>& columns,
                     size_t table_index);

/// Binds SQL text that the catalog keeps, over the columns {table_index, i} of a table: to BOOLEAN for CHECK,
/// by assignment to `type` for generated columns. Positions are unset; errors quote the text.
ExpressionPtr BindTableText(const BinderContext& context, const TableEntry& table, size_t table_index,
                            const std::string& text, Clause clause, const LogicalType& type);
/// All checks of a table over {table_index, i}.
std::vector<BoundCheck> BindChecks(const BinderContext& context, const TableEntry& table, size_t table_index);

/// Calls `visit` with every column reference of this table.
void ForEachColumnOf(ExpressionPtr& expression, size_t table_index,
                     const std::function<void(ColumnRefExpression&)>& visit);
/// Which columns {table_index, i} occur.
std::vector<bool> ColumnsOf(const Expression& expression, size_t table_index, size_t column_count);
/// Every column reference {table_index, i} becomes a copy of values[i], which has no subquery.
void SubstituteColumns(ExpressionPtr& expression, size_t table_index,
                       const std::vector<const Expression*>& values);

/// The items of RETURNING over the level's scope.
BoundReturning BindReturning(BindSession& session, QueryLevel& level,
                             const std::vector<ast::SelectItem>& items);

/// Refuses a value for a column that makes its own: 428C9. `what` is "inserted" or "updated".
[[noreturn]] void ThrowGeneratedColumn(const ColumnDefinition& column, const char* what, size_t position);
inline bool IsGenerated(const ColumnDefinition& column) { return !column.generated_text.empty(); }

/// The values of all columns after an update: those of `set` (null: not set), generated ones that depend on
/// them, and {old_index, i} for the rest. `set_columns` gets those that change.
void CompleteUpdate(const BinderContext& context, const TableEntry& table, size_t old_index,
                    std::vector<ExpressionPtr> set, std::vector<ExpressionPtr>& values,
                    std::vector<size_t>& set_columns);
/// An INSERT's or MERGE's values, in place: those of generated columns are null and are made of the others.
void FillGenerated(const BinderContext& context, const TableEntry& table, std::vector<ExpressionPtr>& values);

}  // namespace scaup
