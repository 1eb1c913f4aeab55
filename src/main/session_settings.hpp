// The settings that each session has its own of.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/settings.hpp"

namespace scaup {

/// What SET has changed for one session. Owned by it and guarded by its mutex.
class SessionSettings {
 public:
  /// Nullopt: back to what the database has. REQUIRES: a setting for sessions.
  void Set(const std::string& name, const std::optional<std::string>& value);
  /// The database's settings with those of the session in their place.
  Settings Over(Settings settings) const;

 private:
  std::map<const SettingDefinition*, std::string> values_;
};

}  // namespace scaup
