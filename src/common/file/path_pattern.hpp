// File name patterns of `*` and `?`: shared by every FileSystem, whatever lists its directories.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// True when the path holds `*` or `?`.
bool IsPathPattern(std::string_view path);

/// Matches one name (no slashes): `*` is any run of characters, `?` any one byte. A leading dot must be
/// written out.
bool MatchesName(std::string_view pattern, std::string_view name);

/// All paths that match, sorted. `list_directory` returns the names in a directory ("." for the current one),
/// none where there is no such directory.
std::vector<std::string> ExpandPathPattern(
    const std::string& pattern,
    const std::function<std::vector<std::string>(const std::string&)>& list_directory);

}  // namespace scaup
