// Settings of a session over those of its database.
#include "main/statement/session_settings.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/throw.hpp"

namespace scaup {

void SessionSettings::Put(SharedValues& values, const std::string& name,
                          const std::optional<std::string>& value) {
  const SettingDefinition* definition = FindSetting(name);
  SCAUP_ASSERT(definition != nullptr && definition->is_for_session);
  Values changed = values ? *values : Values();
  if (value) {
    changed[definition] = *value;
  } else {
    changed.erase(definition);
  }
  values = std::make_shared<const Values>(std::move(changed));
}

void SessionSettings::Set(const std::string& name, const std::optional<std::string>& value) {
  SCAUP_ASSERT(FindSetting(name) != nullptr);  // Put tests the rest.
  Put(values_, name, value);
  // SET also replaces the value of an earlier SET LOCAL, as in PostgreSQL.
  Put(lasting_, name, value);
}

void SessionSettings::SetLocal(const std::string& name, const std::optional<std::string>& value) {
  Put(values_, name, value);
}

Settings SessionSettings::Over(Settings settings) const {
  if (!values_) return settings;
  for (const auto& [definition, value] : *values_) definition->set(settings, value);
  return settings;
}

SessionSettings ChangedSettings(SessionSettings settings, const DatabaseSettings& database,
                                const std::string& name, const std::optional<std::string>& value,
                                bool is_local) {
  SCAUP_ASSERT(FindSetting(name) != nullptr && FindSetting(name)->is_for_session);
  if (is_local) {
    settings.SetLocal(name, value);
  } else {
    settings.Set(name, value);
  }
  // A value that the setting cannot have, and an unknown time zone, are refused here.
  database.RequireTimeZone(settings.Over(database.Current()).time_zone);
  return settings;
}

std::string SettingChanges::Set(const std::string& name, const std::optional<std::string>& value,
                                bool is_local) {
  const SettingDefinition* const definition = FindSetting(name);
  if (definition == nullptr) {
    ThrowError(ErrorKind::kUsage, sqlstate::kUndefinedObject,
               fmt::format("setting \"{}\" does not exist; SHOW ALL lists those that do", name));
  }
  // Changing one of the database waits for running tasks, and this is one.
  if (!definition->is_for_session) {
    ThrowError(ErrorKind::kUsage, sqlstate::kCantChangeRuntimeParameter,
               fmt::format("set_config() cannot change \"{}\", which all sessions share; use SET", name));
  }
  const MutexLock lock(mutex_);
  SessionSettings changed =
      ChangedSettings(changed_ ? *changed_ : session_, database_, name, value, is_local);
  std::string shown = definition->get(changed.Over(database_.Current()));
  // Outside of a block, the transaction ends with the statement.
  if (!is_local || is_in_block_) changed_ = std::move(changed);
  return shown;
}

void SettingChanges::Keep() {
  const MutexLock lock(mutex_);
  if (changed_) session_ = std::move(*changed_);
  changed_.reset();
}

}  // namespace scaup
