// The text of the setting search_path: names of schemas, as SET takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/settings/settings.hpp"

namespace scaup {

/// The value that search_path has at first.
inline constexpr std::string_view kDefaultSearchPath = "main";
/// The name that "$user" stands for. There is one user.
inline constexpr std::string_view kSessionUser = "scaup";

/// Returns the names of a path: those without quotes in lower case, and of the others what is in the quotes.
/// Returns nothing for what is no list of names.
std::optional<std::vector<std::string>> SplitSearchPath(std::string_view text);
/// Returns a name as it stands in a path: in quotes if it needs them.
std::string SearchPathName(std::string_view name);
/// Returns the path of the settings.
std::string SearchPathText(const Settings& settings);
/// Returns the name of the default schema by which the path has it, main or public: the first of the two.
std::string_view PreferredDefaultSchema(const Settings& settings);

}  // namespace scaup
