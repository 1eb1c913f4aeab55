// Dates and times in SQL/JSON paths: what .datetime() and the methods for single types give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "function/scalar/temporal/date_format.hpp"

namespace scaup::json_path {

enum class PathTimeKind : uint8_t { kDate, kTime, kTimeTz, kTimestamp, kTimestampTz };

/// A date or time of a path. Those with a time zone keep the offset that their text has.
struct PathTime {
  PathTimeKind kind = PathTimeKind::kDate;
  int64_t micros = 0;          ///< since 1970-01-01 or midnight, as clocks at the offset show it
  int32_t offset_seconds = 0;  ///< east of Greenwich
};

/// The session's time zone for functions that may use it. Borrowed.
struct PathZone {
  TimeZoneConverter* converter = nullptr;  ///< null: without _tz, a function's answer depends on no zone
  int64_t now_micros = 0;
};

/// The name of the type, as .type() gives it.
std::string_view PathTimeName(PathTimeKind kind);
/// The value as a JSON string, as in "2024-02-29T12:34:56+01:00".
std::string PathTimeJson(const PathTime& time);
/// Reads "2024-02-29", "12:34:56.5+01" or both with a blank or a T between them.
bool ParsePathTime(std::string_view text, PathTime& time);
/// Reads a text by a template, whose fields say what it is. Throws Error(22007, 22008 or 22009).
PathTime ReadPathTime(std::string_view text, const DateFormat& format);
/// Returns false if no value of the kind is made of the value, or if it is out of range. Throws Error(0A000)
/// if it depends on a time zone, and there is none.
bool ConvertPathTime(const PathZone& zone, PathTimeKind kind, PathTime& time);
/// Rounds the seconds to so many digits. REQUIRES: 0 <= digits <= 6.
void RoundPathTime(int32_t digits, PathTime& time);
/// Returns a number below, equal to or above 0; nothing for a date and a time of day. Throws as
/// ConvertPathTime.
std::optional<int> ComparePathTimes(const PathZone& zone, PathTime left, PathTime right);

}  // namespace scaup::json_path
