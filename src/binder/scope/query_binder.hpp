// Binds queries: SELECT, VALUES, set operations and what stands in FROM.
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Whether output columns may stay untyped (coercion.hpp), to be typed by what uses them: INSERT, set
/// operations.
enum class Untyped : uint8_t { kSettle, kKeep };

/// Binds any query inside the level `outer` (null at the top). Throws Error with positions.
BoundQueryPtr BindQuery(BindSession& session, const ast::SelectStatement& statement, QueryLevel* outer,
                        Untyped untyped = Untyped::kSettle);
/// Gives output column `column`, which is untyped, a type.
void TypeOutput(BindSession& session, BoundQuery& query, size_t column, const LogicalType& type);

/// The value of a DEFAULT marker in the given column of VALUES; null where none stands for it.
using DefaultMaker = std::function<ExpressionPtr(size_t column)>;
/// Makes a value that stands in the given column of VALUES into one of that column's type.
using ValueConverter = std::function<ExpressionPtr(ExpressionPtr value, size_t column)>;
/// VALUES whose columns have given types and names (INSERT).
BoundQueryPtr BindInsertValues(BindSession& session, const ast::SelectStatement& statement,
                               const std::vector<LogicalType>& types, const std::vector<std::string>& names,
                               const DefaultMaker& make_default, const ValueConverter& convert);
/// True for the marker that stands for DEFAULT in VALUES.
bool IsDefaultMarker(const ast::Expression& expression);

/// The parts of BindQuery, each in a file of its own. `level` is the query's own level.
BoundQueryPtr BindSelect(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped);
BoundQueryPtr BindValues(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped);
BoundQueryPtr BindSetOperation(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                               Untyped untyped);
/// LIMIT and OFFSET of any query, while its level still has the columns of FROM: they may not use these.
void BindLimit(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
               BoundQuery& query);

/// A FROM clause: the tree, null if there is none, and its columns.
struct BoundFrom {
  BoundTableRefPtr table;
  Scope scope;
};
BoundFrom BindTableRef(BindSession& session, const ast::TableRef& table, QueryLevel& level);
BoundFrom BindFrom(BindSession& session, const std::vector<ast::TableRefPtr>& from, QueryLevel& level);

/// The table that a statement changes, under its alias, and FROM or USING besides it. `has_row_number` is
/// set; the row number is not in the scope.
struct BoundTarget {
  TableEntryRef table;
  size_t table_index = 0;
  BoundTableRefPtr reference;
  Scope scope;
};
BoundTarget BindTarget(BindSession& session, const ast::NamedTable& table);
/// The query of a view. Throws 42P16 where it does not fit the view's columns any more; errors name the view.
BoundQueryPtr BindViewQuery(BindSession& session, const ViewEntryRef& view, size_t position);
/// Makes the WITH queries visible in the level. Throws 42712 where a name stands twice.
void BeginWith(const std::vector<ast::CommonTableExpression>& queries, bool is_recursive, QueryLevel& level);
/// Gives `query`, which was bound in the level, the WITH queries that it uses; binds the others for their
/// errors.
void FinishWith(BindSession& session, QueryLevel& level, BoundQuery& query);
/// Finishes WITH where no query takes the definitions: returns them.
std::vector<std::shared_ptr<BoundCte>> FinishWith(BindSession& session, QueryLevel& level);
/// The use of a WITH query in FROM: its one more binding, or a reference to the one it has.
BoundTableRefPtr BindWithTable(BindSession& session, const FoundWith& with, QueryLevel& level,
                               const ast::NamedTable& table, std::vector<std::string>& names,
                               std::vector<LogicalType>& types, size_t& table_index);
/// Renames the columns of a query whose column names are given; 42P10 for too many.
void RenameColumns(std::vector<std::string>& names, const std::vector<std::string>& aliases,
                   const std::string& table, size_t position);
/// The first `count` operands of a set operation, without ORDER BY.
BoundQueryPtr BindOperands(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                           size_t count, Untyped untyped);
/// The table of that name. Throws Error(kCatalog): 42P01, with a suggestion where a name is similar.
TableEntryRef FindTableOrThrow(BindSession& session, const ast::NamedTable& table);
/// Finds a table whose rows are to be changed; 55000 for a view.
TableEntryRef FindWrittenTable(BindSession& session, const ast::NamedTable& table);
/// Throws Error(kCatalog, 55000) for one.
void RequireNoElementTable(const BindSession& session, const TableEntry& table, size_t position);
/// The name under which GROUPING(...) stands among the aggregates of a query until GroupExpressions.
inline constexpr const char* kGroupingFunction = "grouping";
/// Turns grouped columns and aggregates of `expressions` into references to the aggregation's output, and
/// collects the aggregates in the select. Throws 42803 for columns that are not grouped. GROUPING(...)
/// becomes a value for each grouping set.
void GroupExpressions(BindSession& session, BoundSelect& select,
                      const std::vector<ExpressionPtr*>& expressions);
/// Turns window functions into references to what windows give, and collects them in the select.
void TakeWindows(BindSession& session, BoundSelect& select, ExpressionPtr& expression);
/// Throws Error(42704) for a type that is not there; null instead with `may_be_missing`.
TypeEntryRef FindTypeOrThrow(BindSession& session, const ast::NamedTable& type, bool may_be_missing);
/// The function of this name that returns sets; null if there is none.
const ScalarFunction* FindSetFunction(const BindSession& session, std::string_view name);
/// Turns calls of functions that return sets into references to the sets' elements, and collects these.
void TakeSets(BindSession& session, BoundSets& sets, ExpressionPtr& expression);
/// The name that PostgreSQL gives a column without alias: the function's, the column's, or "?column?".
std::string ColumnNameOf(const ast::Expression& expression);

}  // namespace scaup
