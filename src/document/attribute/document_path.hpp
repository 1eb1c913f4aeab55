// Names of key paths: keys joined by dots.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// Appends a key to a path's name: with a dot before it unless the name is empty; `\.`, `\\` and `\0` stand
/// for a dot, a backslash and an empty key.
void AppendPathKey(std::string_view key, std::string& name);
/// The keys of a name; nullopt where it is none (a backslash before something else, or nothing between dots).
std::optional<std::vector<std::string>> SplitPath(std::string_view name);

}  // namespace scaup
