// Settings of one session, and their changes by SET and set_config().
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "common/lock/mutex.hpp"
#include "common/settings/settings.hpp"
#include "function/setting_access.hpp"
#include "main/database/database_settings.hpp"

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
  void ResetAll() { values_ = lasting_ = nullptr; }
  /// Drops the values of SetLocal.
  void EndTransaction() { values_ = lasting_; }
  /// Returns the database's settings, overridden by those of the session.
  Settings Over(Settings settings) const;
  /// Returns whether both have the same values, as one is a copy of the other. May return false for equal
  /// ones.
  bool IsCopyOf(const SessionSettings& other) const { return values_ == other.values_; }

 private:
  /// The values, which copies share: a change makes others.
  using Values = std::map<const SettingDefinition*, std::string>;
  using SharedValues = std::shared_ptr<const Values>;
  static void Put(SharedValues& values, const std::string& name, const std::optional<std::string>& value);

  SharedValues values_;   // null for none
  SharedValues lasting_;  // without the values of SET LOCAL
};

/// Returns the settings of a session with one of them changed; nullopt returns it to its initial value.
/// Throws Error(kUsage, 22023) if it cannot have the value. REQUIRES: a setting for sessions.
SessionSettings ChangedSettings(SessionSettings settings, const DatabaseSettings& database,
                                const std::string& name, const std::optional<std::string>& value,
                                bool is_local);

/// Collects what calls of set_config() in one statement change. The session has the changes once the
/// statement has succeeded. Thread-safe, but for Keep.
class SettingChanges final : public SettingAccess {
 public:
  /// `is_in_block`: whether changes for a transaction outlast the statement.
  SettingChanges(SessionSettings& session, const DatabaseSettings& database, bool is_in_block)
      : session_(session), database_(database), is_in_block_(is_in_block) {}

  std::string Set(const std::string& name, const std::optional<std::string>& value, bool is_local) override;
  /// Gives the session the changes.
  void Keep();

 private:
  SessionSettings& session_;
  const DatabaseSettings& database_;
  const bool is_in_block_;
  Mutex mutex_;
  std::optional<SessionSettings> changed_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
