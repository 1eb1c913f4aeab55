// Settings of one session.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/settings.hpp"

namespace scaup {

/// The settings that SET has changed for one session. Owned by the session and guarded by its mutex. A value:
/// a rollback restores a copy.
class SessionSettings {
 public:
  /// Sets a value; nullopt returns to the database's. REQUIRES: a setting for sessions.
  void Set(const std::string& name, const std::optional<std::string>& value);
  /// Sets a value until EndTransaction.
  void SetLocal(const std::string& name, const std::optional<std::string>& value);
  /// Returns to the database's values, as RESET ALL does.
  void ResetAll() { values_ = lasting_ = {}; }
  /// Drops the values of SetLocal.
  void EndTransaction() { values_ = lasting_; }
  /// Returns the database's settings, overridden by those of the session.
  Settings Over(Settings settings) const;

 private:
  using Values = std::map<const SettingDefinition*, std::string>;
  static void Put(Values& values, const std::string& name, const std::optional<std::string>& value);

  Values values_;
  Values lasting_;  // without the values of SET LOCAL
};

}  // namespace scaup
