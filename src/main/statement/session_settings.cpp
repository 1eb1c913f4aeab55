// Settings of a session over those of its database.
#include "main/statement/session_settings.hpp"

#include "common/throw.hpp"

namespace scaup {

void SessionSettings::Put(Values& values, const std::string& name, const std::optional<std::string>& value) {
  const SettingDefinition* definition = FindSetting(name);
  SCAUP_ASSERT(definition != nullptr && definition->is_for_session);
  if (value) {
    values[definition] = *value;
  } else {
    values.erase(definition);
  }
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
  for (const auto& [definition, value] : values_) definition->set(settings, value);
  return settings;
}

}  // namespace scaup
