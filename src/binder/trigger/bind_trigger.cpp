// Binds CREATE, DROP and ALTER TRIGGER: changes of a table's definition.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/trigger_names.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/table_alteration.hpp"
#include "binder/write/before_triggers.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

namespace {

using TriggerSyntax = ast::TriggerStatement;

[[noreturn]] void ThrowTriggerDefinition(const std::string& message, const TriggerSyntax& statement) {
  ThrowError(ErrorKind::kBinder, "42P17", message, statement.name_position);
}

/// Throws for what has no triggers.
void RequirePlainTable(const BindSession& session, const TableEntry& table, const TriggerSyntax& statement) {
  RequireNoElementTable(session, table, statement.table.position);
  RequireNotMaterialized(table, statement.table.position);
  if (!table.is_collection()) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
             fmt::format("\"{}\" is a collection: triggers are for tables", table.name),
             statement.table.position);
}

/// Returns the function that a trigger names.
FunctionEntryRef FindTriggerFunction(const BindSession& session, const TableEntry& table,
                                     const TriggerSyntax& statement) {
  const ast::NamedTable& name = statement.function;
  const BinderContext& context = session.context();
  for (const FunctionEntryRef& function :
       FunctionsNamed(context.catalog, context.transaction, name.schema, name.name)) {
    if (!function->inputs().empty()) continue;
    if (!function->is_trigger()) {
      ThrowTriggerDefinition(fmt::format("function {} must return type trigger", function->signature()),
                             statement);
    }
    if (IsTemporarySchema(function->schema) && !IsTemporarySchema(table.schema)) {
      ThrowTriggerDefinition(
          fmt::format("function {} is temporary, so only temporary tables can have triggers that call it",
                      function->signature()),
          statement);
    }
    return function;
  }
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedFunction,
             fmt::format("function {}() does not exist: CREATE FUNCTION {}() RETURNS trigger LANGUAGE SQL",
                         name.name, name.name),
             name.position);
}

void CheckTransitions(const TriggerSyntax& statement) {
  if (statement.old_table.empty() && statement.new_table.empty()) return;
  if (statement.is_before)
    ThrowTriggerDefinition("transition table name can only be specified for an AFTER trigger", statement);
  const int events = statement.on_insert + statement.on_update + statement.on_delete;
  if (events > 1) {
    ThrowNotSupported("transition tables cannot be specified for triggers with more than one event",
                      statement.name_position);
  }
  if (!statement.update_columns.empty()) {
    ThrowNotSupported("transition tables cannot be specified for triggers with column lists",
                      statement.name_position);
  }
  if (!statement.old_table.empty() && statement.on_insert)
    ThrowTriggerDefinition("OLD TABLE can only be specified for a DELETE or UPDATE trigger", statement);
  if (!statement.new_table.empty() && statement.on_delete)
    ThrowTriggerDefinition("NEW TABLE can only be specified for an INSERT or UPDATE trigger", statement);
  if (statement.old_table == statement.new_table)
    ThrowTriggerDefinition("OLD TABLE name and NEW TABLE name cannot be the same", statement);
}

/// Makes the definition that the syntax means.
TriggerDefinition DefinitionOf(const BindSession& session, const TableEntry& table,
                               const TriggerSyntax& statement) {
  CheckTransitions(statement);
  TriggerDefinition trigger;
  trigger.name = statement.name;
  trigger.timing = statement.is_before ? TriggerTiming::kBefore : TriggerTiming::kAfter;
  trigger.events =
      static_cast<uint8_t>((statement.on_insert ? kOnInsert : 0) | (statement.on_update ? kOnUpdate : 0) |
                           (statement.on_delete ? kOnDelete : 0));
  if (!statement.update_columns.empty()) {
    for (const size_t column :
         ResolveTableColumns(table, statement.update_columns, {}, statement.name_position))
      trigger.update_columns.push_back(table.columns[column].name);
  }
  trigger.is_for_each_row = statement.is_for_each_row;
  trigger.old_table = statement.old_table;
  trigger.new_table = statement.new_table;
  trigger.condition = WithSchemasOfPath(session.context(), WithWholeRows(statement.condition));
  const FunctionEntryRef function = FindTriggerFunction(session, table, statement);
  trigger.function_schema = function->schema;
  trigger.function = function->name;
  trigger.arguments = statement.arguments;
  return trigger;
}

/// Binds WHEN to find its errors.
void CheckCondition(BindSession& session, const TableEntryRef& table, const TriggerDefinition& trigger,
                    const TriggerSyntax& statement) {
  if (statement.condition.empty()) return;
  const size_t old_index = session.NewTableIndex(), new_index = session.NewTableIndex();
  // Both rows are there for an UPDATE.
  const Scope scope = ScopeOfTriggerRows(session, {table, trigger, kOnUpdate}, old_index, new_index);
  QueryLevel level;
  level.scope = &scope;
  const auto syntax =
      Parser().ParseExpression(WithWholeRows(statement.condition), statement.condition_position);
  const ExpressionPtr bound = ExpressionBinder(session, level, Clause::kWhere).BindBoolean(*syntax, "WHEN");
  if (HasSubquery(*bound))
    ThrowNotSupported("cannot use subquery in trigger WHEN condition", statement.condition_position);
  const auto uses = [&](size_t index) {
    const std::vector<bool> columns = ColumnsOf(*bound, index, table->columns.size());
    return std::find(columns.begin(), columns.end(), true) != columns.end();
  };
  if (!trigger.is_for_each_row && (uses(old_index) || uses(new_index)))
    ThrowTriggerDefinition("statement trigger's WHEN condition cannot reference column values", statement);
  if (statement.on_insert && uses(old_index))
    ThrowTriggerDefinition("INSERT trigger's WHEN condition cannot reference OLD values", statement);
  if (statement.on_delete && uses(new_index))
    ThrowTriggerDefinition("DELETE trigger's WHEN condition cannot reference NEW values", statement);
}

/// Binds the function for each event, to find its errors. Those of an AFTER trigger's may be mended before it
/// fires, by making the tables that it names.
void CheckFunction(BindSession& session, const TableEntryRef& table, const TriggerDefinition& trigger) {
  if (trigger.timing != TriggerTiming::kBefore || !trigger.is_for_each_row ||
      !session.context().checks_bodies)
    return;
  for (const uint8_t event : {kOnInsert, kOnUpdate, kOnDelete}) {
    if ((trigger.events & event) != 0)
      BindRowTrigger(session, {table, trigger, event}, session.NewTableIndex(), session.NewTableIndex());
  }
}

using Triggers = std::vector<TriggerDefinition>;

Triggers::iterator FindTrigger(Triggers& triggers, const std::string& name) {
  return std::ranges::find(triggers, name, &TriggerDefinition::name);
}

[[noreturn]] void ThrowExists(const std::string& name, const TriggerSyntax& statement) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("trigger \"{}\" for table \"{}\" already exists", name, statement.table.name),
             statement.name_position);
}

Triggers::iterator FindTriggerOrThrow(Triggers& triggers, const TriggerSyntax& statement) {
  const auto found = FindTrigger(triggers, statement.name);
  if (found != triggers.end()) return found;
  ThrowError(
      ErrorKind::kCatalog, sqlstate::kUndefinedObject,
      fmt::format("trigger \"{}\" for table \"{}\" does not exist", statement.name, statement.table.name),
      statement.name_position);
}

void CreateTrigger(BindSession& session, const TableEntryRef& table, const TriggerSyntax& statement,
                   Triggers& triggers) {
  TriggerDefinition trigger = DefinitionOf(session, *table, statement);
  CheckCondition(session, table, trigger, statement);
  CheckFunction(session, table, trigger);
  const auto old = FindTrigger(triggers, trigger.name);
  if (old == triggers.end()) {
    triggers.push_back(std::move(trigger));
    return;
  }
  if (!statement.or_replace) ThrowExists(trigger.name, statement);
  trigger.mode = old->mode;
  trigger.comment = old->comment;
  *old = std::move(trigger);
}

void RenameTrigger(const TriggerSyntax& statement, Triggers& triggers) {
  const auto found = FindTriggerOrThrow(triggers, statement);
  if (FindTrigger(triggers, statement.new_name) != triggers.end()) ThrowExists(statement.new_name, statement);
  found->name = statement.new_name;
}

}  // namespace

BoundStatementPtr BindTrigger(BindSession& session, const ast::TriggerStatement& statement) {
  const BinderContext& context = session.context();
  const TableEntryRef found =
      context.catalog.Find<TableEntry>(context.transaction, statement.table.schema, statement.table.name);
  const bool may_be_missing = statement.action == TriggerSyntax::Action::kDrop && statement.if_exists;
  if (may_be_missing && !found) return std::make_unique<BoundAlterTable>();
  const TableEntryRef table = FindTableOrThrow(session, statement.table);
  RequirePlainTable(session, *table, statement);
  TableAlteration alteration(session, table, statement.table.position);
  Triggers& triggers = alteration.draft.constraints.triggers;
  switch (statement.action) {
    case TriggerSyntax::Action::kCreate: CreateTrigger(session, table, statement, triggers); break;
    case TriggerSyntax::Action::kRename: RenameTrigger(statement, triggers); break;
    case TriggerSyntax::Action::kDrop:
      if (may_be_missing && FindTrigger(triggers, statement.name) == triggers.end())
        return std::make_unique<BoundAlterTable>();
      triggers.erase(FindTriggerOrThrow(triggers, statement));
      break;
  }
  std::ranges::sort(triggers, {}, &TriggerDefinition::name);
  return alteration.Finish();
}

}  // namespace scaup
