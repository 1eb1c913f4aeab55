// SQLSTATE codes of evaluating SQL/JSON paths, as the standard has them.
#pragma once

namespace scaup::json_path {

inline constexpr const char* kNoDateTime = "22031";
inline constexpr const char* kBadSubscript = "22033";
inline constexpr const char* kNotANumber = "22036";
inline constexpr const char* kNotSingle = "22038";
inline constexpr const char* kArrayNotFound = "22039";
inline constexpr const char* kMemberNotFound = "2203A";
inline constexpr const char* kNumberNotFound = "2203B";
inline constexpr const char* kObjectNotFound = "2203C";

}  // namespace scaup::json_path
