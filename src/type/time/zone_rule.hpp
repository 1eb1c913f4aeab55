// Time zone rules in POSIX's TZ syntax: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scaup {

/// A day and time of every year at which clocks change.
struct ZoneRuleDay {
  enum class Kind : uint8_t { kWeekday, kDayWithoutLeap, kDay };
  Kind kind = Kind::kWeekday;
  int32_t month = 0;    ///< kWeekday: 1 .. 12
  int32_t week = 0;     ///< kWeekday: 1 .. 5; 5 is the month's last
  int32_t day = 0;      ///< weekday (0 is Sunday), or day of the year from 1 (kDayWithoutLeap) or 0 (kDay)
  int32_t seconds = 0;  ///< local time
  /// Seconds since 1970-01-01 00:00:00, on the clocks before the change.
  int64_t InYear(int32_t year) const;
};

struct ZoneRule {
  std::string standard_name, daylight_name;
  int32_t standard_offset = 0, daylight_offset = 0;  ///< seconds east of Greenwich
  bool has_daylight = false;
  ZoneRuleDay daylight_begin, daylight_end;
};

/// Parses a rule; false if it is malformed.
bool ParseZoneRule(std::string_view text, ZoneRule& rule);

}  // namespace scaup
