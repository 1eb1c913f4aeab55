// Binds ON CONFLICT of INSERT.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/indexed_expressions.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "binder/write/before_triggers.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"
#include "expression/implication.hpp"

namespace scaup {

namespace {

/// The target of ON CONFLICT: columns, expressions and the condition of a partial index.
struct ConflictTarget {
  std::vector<std::string> columns;  ///< each once, sorted
  std::vector<ExpressionPtr> expressions;
  ExpressionPtr condition;  ///< null if not given
};

/// Binds the expressions of a target over the columns of the table, {IndexedExpression::kTable, i}.
ConflictTarget BindConflictTarget(BindSession& session, const ast::OnConflict& conflict,
                                  const ast::NamedTable& name, const TableEntry& table,
                                  const std::vector<std::string>& columns) {
  ConflictTarget target;
  target.columns = columns;
  std::sort(target.columns.begin(), target.columns.end());
  target.columns.erase(std::unique(target.columns.begin(), target.columns.end()), target.columns.end());
  const auto view = FindWrittenView(session, name, IndexedExpression::kTable);
  const Scope scope =
      view ? view->ScopeFor(name)
           : ScopeOfColumns(session, table.schema, table.name, table.columns, IndexedExpression::kTable);
  QueryLevel level;
  level.scope = &scope;
  for (const auto& expression : conflict.expressions) {
    ExpressionBinder binder(session, level, Clause::kIndexExpression);
    target.expressions.push_back(binder.BindSettled(*expression));
  }
  if (conflict.condition) {
    ExpressionBinder binder(session, level, Clause::kIndexPredicate);
    target.condition = binder.BindBoolean(*conflict.condition, "WHERE");
  }
  return target;
}

/// The key of a unique index, as a target may name it.
struct UniqueKey {
  std::vector<std::string> columns;  ///< sorted
  std::vector<const Expression*> expressions;
  const Expression* condition = nullptr;
};

UniqueKey UniqueKeyOf(const IndexEntry& index, const TableEntry& table, const IndexedExpressions* indexed) {
  UniqueKey key;
  for (const std::string& name : index.columns) {
    const size_t column = table.FindColumn(name).value();
    if (!table.columns[column].is_hidden()) {
      key.columns.push_back(name);
      continue;
    }
    const auto hidden = std::find_if(indexed->begin(), indexed->end(),
                                     [&](const IndexedExpression& each) { return each.column == column; });
    if (hidden->condition) key.condition = hidden->condition.get();
    if (const ColumnDefinition* of = ColumnOfKey(table.columns, table.columns[column])) {
      key.columns.push_back(of->name);
    } else if (hidden->key->kind() == ExpressionKind::kColumnRef) {
      key.columns.push_back(hidden->key->As<ColumnRefExpression>().name);
    } else {
      key.expressions.push_back(hidden->key.get());
    }
  }
  std::sort(key.columns.begin(), key.columns.end());
  return key;
}

/// Returns whether the target names exactly what the index is over, and implies its condition.
bool TargetMatches(const ConflictTarget& target, const UniqueKey& key) {
  const auto is_named = [&](const Expression* expression) {
    return std::any_of(target.expressions.begin(), target.expressions.end(),
                       [&](const ExpressionPtr& named) { return named->Equals(*expression); });
  };
  const auto is_indexed = [&](const ExpressionPtr& named) {
    return std::any_of(key.expressions.begin(), key.expressions.end(),
                       [&](const Expression* expression) { return named->Equals(*expression); });
  };
  if (key.columns != target.columns ||
      !std::all_of(key.expressions.begin(), key.expressions.end(), is_named) ||
      !std::all_of(target.expressions.begin(), target.expressions.end(), is_indexed))
    return false;
  if (key.condition == nullptr) return true;
  // Constants that differ are not compared here: the condition is that of the index, as a rule.
  return target.condition != nullptr &&
         Implies({target.condition.get()}, *key.condition,
                 [](ComparisonOp, const Value&, const Value&) { return false; });
}

/// Throws 55000 if an arbiter is deferrable: it may have equal keys before the commit.
void RequireNotDeferrable(const TableEntry& table, const BoundOnConflict& bound, size_t position) {
  for (const UniqueConstraint& unique : table.constraints.uniques) {
    // Without a target, all unique constraints are arbiters.
    const bool is_arbiter = bound.indexes.empty() || std::find(bound.indexes.begin(), bound.indexes.end(),
                                                               unique.name) != bound.indexes.end();
    if (!is_arbiter || !unique.deferral.is_deferrable) continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
        fmt::format("ON CONFLICT does not support deferrable unique constraints as arbiters, and \"{}\" "
                    "is one",
                    unique.name),
        position);
  }
}

/// Fills in the unique indexes that the target of ON CONFLICT means, and their columns.
void FindArbiters(BindSession& session, const ast::OnConflict& conflict, const ast::NamedTable& name,
                  const TableEntry& table, const std::vector<std::string>& columns, BoundOnConflict& bound) {
  const DatabaseScope scope(session, table);
  const BinderContext& context = session.context();
  const ConflictTarget target = BindConflictTarget(session, conflict, name, table, columns);
  const IndexedExpressionsRef indexed = IndexedExpressionsOf(context, table);
  bool is_whole = false;
  for (const auto& index : IndexesOf(context.catalog, context.transaction, table)) {
    if (!index->is_unique()) continue;
    const UniqueKey key = UniqueKeyOf(*index, table, indexed.get());
    if (!TargetMatches(target, key)) continue;
    bound.indexes.push_back(index->name);
    // The columns of an index of all rows find the existing row, whichever index has the conflict.
    if (is_whole || (key.condition != nullptr && !bound.key_columns.empty())) continue;
    is_whole = key.condition == nullptr;
    bound.key_columns.clear();
    for (const std::string& column : index->columns)
      bound.key_columns.push_back(table.FindColumn(column).value());
  }
  if (!bound.indexes.empty()) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
             "there is no unique or primary key constraint matching the ON CONFLICT specification",
             conflict.position);
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
Scope ConflictScope(BindSession& session, const ast::NamedTable& name, const TableEntry& table,
                    size_t existing_index, size_t row_index, const WrittenView* view) {
  if (view != nullptr) {
    Scope excluded = view->MakeScope("", "excluded");
    excluded.visible().clear();
    return Scope::Combine(FindWrittenView(session, name, existing_index)->ScopeFor(name), std::move(excluded),
                          name.position);
  }
  Scope existing =
      ScopeOfColumns(session, name.alias.empty() ? table.schema : "",
                     name.alias.empty() ? table.name : name.alias, table.columns, existing_index);
  Scope excluded = ScopeOfColumns(session, "", "excluded", table.columns, row_index);
  excluded.visible().clear();  // visible only as excluded.column
  return Scope::Combine(std::move(existing), std::move(excluded), name.position);
}

}  // namespace

/// Makes the BEFORE UPDATE triggers a part of what DO UPDATE sets.
static void ApplyConflictTriggers(BindSession& session, const TableEntry& table,
                                  const std::vector<size_t>& columns, std::vector<ExpressionPtr>& set,
                                  BoundOnConflict& conflict) {
  if (BeforeTriggersOf(table, kOnUpdate, columns).empty()) return;
  WrittenValues row;
  for (size_t i = 0; i < table.columns.size(); i++) {
    row.old_row.push_back(std::make_unique<ColumnRefExpression>(
        table.columns[i].type, ColumnBinding{conflict.existing_index, i}, table.columns[i].name));
    row.new_row.push_back(set[i] ? std::move(set[i]) : row.old_row[i]->Clone());
  }
  const std::vector<bool> is_set = [&] {
    std::vector<bool> is(table.columns.size());
    for (const size_t column : columns) is[column] = true;
    return is;
  }();
  ApplyRowTriggers(session, table, kOnUpdate, columns, "ON CONFLICT DO UPDATE", row);
  for (size_t i = 0; i < set.size(); i++)
    if (is_set[i] || row.is_changed[i]) set[i] = std::move(row.new_row[i]);
  if (!row.condition) return;
  std::vector<ExpressionPtr> conditions;
  if (conflict.where) conditions.push_back(std::move(conflict.where));
  conditions.push_back(std::move(row.condition));
  conflict.where = MakeAnd(std::move(conditions));
}

std::unique_ptr<BoundOnConflict> BindOnConflict(BindSession& session, const ast::OnConflict& conflict,
                                                const ast::NamedTable& name, const TableEntry& table,
                                                size_t row_index, const WrittenView* view) {
  auto bound = std::make_unique<BoundOnConflict>();
  if (!conflict.constraint.empty()) {
    const UniqueConstraint& unique = FindConstraint(conflict, table);
    bound->indexes = {unique.name};
    for (const std::string& column : table.KeyColumns(unique.columns))
      bound->key_columns.push_back(table.FindColumn(column).value());
  } else if (!conflict.columns.empty() || !conflict.expressions.empty()) {
    // As in PostgreSQL, a column may be named again.
    std::vector<std::string> columns;
    std::vector<size_t> positions;
    for (size_t i = 0; i < conflict.columns.size(); i++) {
      if (std::find(columns.begin(), columns.end(), conflict.columns[i]) != columns.end()) continue;
      columns.push_back(conflict.columns[i]);
      if (i < conflict.column_positions.size()) positions.push_back(conflict.column_positions[i]);
    }
    if (view != nullptr) columns = view->TableColumns(columns, positions, conflict.position, "insert into");
    if (!columns.empty()) ResolveTableColumns(table, columns, positions, conflict.position);
    FindArbiters(session, conflict, name, table, columns, *bound);
  } else if (conflict.do_update) {
    ThrowError(
        ErrorKind::kSyntax, sqlstate::kSyntaxError,
        "ON CONFLICT DO UPDATE requires a column list or constraint name: ON CONFLICT (column) DO UPDATE",
        conflict.position);
  }
  RequireNotDeferrable(table, *bound, conflict.position);
  bound->do_update = conflict.do_update;
  if (!conflict.do_update) return bound;
  bound->existing_index = session.NewTableIndex();
  bound->updated_index = session.NewTableIndex();
  const Scope scope = ConflictScope(session, name, table, bound->existing_index, row_index, view);
  QueryLevel level;
  level.outer = session.around;
  level.scope = &scope;
  ExpressionBinder binder(session, level, Clause::kOnConflict);
  std::vector<ExpressionPtr> set(table.columns.size());
  const std::vector<size_t> columns = ResolveAssignments(table, conflict.assignments, view);
  for (size_t i = 0; i < columns.size(); i++)
    set[columns[i]] =
        BindAssignment(session, binder, table, table.columns[columns[i]], conflict.assignments[i]);
  if (conflict.where) bound->where = binder.BindBoolean(*conflict.where, "ON CONFLICT ... WHERE");
  ApplyConflictTriggers(session, table, columns, set, *bound);
  CompleteUpdate(session.context(), table, std::move(set), *bound);
  bound->assigned = columns;
  const auto& generated = bound->generated_columns;
  bound->assigned.insert(bound->assigned.end(), generated.begin(), generated.end());
  return bound;
}

}  // namespace scaup
