// Triggers: what runs when rows of a table change, as the table's definition has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scaup {

/// The numbers are in files.
enum class TriggerTiming : uint8_t { kBefore = 0, kAfter = 1 };

// The events of a trigger, bits that are in files.
inline constexpr uint8_t kOnInsert = 1;
inline constexpr uint8_t kOnUpdate = 2;
inline constexpr uint8_t kOnDelete = 4;
inline constexpr uint8_t kAllTriggerEvents = kOnInsert | kOnUpdate | kOnDelete;

/// When a trigger fires, as ALTER TABLE ... ENABLE and DISABLE TRIGGER say. The numbers are in files.
enum class TriggerMode : uint8_t {
  kEnabled = 0,
  kDisabled = 1,
  kAlways = 2,   ///< ENABLE ALWAYS
  kReplica = 3,  ///< ENABLE REPLICA: only where changes are replicated, which is nowhere
};

/// A trigger of a table, whose names are unique in the table. A value.
struct TriggerDefinition {
  std::string name;
  TriggerTiming timing = TriggerTiming::kAfter;
  uint8_t events = 0;
  std::vector<std::string> update_columns = {};  ///< UPDATE OF; empty for all
  bool is_for_each_row = false;
  // REFERENCING: the names of the transition tables; "" for none.
  std::string old_table = {};
  std::string new_table = {};
  std::string condition = {};  ///< SQL of WHEN over OLD and NEW; "" if there is none
  std::string function_schema = {};
  std::string function = {};  ///< a function without arguments that returns a trigger
  std::vector<std::string> arguments = {};
  TriggerMode mode = TriggerMode::kEnabled;
  std::string comment = {};

  /// Returns whether it is enabled, and is one for this event. `set_columns` are the columns of the table
  /// that an UPDATE sets; not used for other events.
  bool FiresFor(uint8_t event, const struct TableEntry& table, const std::vector<size_t>& set_columns) const;
  bool fires() const { return mode == TriggerMode::kEnabled || mode == TriggerMode::kAlways; }
  friend bool operator==(const TriggerDefinition&, const TriggerDefinition&) = default;
};

}  // namespace scaup
