// The actions of ALTER TABLE on columns: ADD, DROP, defaults, NOT NULL, types, generation and identity.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/domain_rules.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/literal.hpp"
#include "binder/statement/binder.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/renaming.hpp"
#include "binder/statement/table_alteration.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

void AddColumn(TableAlteration& alteration, const ast::AlterAction& action) {
  const ast::ColumnDefinition& column = *action.column;
  const bool exists = alteration.HasColumn(column.name);
  if (exists && action.if_exists) return;
  alteration.draft.AddColumn(column);
  alteration.draft.CheckColumn(column);
  // The value of a generated column is computed at the end, when all columns are known.
  alteration.origins.push_back({std::nullopt, BindDefault(alteration.session().context(),
                                                          DefaultTextOf(alteration.session().context(),
                                                                        alteration.draft.columns.back()),
                                                          alteration.draft.columns.back().type)});
  alteration.RecheckDomain(alteration.draft.columns.back());
  alteration.result->rewrites = true;
  if (column.not_null) alteration.RequireNotNull(column.name);
  for (const ast::TableConstraint& constraint : action.constraints) alteration.AddConstraint(constraint);
}

/// Drops the triggers that name a column in UPDATE OF or WHEN; 2BP01 without CASCADE.
void DropTriggersOf(TableAlteration& alteration, const ast::AlterAction& action) {
  std::erase_if(alteration.draft.constraints.triggers, [&](const TriggerDefinition& trigger) {
    if (!HasName(trigger.update_columns, action.name) && !NamesColumn(trigger.condition, action.name))
      return false;
    if (!action.cascade) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDependentObjects,
                 fmt::format("cannot drop column \"{}\" because trigger \"{}\" depends on it; use CASCADE to "
                             "drop that too",
                             action.name, trigger.name),
                 action.position);
    }
    return true;
  });
}

void DropColumn(TableAlteration& alteration, const ast::AlterAction& action) {
  const bool exists = alteration.HasColumn(action.name);
  if (!exists && action.if_exists) return;
  const size_t index = alteration.draft.FindColumn(action.name, action.position);
  DropTriggersOf(alteration, action);
  // Generated columns cannot use each other, so one pass is enough.
  std::vector<std::string> dependents;
  for (const ColumnDefinition& column : alteration.draft.columns) {
    if (!alteration.Uses(column.generated_text, Clause::kGenerated, index)) continue;
    // As in PostgreSQL, indexes go with the columns that they are over.
    if (!action.cascade && !column.is_hidden()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDependentObjects,
                 fmt::format("cannot drop column \"{}\" because generated column \"{}\" depends on it; use "
                             "CASCADE to drop that too",
                             action.name, column.name),
                 action.position);
    }
    dependents.push_back(column.name);
  }
  // Removed only now: each removal moves the columns behind it, and `index` with them.
  for (const std::string& name : dependents) alteration.RemoveColumn(name);
  alteration.RemoveColumn(action.name);
  alteration.result->cascade = alteration.result->cascade || action.cascade;
  alteration.result->rewrites = true;
  if (std::all_of(alteration.draft.columns.begin(), alteration.draft.columns.end(),
                  [](const ColumnDefinition& column) { return column.is_hidden(); }))
    ThrowNotSupported("a table must have at least one column", action.position);
}

void SetDefault(TableAlteration& alteration, const ast::AlterAction& action) {
  ColumnDefinition& column = alteration.Column(action);
  if (column.identity != IdentityKind::kNone || IsGenerated(column)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("column \"{}\" of table \"{}\" is {}", column.name, alteration.draft.name,
                           IsGenerated(column) ? "a generated column" : "an identity column"),
               action.position);
  }
  column.default_text = action.kind == ast::AlterAction::Kind::kSetDefault
                            ? WithSchemasOfPath(alteration.session().context(), action.expression_text)
                            : "";
  const size_t position = action.expression ? action.expression->position : action.position;
  alteration.draft.CheckDefault(column, position);
  alteration.draft.CheckSequencesOf(column, position);
}

void DropNotNull(TableAlteration& alteration, const ast::AlterAction& action) {
  ColumnDefinition& column = alteration.Column(action);
  for (const UniqueConstraint& unique : alteration.draft.constraints.uniques) {
    if (unique.is_primary && HasName(unique.columns, column.name))
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidTableDefinition,
                 fmt::format("column \"{}\" is in a primary key", column.name), action.position);
  }
  if (column.identity != IdentityKind::kNone)
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("column \"{}\" is an identity column", column.name), action.position);
  column.not_null = false;
  alteration.AllowNull(column.name);
}

/// Refuses a new type for a column of a foreign key, because both sides must have the same type.
void RefuseReferences(TableAlteration& alteration, const ast::AlterAction& action, const LogicalType& type) {
  const BinderContext& context = alteration.session().context();
  if (alteration.draft.columns[alteration.draft.FindColumn(action.name, action.position)].type == type)
    return;
  const auto refuse = [&](const std::string& key) {
    ThrowNotSupported(
        fmt::format("cannot alter the type of column \"{}\", which foreign key \"{}\" uses; drop "
                    "the foreign key first",
                    action.name, key),
        action.position);
  };
  for (const ForeignKey& key : alteration.draft.constraints.foreign_keys) {
    if (HasName(key.columns, action.name)) refuse(key.name);
  }
  for (const auto& reference :
       ReferencesTo(context.catalog, context.transaction, *alteration.result->table)) {
    if (HasName(reference.key().referenced_columns, action.name)) refuse(reference.key().name);
  }
}

/// Refuses another collation for a column whose texts an index or a key compares by the old one.
void RefuseKeys(TableAlteration& alteration, const ast::AlterAction& action) {
  const BinderContext& context = alteration.session().context();
  const auto refuse = [&](const char* what, const std::string& name) {
    ThrowNotSupported(fmt::format("cannot alter the collation of column \"{}\", which {} \"{}\" uses; drop "
                                  "that first, and make it again afterwards",
                                  action.name, what, name),
                      action.position);
  };
  for (const UniqueConstraint& unique : alteration.draft.constraints.uniques) {
    if (HasName(unique.columns, action.name)) refuse("constraint", unique.name);
  }
  for (const ForeignKey& key : alteration.draft.constraints.foreign_keys) {
    if (HasName(key.columns, action.name)) refuse("foreign key", key.name);
  }
  const size_t column = alteration.draft.FindColumn(action.name, action.position);
  const TableEntry& table = *alteration.result->table;
  for (const IndexEntryRef& index : IndexesOf(context.catalog, context.transaction, table)) {
    if (index->is_of_constraint || index->kind == IndexKind::kText) continue;
    for (const std::string& name : index->columns) {
      const auto hidden = table.FindColumn(name);
      if (name == action.name ||
          (hidden && alteration.Uses(table.columns[*hidden].generated_text, Clause::kGenerated, column)))
        refuse("index", index->name);
    }
  }
}

/// Returns the USING expression, bound over the old columns; without USING, the old value converted by an
/// assignment cast.
ExpressionPtr ConvertedValue(TableAlteration& alteration, const ast::AlterAction& action, size_t index,
                             const LogicalType& type) {
  if (!action.expression) {
    ExpressionPtr value = alteration.origins[index].value->Clone();
    value->position = action.position;
    try {
      return CoerceForAssignment(alteration.session(), std::move(value), type, action.name);
    } catch (const Error& error) {
      throw Error(error.kind(), error.sqlstate(),
                  fmt::format("column \"{}\" cannot be cast automatically to type {}; say how with USING",
                              action.name, type.ToString()),
                  action.position);
    }
  }
  const TableEntry& table = *alteration.result->table;
  const Scope scope =
      ScopeOfColumns(alteration.session(), table.schema, table.name, table.columns, alteration.old_index());
  QueryLevel level;
  level.scope = &scope;
  ExpressionBinder binder(alteration.session(), level, Clause::kAlterType);
  return CoerceForAssignment(alteration.session(), binder.Bind(*action.expression), type, action.name);
}

/// Returns the hidden columns whose values use a column.
std::vector<size_t> HiddenOver(const TableAlteration& alteration, size_t column) {
  std::vector<size_t> hidden;
  for (size_t i = 0; i < alteration.draft.columns.size(); i++) {
    const ColumnDefinition& other = alteration.draft.columns[i];
    if (other.is_hidden() && alteration.Uses(other.generated_text, Clause::kGenerated, column))
      hidden.push_back(i);
  }
  return hidden;
}

/// Gives a hidden column the type that its expression has now, and new values.
void Recompute(TableAlteration& alteration, size_t index) {
  ColumnDefinition& hidden = alteration.draft.columns[index];
  hidden.type = BindTableText(alteration.session().context(), alteration.draft.AsEntry(), 0, hidden.key_text,
                              Clause::kIndexExpression, TypeId::kNull)
                    ->type();
  alteration.origins[index].old.reset();
}

void SetType(TableAlteration& alteration, const ast::AlterAction& action) {
  const size_t index = alteration.draft.FindColumn(action.name, action.position);
  const ColumnType column_type = BindColumnType(alteration.session(), action.type);
  const LogicalType& type = column_type.type;
  const std::string collation = action.collation
                                    ? StoredCollation(alteration.session(), *action.collation, type)
                                    : column_type.collation;
  if (collation != alteration.draft.columns[index].collation) RefuseKeys(alteration, action);
  const std::vector<size_t> hidden = HiddenOver(alteration, index);
  for (const ColumnDefinition& other : alteration.draft.columns) {
    if (other.is_hidden() || !alteration.Uses(other.generated_text, Clause::kGenerated, index)) continue;
    ThrowNotSupported(
        fmt::format("cannot alter the type of column \"{}\", which generated column \"{}\" uses", action.name,
                    other.name),
        action.position);
  }
  if (IsGenerated(alteration.draft.columns[index]))
    ThrowNotSupported("cannot alter the type of a generated column", action.position);
  if (!alteration.origins[index].old)
    ThrowNotSupported("cannot alter the type of a column that the same statement adds", action.position);
  RefuseReferences(alteration, action, type);
  alteration.origins[index].value = ConvertedValue(alteration, action, index, type);
  alteration.draft.columns[index].type = type;
  alteration.draft.columns[index].domain = column_type.domain;
  alteration.draft.columns[index].collation = collation;
  alteration.RecheckDomain(alteration.draft.columns[index]);
  alteration.draft.CheckDefault(alteration.draft.columns[index], action.position);
  for (const size_t column : hidden) Recompute(alteration, column);
  alteration.result->rewrites = true;
  for (const CheckConstraint& check : alteration.draft.constraints.checks) {
    if (check.is_validated && alteration.Uses(check.text, Clause::kCheck, index))
      alteration.Recheck(check.name);
  }
}

void DropExpression(TableAlteration& alteration, const ast::AlterAction& action) {
  ColumnDefinition& column = alteration.Column(action);
  if (!IsGenerated(column) && !action.if_exists) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               fmt::format("column \"{}\" of table \"{}\" is not a stored generated column", column.name,
                           alteration.draft.name),
               action.position);
  }
  column.generated_text.clear();
}

void AddIdentity(TableAlteration& alteration, const ast::AlterAction& action) {
  ColumnDefinition& column = alteration.Column(action);
  if (!column.not_null || !column.default_text.empty() || IsGenerated(column) ||
      column.identity != IdentityKind::kNone) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               fmt::format("column \"{}\" must be NOT NULL and without a default, generation expression or "
                           "identity before identity can be added",
                           column.name),
               action.position);
  }
  alteration.draft.AddIdentity(column, action.column->identity, action.column->identity_options,
                               action.position);
}

void DropIdentity(TableAlteration& alteration, const ast::AlterAction& action) {
  ColumnDefinition& column = alteration.Column(action);
  if (column.identity == IdentityKind::kNone) {
    if (action.if_exists) return;
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               fmt::format("column \"{}\" of table \"{}\" is not an identity column", column.name,
                           alteration.draft.name),
               action.position);
  }
  column.identity = IdentityKind::kNone;
  column.default_text.clear();
  const BinderContext& context = alteration.session().context();
  for (auto& sequence : SequencesOf(context.catalog, context.transaction, *alteration.result->table)) {
    if (sequence->owner_column == column.name)
      alteration.result->dropped_sequences.push_back(std::move(sequence));
  }
}

}  // namespace

void AlterColumn(TableAlteration& alteration, const ast::AlterAction& action) {
  using Kind = ast::AlterAction::Kind;
  switch (action.kind) {
    case Kind::kAddColumn: return AddColumn(alteration, action);
    case Kind::kDropColumn: return DropColumn(alteration, action);
    case Kind::kSetDefault:
    case Kind::kDropDefault: return SetDefault(alteration, action);
    case Kind::kSetNotNull:
      alteration.Column(action).not_null = true;
      return alteration.RequireNotNull(action.name);
    case Kind::kDropNotNull: return DropNotNull(alteration, action);
    case Kind::kSetType: return SetType(alteration, action);
    case Kind::kDropExpression: return DropExpression(alteration, action);
    case Kind::kAddIdentity: return AddIdentity(alteration, action);
    case Kind::kDropIdentity: return DropIdentity(alteration, action);
    case Kind::kAddConstraint:
    case Kind::kDropConstraint:
    case Kind::kValidateConstraint:
    case Kind::kAlterConstraint:
    case Kind::kRenameColumn:
    case Kind::kRenameConstraint:
    case Kind::kRenameTable:
    case Kind::kSetSchema:
    case Kind::kSetTriggerMode: break;
  }
  ThrowInternal("not an action on a column");
}

}  // namespace scaup
