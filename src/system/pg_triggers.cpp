// The triggers of tables: pg_trigger, information_schema.triggers and triggered_update_columns.
#include <algorithm>

#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

/// The kinds of changes, with PostgreSQL's bits for them.
struct EventOfTrigger {
  const char* name;
  bool TriggerListing::*has;
  int64_t bit;
};
constexpr EventOfTrigger kEvents[] = {{"INSERT", &TriggerListing::on_insert, 4},
                                      {"DELETE", &TriggerListing::on_delete, 8},
                                      {"UPDATE", &TriggerListing::on_update, 16}};

int64_t TriggerTypeOf(const TriggerListing& trigger) {
  int64_t type = (trigger.is_for_each_row ? 1 : 0) | (trigger.is_before ? 2 : 0);
  for (const EventOfTrigger& event : kEvents) type |= trigger.*event.has ? event.bit : 0;
  return type;
}

/// Returns the numbers of the columns of UPDATE OF.
Value NumbersOf(const TableListing& table, const TriggerListing& trigger) {
  std::vector<Value> numbers;
  for (size_t i = 0; i < table.columns.size(); i++) {
    const auto& names = trigger.update_columns;
    if (std::find(names.begin(), names.end(), table.columns[i].name) != names.end())
      numbers.push_back(Value::SmallInt(static_cast<int16_t>(i + 1)));
  }
  return Value::List(TypeId::kSmallInt, numbers);
}

ListingRows TriggerRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    for (const TriggerListing& trigger : table.triggers) {
      std::string arguments;
      for (const std::string& argument : trigger.arguments) arguments += argument + "\\000";
      rows.Add({{"oid",
                 Value::BigInt(objects.Oid(PgObjectKind::kTrigger, table.schema, trigger.name, table.name))},
                {"tgrelid", Value::BigInt(objects.Oid(PgObjectKind::kTable, table.schema, table.name))},
                {"tgparentid", Value::BigInt(0)},
                {"tgname", TextValue(trigger.name)},
                {"tgfoid", Value::BigInt(objects.Oid(PgObjectKind::kFunction, trigger.function_schema,
                                                     trigger.function + "()"))},
                {"tgtype", Value::SmallInt(static_cast<int16_t>(TriggerTypeOf(trigger)))},
                {"tgenabled", TextValue(std::string(1, trigger.mode))},
                {"tgisinternal", Value::Boolean(false)},
                {"tgconstrrelid", Value::BigInt(0)},
                {"tgconstrindid", Value::BigInt(0)},
                {"tgconstraint", Value::BigInt(0)},
                {"tgdeferrable", Value::Boolean(false)},
                {"tginitdeferred", Value::Boolean(false)},
                {"tgnargs", Value::SmallInt(static_cast<int16_t>(trigger.arguments.size()))},
                {"tgattr", NumbersOf(table, trigger)},
                {"tgargs", TextValue(arguments)},
                {"tgqual", TextOrNull(trigger.condition)},
                {"tgoldtable", TextOrNull(trigger.old_table)},
                {"tgnewtable", TextOrNull(trigger.new_table)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kPgTrigger = {
    "pg_catalog.pg_trigger",
    "oid:oid tgrelid:oid tgparentid:oid tgname tgfoid:oid tgtype:smallint tgenabled tgisinternal:bool "
    "tgconstrrelid:oid tgconstrindid:oid tgconstraint:oid tgdeferrable:bool tginitdeferred:bool "
    "tgnargs:smallint tgattr:smallint[] tgargs tgqual tgoldtable tgnewtable",
    TriggerRows, "Triggers."};

/// Returns the place of a trigger among those that fire for the same event, time and level, from 1.
int64_t OrderOf(const TableListing& table, const TriggerListing& trigger, const EventOfTrigger& event) {
  int64_t order = 0;
  for (const TriggerListing& other : table.triggers) {
    if (other.*event.has && other.is_before == trigger.is_before &&
        other.is_for_each_row == trigger.is_for_each_row)
      order++;
    if (&other == &trigger) break;
  }
  return order;
}

ListingRows StandardRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  for (const TableListing& table : context.listing.Tables()) {
    for (const TriggerListing& trigger : table.triggers) {
      for (const EventOfTrigger& event : kEvents) {
        if (!(trigger.*event.has)) continue;
        rows.Add({{"trigger_catalog", TextValue(database)},
                  {"trigger_schema", TextValue(table.schema)},
                  {"trigger_name", TextValue(trigger.name)},
                  {"event_manipulation", TextValue(event.name)},
                  {"event_object_catalog", TextValue(database)},
                  {"event_object_schema", TextValue(table.schema)},
                  {"event_object_table", TextValue(table.name)},
                  {"action_order", IntValue(OrderOf(table, trigger, event))},
                  {"action_condition", TextOrNull(trigger.condition)},
                  {"action_statement", TextValue(trigger.action)},
                  {"action_orientation", TextValue(trigger.is_for_each_row ? "ROW" : "STATEMENT")},
                  {"action_timing", TextValue(trigger.is_before ? "BEFORE" : "AFTER")},
                  {"action_reference_old_table", TextOrNull(trigger.old_table)},
                  {"action_reference_new_table", TextOrNull(trigger.new_table)}});
      }
    }
  }
  return rows.Take();
}

constexpr SystemRelation kTriggers = {
    "information_schema.triggers",
    "trigger_catalog trigger_schema trigger_name event_manipulation event_object_catalog "
    "event_object_schema event_object_table action_order:int action_condition action_statement "
    "action_orientation action_timing action_reference_old_table action_reference_new_table "
    "action_reference_old_row action_reference_new_row created:timestamptz",
    StandardRows, "Triggers, a row for each event."};

ListingRows UpdateColumnRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = context.listing.DatabaseSize().name;
  for (const TableListing& table : context.listing.Tables()) {
    for (const TriggerListing& trigger : table.triggers) {
      for (const std::string& column : trigger.update_columns) {
        rows.Add({{"trigger_catalog", TextValue(database)},
                  {"trigger_schema", TextValue(table.schema)},
                  {"trigger_name", TextValue(trigger.name)},
                  {"event_object_catalog", TextValue(database)},
                  {"event_object_schema", TextValue(table.schema)},
                  {"event_object_table", TextValue(table.name)},
                  {"event_object_column", TextValue(column)}});
      }
    }
  }
  return rows.Take();
}

constexpr SystemRelation kUpdateColumns = {
    "information_schema.triggered_update_columns",
    "trigger_catalog trigger_schema trigger_name event_object_catalog event_object_schema "
    "event_object_table event_object_column",
    UpdateColumnRows, "The columns of triggers of UPDATE OF."};

}  // namespace

std::vector<TableFunction> PgTriggerRelations() {
  return {MakeSystemRelation<kPgTrigger>(), MakeSystemRelation<kTriggers>(),
          MakeSystemRelation<kUpdateColumns>()};
}

}  // namespace scaup
