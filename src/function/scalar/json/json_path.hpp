// Paths into JSON values: lists of names and positions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// The texts of a value of type VARCHAR[], given its bytes; nullopt stands for NULL.
std::vector<std::optional<std::string>> ReadTexts(std::string_view list);
/// Follows a path: members by name, elements by position, from the end where it is negative. Nullopt where it
/// leads nowhere.
std::optional<std::string_view> FollowJsonPath(std::string_view json,
                                               const std::vector<std::optional<std::string>>& path);
/// One step of it.
std::optional<std::string_view> FollowJsonStep(std::string_view json, std::string_view step);
/// Appends a value as text: strings without quotes, everything else as it is. False for null.
bool AppendJsonAsText(std::string_view json, std::string& out);

}  // namespace scaup
