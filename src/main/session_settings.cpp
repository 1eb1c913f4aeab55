// Settings of a session over those of its database.
#include "main/session_settings.hpp"

namespace scaup {

void SessionSettings::Set(const std::string& name, const std::optional<std::string>& value) {
  const SettingDefinition* definition = FindSetting(name);
  if (value) {
    values_[definition] = *value;
  } else {
    values_.erase(definition);
  }
}

Settings SessionSettings::Over(Settings settings) const {
  for (const auto& [definition, value] : values_) definition->set(settings, value);
  return settings;
}

}  // namespace scaup
