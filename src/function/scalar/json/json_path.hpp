// Paths into JSON values: lists of names and positions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// Reads an array of texts in PostgreSQL's form, '{a,"b c",0}'; nullopt stands for a NULL in it.
/// Throws Error(22P02) for what is none.
std::vector<std::optional<std::string>> ParseTextArray(std::string_view text);
/// Follows a path: members by name, elements by position, from the end where it is negative. Nullopt where it
/// leads nowhere.
std::optional<std::string_view> FollowJsonPath(std::string_view json,
                                               const std::vector<std::optional<std::string>>& path);
/// One step of it.
std::optional<std::string_view> FollowJsonStep(std::string_view json, std::string_view step);
/// Appends a value as text: strings without quotes, everything else as it is. False for null.
bool AppendJsonAsText(std::string_view json, std::string& out);

}  // namespace scaup
