// Binds ON CONFLICT of INSERT.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// Returns the unique indexes over exactly these columns, in any order.
std::vector<std::string> IndexesOver(BindSession& session, const ast::OnConflict& conflict,
                                     const TableEntry& table) {
  const DatabaseScope scope(session, table);
  const BinderContext& context = session.context();
  std::vector<std::string> wanted = conflict.columns;
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<std::string> indexes;
  for (const auto& index : IndexesOf(context.catalog, context.transaction, table)) {
    std::vector<std::string> columns = index->columns;
    std::sort(columns.begin(), columns.end());
    if (index->is_unique() && columns == wanted) indexes.push_back(index->name);
  }
  if (indexes.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               "there is no unique or primary key constraint matching the ON CONFLICT specification",
               conflict.position);
  }
  return indexes;
}

const UniqueConstraint& FindConstraint(const ast::OnConflict& conflict, const TableEntry& table) {
  for (const UniqueConstraint& unique : table.constraints.uniques) {
    if (unique.name == conflict.constraint) return unique;
  }
  if (table.constraints.HasName(conflict.constraint)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("constraint \"{}\" in ON CONFLICT is neither unique nor a primary key",
                           conflict.constraint),
               conflict.position);
  }
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedObject,
      fmt::format("constraint \"{}\" for table \"{}\" does not exist", conflict.constraint, table.name),
      conflict.position);
}

/// Returns the scope of DO UPDATE: the existing row under the table's name, and the row to insert as
/// "excluded".
Scope ConflictScope(const ast::NamedTable& name, const TableEntry& table, size_t existing_index,
                    size_t row_index) {
  Scope existing =
      ScopeOfColumns(name.alias.empty() ? table.schema : "", name.alias.empty() ? table.name : name.alias,
                     table.columns, existing_index);
  Scope excluded = ScopeOfColumns("", "excluded", table.columns, row_index);
  excluded.visible().clear();  // visible only as excluded.column
  return Scope::Combine(std::move(existing), std::move(excluded), name.position);
}

}  // namespace

std::unique_ptr<BoundOnConflict> BindOnConflict(BindSession& session, const ast::OnConflict& conflict,
                                                const ast::NamedTable& name, const TableEntry& table,
                                                size_t row_index) {
  auto bound = std::make_unique<BoundOnConflict>();
  if (!conflict.constraint.empty()) {
    const UniqueConstraint& unique = FindConstraint(conflict, table);
    bound->indexes = {unique.name};
    bound->key_columns = ResolveTableColumns(table, unique.columns, {}, conflict.position);
  } else if (!conflict.columns.empty()) {
    // As in PostgreSQL, a column may be named again.
    std::vector<std::string> columns;
    std::vector<size_t> positions;
    for (size_t i = 0; i < conflict.columns.size(); i++) {
      if (std::find(columns.begin(), columns.end(), conflict.columns[i]) != columns.end()) continue;
      columns.push_back(conflict.columns[i]);
      if (i < conflict.column_positions.size()) positions.push_back(conflict.column_positions[i]);
    }
    bound->key_columns = ResolveTableColumns(table, columns, positions, conflict.position);
    bound->indexes = IndexesOver(session, conflict, table);
  } else if (conflict.do_update) {
    ThrowError(
        ErrorKind::kSyntax, sqlstate::kSyntaxError,
        "ON CONFLICT DO UPDATE requires a column list or constraint name: ON CONFLICT (column) DO UPDATE",
        conflict.position);
  }
  bound->do_update = conflict.do_update;
  if (!conflict.do_update) return bound;
  bound->existing_index = session.NewTableIndex();
  bound->updated_index = session.NewTableIndex();
  const Scope scope = ConflictScope(name, table, bound->existing_index, row_index);
  QueryLevel level;
  level.outer = session.around;
  level.scope = &scope;
  ExpressionBinder binder(session, level, Clause::kOnConflict);
  std::vector<ExpressionPtr> set(table.columns.size());
  const std::vector<size_t> columns = ResolveAssignments(table, conflict.assignments);
  for (size_t i = 0; i < columns.size(); i++)
    set[columns[i]] =
        BindAssignment(session, binder, table, table.columns[columns[i]], conflict.assignments[i]);
  CompleteUpdate(session.context(), table, std::move(set), *bound);
  if (conflict.where) bound->where = binder.BindBoolean(*conflict.where, "ON CONFLICT ... WHERE");
  return bound;
}

}  // namespace scaup
