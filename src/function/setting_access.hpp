// The interface by which set_config() changes settings; implemented by src/main.
#pragma once

#include <optional>
#include <string>

namespace scaup {

/// The settings of the session that runs a statement. Borrowed for its duration; thread-safe.
class SettingAccess {
 public:
  virtual ~SettingAccess() = default;
  /// Changes a setting once the statement has succeeded, as SET does, or SET LOCAL; nullopt returns to the
  /// initial value. Returns the new value as SHOW shows it. Throws Error(kUsage): 42704 for an unknown
  /// setting, 22023 for a value that it cannot have, 55P02 for one that is not the session's to change.
  virtual std::string Set(const std::string& name, const std::optional<std::string>& value,
                          bool is_local) = 0;
};

}  // namespace scaup
