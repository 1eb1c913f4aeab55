// Client settings: those that only programs written for PostgreSQL set or ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/settings/settings.hpp"

namespace scaup {

/// Returns the definitions of all client settings, for the table of settings. Each has the values for which
/// Scaup does what PostgreSQL would do; SET refuses others, so that no program relies on what does not
/// happen.
std::vector<SettingDefinition> ClientSettings();

}  // namespace scaup
