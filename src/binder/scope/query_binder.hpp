// Binds queries: SELECT, VALUES, set operations, and FROM clauses.
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

struct WrittenView;

/// Whether output columns may remain untyped (coercion.hpp), because INSERT or a set operation will type
/// them.
enum class Untyped : uint8_t { kSettle, kKeep };

/// Binds any query inside the level `outer` (null for an outermost query). Throws Error with positions.
BoundQueryPtr BindQuery(BindSession& session, const ast::SelectStatement& statement, QueryLevel* outer,
                        Untyped untyped = Untyped::kSettle);
/// Gives a type to output column `column`, which is untyped.
void TypeOutput(BindSession& session, BoundQuery& query, size_t column, const LogicalType& type);

/// Returns the value of a DEFAULT marker in the given column of VALUES; null if there is none.
using DefaultMaker = std::function<ExpressionPtr(size_t column)>;
/// Converts a value in the given column of VALUES to that column's type.
using ValueConverter = std::function<ExpressionPtr(ExpressionPtr value, size_t column)>;
/// Binds VALUES whose columns have given types and names (INSERT).
BoundQueryPtr BindInsertValues(BindSession& session, const ast::SelectStatement& statement,
                               const std::vector<LogicalType>& types, const std::vector<std::string>& names,
                               const DefaultMaker& make_default, const ValueConverter& convert);
/// Returns true for the marker that stands for DEFAULT in VALUES.
bool IsDefaultMarker(const ast::Expression& expression);

/// The parts of BindQuery, each in its own file. `level` is the query's own level.
BoundQueryPtr BindSelect(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped);
BoundQueryPtr BindValues(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped);
BoundQueryPtr BindSetOperation(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                               Untyped untyped);
/// Binds LIMIT and OFFSET of any query. Called while the level still has the columns of FROM, so that their
/// use is detected and refused.
void BindLimit(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
               BoundQuery& query);

/// A bound FROM clause and its columns. `table` is null if there is no FROM clause.
struct BoundFrom {
  BoundTableRefPtr table;
  Scope scope;
};
BoundFrom BindTableRef(BindSession& session, const ast::TableRef& table, QueryLevel& level);
BoundFrom BindFrom(BindSession& session, const std::vector<ast::TableRefPtr>& from, QueryLevel& level);

/// The table that a statement changes, under its alias, or the view through which it does. `has_row_number`
/// is set in `reference`; the row number is not in the scope.
struct BoundTarget {
  TableEntryRef table;
  std::shared_ptr<WrittenView> view;  ///< null for a table; the scope has the view's columns
  size_t table_index = 0;
  BoundTableRefPtr reference;
  Scope scope;
};
BoundTarget BindTarget(BindSession& session, const ast::NamedTable& table);
/// Returns the quoted name of a table whose number is its `tableoid`; "" if it is in another database than
/// the one in use.
std::string NumberedRelation(BindSession& session, const TableEntry& table);
/// Binds the query of a view. Throws 42P16 if it no longer fits the view's columns; errors name the view.
BoundQueryPtr BindViewQuery(BindSession& session, const ViewEntryRef& view, size_t position);
/// Makes the WITH queries visible in the level. Throws 42712 for a name that is defined twice.
void BeginWith(const std::vector<ast::CommonTableExpression>& queries, bool is_recursive, QueryLevel& level);
/// Moves the WITH queries that `query` uses into it; `query` was bound in the level. The other ones are bound
/// to find their errors.
void FinishWith(BindSession& session, QueryLevel& level, BoundQuery& query);
/// Does the same for a statement that is not a query, and returns the definitions.
std::vector<std::shared_ptr<BoundCte>> FinishWith(BindSession& session, QueryLevel& level);
/// Binds the use of a WITH query in FROM: inlines it, or refers to its shared binding.
BoundTableRefPtr BindWithTable(BindSession& session, const FoundWith& with, QueryLevel& level,
                               const ast::NamedTable& table, std::vector<std::string>& names,
                               std::vector<LogicalType>& types, size_t& table_index);
/// Renames the first columns of a query to the given aliases. Throws 42P10 for too many.
void RenameColumns(std::vector<std::string>& names, const std::vector<std::string>& aliases,
                   const std::string& table, size_t position);
/// Binds the first `count` operands of a set operation, without ORDER BY.
BoundQueryPtr BindOperands(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                           size_t count, Untyped untyped);
/// Returns the table of that name. Throws Error(kCatalog, 42P01), which suggests similar names.
TableEntryRef FindTableOrThrow(BindSession& session, const ast::NamedTable& table);
/// Finds a table like FindTableOrThrow, in a schema of the database of BindSession::context().
TableEntryRef FindTableIn(BindSession& session, const std::string& schema, const ast::NamedTable& table);
/// Returns a table whose rows are to be changed. Throws 55000 for a view.
TableEntryRef FindWrittenTable(BindSession& session, const ast::NamedTable& table);
/// Throws Error(kCatalog, 42809) if the table is a materialized view.
void RequireNotMaterialized(const TableEntry& table, size_t position);
/// Throws Error(kCatalog, 55000) if the table is an element table.
void RequireNoElementTable(const BindSession& session, const TableEntry& table, size_t position);
/// Name of GROUPING(...) among the aggregates of a query until GroupExpressions replaces it.
inline constexpr const char* kGroupingFunction = "grouping";
/// Replaces grouped expressions and aggregates in `expressions` with references to the aggregation's output,
/// and moves the aggregates to the select. Throws 42803 for columns that are not grouped. GROUPING(...)
/// becomes a value for each grouping set.
void GroupExpressions(BindSession& session, BoundSelect& select,
                      const std::vector<ExpressionPtr*>& expressions);
/// Replaces window functions with references to the output of windows, and moves them to the select.
void TakeWindows(BindSession& session, BoundSelect& select, ExpressionPtr& expression);
/// Returns the type of that name. For a missing one, throws Error(42704) or, with `may_be_missing`, returns
/// null.
TypeEntryRef FindTypeOrThrow(BindSession& session, const ast::NamedTable& type, bool may_be_missing);
/// Returns the set-returning function of this name; null if there is none.
const ScalarFunction* FindSetFunction(const BindSession& session, std::string_view name);
/// Replaces calls of set-returning functions with references to the sets' elements, and moves the calls to
/// `sets`.
void TakeSets(BindSession& session, BoundSets& sets, ExpressionPtr& expression);
/// Returns the name that PostgreSQL gives to an output column without alias: that of the function or column,
/// or "?column?".
std::string ColumnNameOf(const ast::Expression& expression);

}  // namespace scaup
