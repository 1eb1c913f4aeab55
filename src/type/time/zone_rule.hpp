// The rules of time zones as POSIX writes them in TZ: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scaup {

/// A day of every year and a time of it.
struct ZoneRuleDay {
  enum class Kind : uint8_t { kWeekday, kDayWithoutLeap, kDay };
  Kind kind = Kind::kWeekday;
  int32_t month = 0;    ///< kWeekday: 1 .. 12
  int32_t week = 0;     ///< kWeekday: 1 .. 5, which is the last
  int32_t day = 0;      ///< of the week (0 is Sunday) or of the year, from 1 (kDayWithoutLeap) or 0 (kDay)
  int32_t seconds = 0;  ///< local time
  /// Seconds since 1970-01-01 00:00:00, by the clocks of before.
  int64_t InYear(int32_t year) const;
};

struct ZoneRule {
  std::string standard_name, daylight_name;
  int32_t standard_offset = 0, daylight_offset = 0;  ///< seconds east of Greenwich
  bool has_daylight = false;
  ZoneRuleDay daylight_begin, daylight_end;
};

/// False for what is no rule.
bool ParseZoneRule(std::string_view text, ZoneRule& rule);

}  // namespace scaup
