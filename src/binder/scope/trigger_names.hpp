// The names that a statement of a trigger's function may use: OLD, NEW, TG_OP and so on, and the transition
// tables.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "catalog/catalog_entry.hpp"
#include "function/table_function.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// A trigger that fires for one event of its table, with the names that its function sees. A value.
struct TriggerNames {
  /// A relation of the rows that a statement has changed.
  struct Transition {
    std::string name;
    TableFunction function;
    std::shared_ptr<const BoundTableFunction> rows;
  };

  TableEntryRef table;
  TriggerDefinition trigger;
  uint8_t event = kOnInsert;
  /// The transition tables that the trigger names.
  std::vector<Transition> transitions = {};

  /// Whether the rows OLD and NEW are parameters; one that is not is NULL.
  bool has_old() const { return trigger.is_for_each_row && event != kOnInsert; }
  bool has_new() const { return trigger.is_for_each_row && event != kOnDelete; }
  /// The types of the parameters: the columns of OLD, then those of NEW, without hidden ones.
  std::vector<LogicalType> ParameterTypes() const;
};

/// Returns TG_OP, TG_NAME and the like with their values.
std::vector<std::pair<std::string, Value>> TriggerVariables(const TriggerNames& names);
/// Returns the text of a function's body in which TG_ARGV, which begins at 0 as in PostgreSQL, has subscripts
/// that begin at 1.
std::string WithArgumentsFromOne(const std::string& body);
/// Returns the text of a condition that compares OLD with NEW where it was written OLD.* and NEW.*.
std::string WithWholeRows(const std::string& condition);
/// Returns the scope around a statement of the function. OLD and NEW are the parameters of ParameterTypes(),
/// with the collations of the columns.
Scope ScopeOfTrigger(BindSession& session, const TriggerNames& names);
/// Returns a scope in which OLD and NEW are the columns {old_index, i} and {new_index, i}, where i is a
/// column of the table; a row that the event does not have is NULL.
Scope ScopeOfTriggerRows(BindSession& session, const TriggerNames& names, size_t old_index, size_t new_index);

}  // namespace scaup
