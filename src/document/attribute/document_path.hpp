// The names of key paths: keys joined by dots.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// Appends a key to a path's name, after a dot unless the name is empty. A dot is written as `\.`, a
/// backslash as `\\`, an empty key as `\0`.
void AppendPathKey(std::string_view key, std::string& name);
/// Splits a name into its keys; nullopt if it is malformed (another character after a backslash, or nothing
/// between dots).
std::optional<std::vector<std::string>> SplitPath(std::string_view name);

}  // namespace scaup
