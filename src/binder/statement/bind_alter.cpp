// Binds ALTER TABLE: applies the actions in order to a draft of the new definition.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/renaming.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "binder/statement/table_alteration.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

using Kind = ast::AlterAction::Kind;

void CheckConstraintExists(const TableAlteration& alteration, const ast::AlterAction& action) {
  if (alteration.draft.constraints.HasName(action.name)) return;
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedObject,
      fmt::format("constraint \"{}\" of table \"{}\" does not exist", action.name, alteration.draft.name),
      action.position);
}

void DropConstraint(TableAlteration& alteration, const ast::AlterAction& action) {
  if (action.if_exists && !alteration.draft.constraints.HasName(action.name)) return;
  CheckConstraintExists(alteration, action);
  const auto is_named = [&](const auto& constraint) { return constraint.name == action.name; };
  std::erase_if(alteration.draft.constraints.checks, is_named);
  std::erase_if(alteration.draft.constraints.uniques, is_named);
  std::erase_if(alteration.draft.constraints.foreign_keys, is_named);
  // The index of a key goes with it, and with the index the collation keys that it alone is over.
  const auto& columns = alteration.draft.columns;
  const bool has_keys = std::any_of(columns.begin(), columns.end(), [&](const ColumnDefinition& column) {
    return ColumnOfKey(columns, column) != nullptr;
  });
  if (has_keys) alteration.RemoveUnusedHidden({action.name});
  alteration.result->cascade = alteration.result->cascade || action.cascade;
}

/// Makes a foreign key deferrable or not.
void AlterConstraint(TableAlteration& alteration, const ast::AlterAction& action) {
  CheckConstraintExists(alteration, action);
  for (ForeignKey& key : alteration.draft.constraints.foreign_keys) {
    if (key.name != action.name) continue;
    key.deferral = {action.constraints[0].deferrable, action.constraints[0].initially_deferred};
    return;
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
             fmt::format("constraint \"{}\" of table \"{}\" is not a foreign key constraint", action.name,
                         alteration.draft.name),
             action.position);
}

void RenameConstraint(TableAlteration& alteration, const ast::AlterAction& action) {
  CheckConstraintExists(alteration, action);
  if (alteration.draft.constraints.HasName(action.new_name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("constraint \"{}\" for table \"{}\" already exists", action.new_name,
                           alteration.draft.name),
               action.position);
  }
  const auto rename = [&](auto& constraints) {
    for (auto& constraint : constraints) {
      if (constraint.name == action.name) constraint.name = action.new_name;
    }
  };
  for (const UniqueConstraint& unique : alteration.draft.constraints.uniques) {
    if (unique.name == action.name) alteration.draft.ClaimRelationName(action.new_name, action.position);
  }
  rename(alteration.draft.constraints.checks);
  rename(alteration.draft.constraints.uniques);
  rename(alteration.draft.constraints.foreign_keys);
}

/// Applies a change to the texts that the values of a column are computed from. A hidden column has a name
/// made of its texts, which its indexes follow.
template <typename Change>
void ChangeTexts(TableAlteration& alteration, ColumnDefinition& column, const Change& change) {
  if (!column.is_hidden()) {
    column.generated_text = change(column.generated_text);
    return;
  }
  const std::string old_name = column.name;
  column.key_text = change(column.key_text);
  column.condition_text = change(column.condition_text);
  CompleteHidden(column, alteration.draft.columns);
  if (column.name != old_name) alteration.result->renamed_columns.emplace_back(old_name, column.name);
}

void RenameColumn(TableAlteration& alteration, const ast::AlterAction& action) {
  const size_t index = alteration.draft.FindColumn(action.name, action.position);
  for (const ColumnDefinition& other : alteration.draft.columns) {
    if (other.name != action.new_name) continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kDuplicateColumn,
        fmt::format("column \"{}\" of table \"{}\" already exists", action.new_name, alteration.draft.name),
        action.position);
  }
  alteration.draft.columns[index].name = action.new_name;
  const auto rename = [&](std::vector<std::string>& names) {
    std::replace(names.begin(), names.end(), action.name, action.new_name);
  };
  for (UniqueConstraint& unique : alteration.draft.constraints.uniques) rename(unique.columns);
  for (ForeignKey& key : alteration.draft.constraints.foreign_keys) {
    rename(key.columns);
    if (key.referenced_schema == alteration.draft.schema && key.referenced_table == alteration.draft.name)
      rename(key.referenced_columns);
  }
  for (CheckConstraint& check : alteration.draft.constraints.checks)
    check.text = RenameColumnInText(check.text, action.name, action.new_name);
  for (TriggerDefinition& trigger : alteration.draft.constraints.triggers) {
    rename(trigger.update_columns);
    trigger.condition = RenameColumnInText(trigger.condition, action.name, action.new_name);
  }
  for (ColumnDefinition& column : alteration.draft.columns)
    ChangeTexts(alteration, column, [&](const std::string& text) {
      return RenameColumnInText(text, action.name, action.new_name);
    });
  if (alteration.origins[index].old)
    alteration.result->renamed_columns.emplace_back(
        alteration.result->table->columns[*alteration.origins[index].old].name, action.new_name);
}

void MoveTable(TableAlteration& alteration, const std::string& schema, const std::string& name,
               size_t position) {
  const std::string old_schema = alteration.draft.schema, old_name = alteration.draft.name;
  alteration.draft.schema = schema;
  alteration.draft.name = name;
  alteration.draft.ClaimRelationName(name, position);
  for (ForeignKey& key : alteration.draft.constraints.foreign_keys) {
    if (key.referenced_schema != old_schema || key.referenced_table != old_name) continue;
    key.referenced_schema = schema;
    key.referenced_table = name;
  }
  for (CheckConstraint& check : alteration.draft.constraints.checks)
    check.text = RenameTableInText(check.text, old_name, name);
  for (ColumnDefinition& column : alteration.draft.columns)
    ChangeTexts(alteration, column,
                [&](const std::string& text) { return RenameTableInText(text, old_name, name); });
}

/// Gives the defaults of a table the names that its sequences will have, which move with it.
void MoveOwnedSequences(TableAlteration& alteration, const ast::AlterAction& action) {
  const BinderContext& context = alteration.session().context();
  const TableEntry& table = *alteration.result->table;
  if (!alteration.draft.sequences.empty())
    ThrowNotSupported("SET SCHEMA beside a new column with a sequence is not supported", action.position);
  for (const SequenceEntryRef& sequence : SequencesOf(context.catalog, context.transaction, table)) {
    for (ColumnDefinition& column : alteration.draft.columns)
      column.default_text = WithMovedSequence(column.default_text, *sequence, action.new_name);
    for (const BrokenText& text : FindTextsNaming(context, {{sequence->schema, sequence->name}})) {
      if (text.table && text.table->storage == table.storage) continue;
      ThrowNotSupported(fmt::format("cannot move sequence \"{}\" with table \"{}\": {} names it",
                                    sequence->name, table.name, text.Describe()),
                        action.position);
    }
  }
}

void SetSchema(TableAlteration& alteration, const ast::AlterAction& action) {
  const BinderContext& context = alteration.session().context();
  if (!context.catalog.FindSchema(context.transaction, action.new_name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", action.new_name), action.position);
  }
  if (action.new_name == alteration.draft.schema) return;
  if (IsTemporarySchema(action.new_name) || IsTemporarySchema(alteration.draft.schema))
    ThrowNotSupported("cannot move tables into or out of the schema of temporary tables", action.position);
  MoveOwnedSequences(alteration, action);
  MoveTable(alteration, action.new_name, alteration.draft.name, action.position);
}

/// Enables or disables a trigger, or all.
void SetTriggerMode(TableAlteration& alteration, const ast::AlterAction& action) {
  bool is_found = action.name.empty();
  for (TriggerDefinition& trigger : alteration.draft.constraints.triggers) {
    if (!action.name.empty() && trigger.name != action.name) continue;
    is_found = true;
    trigger.mode = static_cast<TriggerMode>(action.trigger_mode);
  }
  if (is_found) return;
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedObject,
      fmt::format("trigger \"{}\" for table \"{}\" does not exist", action.name, alteration.draft.name),
      action.position);
}

void Apply(TableAlteration& alteration, const ast::AlterAction& action) {
  switch (action.kind) {
    case Kind::kAddColumn:
    case Kind::kDropColumn:
    case Kind::kSetDefault:
    case Kind::kDropDefault:
    case Kind::kSetNotNull:
    case Kind::kDropNotNull:
    case Kind::kSetType:
    case Kind::kDropExpression:
    case Kind::kAddIdentity:
    case Kind::kDropIdentity: return AlterColumn(alteration, action);
    case Kind::kAddConstraint: return alteration.AddConstraint(action.constraints[0]);
    case Kind::kDropConstraint: return DropConstraint(alteration, action);
    case Kind::kValidateConstraint:
      CheckConstraintExists(alteration, action);
      return alteration.Validate(action);
    case Kind::kAlterConstraint: return AlterConstraint(alteration, action);
    case Kind::kRenameColumn: return RenameColumn(alteration, action);
    case Kind::kRenameConstraint: return RenameConstraint(alteration, action);
    case Kind::kRenameTable:
      return MoveTable(alteration, alteration.draft.schema, action.new_name, action.position);
    case Kind::kSetSchema: return SetSchema(alteration, action);
    case Kind::kSetTriggerMode: return SetTriggerMode(alteration, action);
  }
}

/// Refuses SET SCHEMA for element tables, and for collections that have some: an element table is always in
/// the schema of its collection.
void CheckMayMove(const BinderContext& context, const TableEntry& table, size_t position) {
  if (table.is_element_table()) {
    ThrowNotSupported(fmt::format("element table \"{}\" stands in the schema of its collection", table.name),
                      position);
  }
  if (ElementTablesOf(context.catalog, context.transaction, table).empty()) return;
  ThrowNotSupported(
      fmt::format("collection \"{}\" would leave its element tables behind; drop them first, and "
                  "make them again",
                  table.name),
      position);
}

/// Refuses actions other than renaming and SET SCHEMA: everything else about a collection is determined by
/// its documents.
void CheckActionsOfCollection(const BinderContext& context, const TableEntry& table,
                              const std::vector<ast::AlterAction>& actions) {
  for (const ast::AlterAction& action : actions) {
    if (action.kind == Kind::kSetSchema) CheckMayMove(context, table, action.position);
    if (action.kind == Kind::kRenameTable || action.kind == Kind::kSetSchema) continue;
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}: its documents need no ALTER TABLE; only RENAME TO and SET "
                           "SCHEMA are for collections, too",
                           table.name, KindWithArticle(table)),
               action.position);
  }
}

/// Returns the statement that ALTER TABLE ... RENAME means for a view, a sequence or an index, as in
/// PostgreSQL; none for tables and for other actions.
std::optional<ast::RenameStatement> RenamingOfOther(const BinderContext& context,
                                                    const ast::AlterTableStatement& statement) {
  if (statement.actions.size() != 1) return std::nullopt;
  const ast::AlterAction& action = statement.actions[0];
  if (action.kind != Kind::kRenameTable && action.kind != Kind::kRenameColumn) return std::nullopt;
  const CatalogEntryRef entry =
      context.catalog.FindRelation(context.transaction, statement.table.schema, statement.table.name);
  if (!entry) return std::nullopt;
  const bool renames_column = action.kind == Kind::kRenameColumn;
  ast::RenameStatement rename;
  switch (entry->kind) {
    case CatalogEntryKind::kView: rename.object = ast::RenameStatement::Object::kView; break;
    case CatalogEntryKind::kSequence: rename.object = ast::RenameStatement::Object::kSequence; break;
    case CatalogEntryKind::kIndex: rename.object = ast::RenameStatement::Object::kIndex; break;
    default: return std::nullopt;
  }
  if (renames_column && entry->kind != CatalogEntryKind::kView) return std::nullopt;
  rename.from = statement.table;
  if (renames_column) rename.column = action.name;
  rename.to = action.new_name;
  return rename;
}

}  // namespace

/// Refuses all but another name.
static void CheckActionsOfMaterialized(const TableEntry& table, const ast::AlterTableStatement& statement) {
  for (const ast::AlterAction& action : statement.actions) {
    if (action.kind == Kind::kRenameTable) continue;
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kWrongObjectType,
        fmt::format("\"{}\" is a materialized view, which can only be renamed; drop it and make it again",
                    table.name),
        statement.table.position);
  }
}

BoundStatementPtr BindAlterTable(BindSession& session, const ast::AlterTableStatement& statement) {
  const BinderContext& context = session.context();
  if (const auto rename = RenamingOfOther(context, statement)) return BindRename(session, *rename);
  if (statement.if_exists &&
      !context.catalog.Find<TableEntry>(context.transaction, statement.table.schema, statement.table.name)) {
    return std::make_unique<BoundAlterTable>();
  }
  TableEntryRef table = FindTableOrThrow(session, statement.table);
  if (table->is_materialized()) CheckActionsOfMaterialized(*table, statement);
  if (table->is_collection()) CheckActionsOfCollection(context, *table, statement.actions);
  TableAlteration alteration(session, std::move(table), statement.table.position);
  for (const ast::AlterAction& action : statement.actions) Apply(alteration, action);
  return alteration.Finish();
}

}  // namespace scaup
