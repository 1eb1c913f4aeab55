// BEFORE ROW triggers: their functions become a part of the query whose rows are written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/trigger_names.hpp"
#include "catalog/function_entry.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// A row as a BEFORE ROW trigger makes it.
struct BoundRowTrigger {
  /// By column of the table: the new value; null if the trigger leaves it as it is.
  std::vector<ExpressionPtr> values;
  ExpressionPtr condition;  ///< rows of which it is not TRUE are skipped; null if there is none
};

/// Returns the function of a trigger. Throws Error(kCatalog, 42883) if it does not exist.
FunctionEntryRef FunctionOf(const BinderContext& context, const TriggerDefinition& trigger);
/// Returns the BEFORE ROW triggers that fire for an event, in their order. `set_columns` are those that an
/// UPDATE sets; not used for other events.
std::vector<TriggerDefinition> BeforeTriggersOf(const TableEntry& table, uint8_t event,
                                                const std::vector<size_t>& set_columns = {});
/// Binds the function of a BEFORE ROW trigger over the rows {old_index, i} and {new_index, i}. Throws
/// Error(kNotSupported, 0A000) unless it is one SELECT without FROM.
BoundRowTrigger BindRowTrigger(BindSession& session, const TriggerNames& names, size_t old_index,
                               size_t new_index);
/// Makes the triggers of an INSERT a part of its source. Called when its values are known, but for generated
/// columns.
void ApplyInsertTriggers(BindSession& session, BoundInsert& insert);
/// A row that ON CONFLICT or a clause of MERGE writes, as expressions by column of the table.
struct WrittenValues {
  std::vector<ExpressionPtr> old_row;  ///< null where the event has no such row
  std::vector<ExpressionPtr> new_row;
  std::vector<bool> is_changed = {};  ///< by triggers
  ExpressionPtr condition = {};       ///< rows of which it is not TRUE are skipped; null if there is none
};
/// Makes the triggers of an event a part of the values. Throws Error(kNotSupported, 0A000) for triggers with
/// subqueries, and for those that would compute a volatile value twice: `statement` cannot run these.
void ApplyRowTriggers(BindSession& session, const TableEntry& table, uint8_t event,
                      const std::vector<size_t>& set_columns, const char* statement, WrittenValues& row);
/// Makes the triggers a part of what a clause of MERGE writes: `values` by column, null for those that it
/// does not set. `old_value` refers to a column of the row before. Notes which columns an UPDATE sets.
/// Returns the condition of rows that no trigger skips; null if there is none.
ExpressionPtr ApplyClauseTriggers(BindSession& session, const TableEntry& table, BoundMergeClause& clause,
                                  std::vector<ExpressionPtr>& values,
                                  const std::function<ExpressionPtr(size_t)>& old_value);
/// Returns the number of a clause, or NULL where the condition of that clause does not hold.
ExpressionPtr ClauseWithConditions(ExpressionPtr clause, std::vector<ExpressionPtr> conditions);

}  // namespace scaup
