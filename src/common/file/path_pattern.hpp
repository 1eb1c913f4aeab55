// File name patterns of `*` and `?`, shared by all implementations of FileSystem.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// True when the path holds `*` or `?`.
bool IsPathPattern(std::string_view path);

/// Matches one name without slashes: `*` matches any run of characters, `?` one byte. Neither matches a
/// leading dot.
bool MatchesName(std::string_view pattern, std::string_view name);

/// All existing paths that match, sorted. `list_directory` returns the names in a directory ("." is the
/// current one), or none if there is no such directory.
std::vector<std::string> ExpandPathPattern(
    const std::string& pattern,
    const std::function<std::vector<std::string>(const std::string&)>& list_directory);

}  // namespace scaup
