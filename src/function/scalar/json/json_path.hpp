// Paths into JSON values: lists of names and positions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// Unpacks a VARCHAR[] value; nullopt stands for NULL.
std::vector<std::optional<std::string>> ReadTexts(std::string_view list);
/// Follows a path: members by name, elements by position, negative ones from the end. Nullopt if it leads
/// nowhere.
std::optional<std::string_view> FollowJsonPath(std::string_view json,
                                               const std::vector<std::optional<std::string>>& path);
/// Follows a single step of a path.
std::optional<std::string_view> FollowJsonStep(std::string_view json, std::string_view step);

}  // namespace scaup
