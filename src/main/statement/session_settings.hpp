// The settings that each session has its own of.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/settings.hpp"

namespace scaup {

/// The settings that SET has changed for one session. Owned by it and guarded by its mutex. A rollback goes
/// back to a copy.
class SessionSettings {
 public:
  /// Nullopt: back to what the database has. REQUIRES: a setting for sessions.
  void Set(const std::string& name, const std::optional<std::string>& value);
  /// Sets a value until EndTransaction.
  void SetLocal(const std::string& name, const std::optional<std::string>& value);
  /// Forgets what was set for the transaction alone.
  void EndTransaction() { values_ = lasting_; }
  /// The database's settings with those of the session in their place.
  Settings Over(Settings settings) const;

 private:
  using Values = std::map<const SettingDefinition*, std::string>;
  static void Put(Values& values, const std::string& name, const std::optional<std::string>& value);

  Values values_;
  Values lasting_;  // Without what SET LOCAL has set.
};

}  // namespace scaup
