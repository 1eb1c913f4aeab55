// Julian days and weeks of ISO 8601 by PostgreSQL's formulas, which also take dates beyond the calendar.
#pragma once

#include <cstdint>

namespace scaup {

/// The Julian day of 1970-01-01.
inline constexpr int64_t kJulianOfEpoch = 2440588;

/// The Julian day of a date. The months of an interval may be 0 or negative; the formula goes on for them.
inline int64_t JulianDay(int64_t year, int64_t month, int64_t day) {
  // Years begin in March, and months from there on have 7834 / 256 days on average.
  const bool is_next_year = month > 2;
  const int64_t shifted_year = year + (is_next_year ? 4800 : 4799);
  const int64_t shifted_month = month + (is_next_year ? 1 : 13);
  const int64_t century = shifted_year / 100;
  const int64_t leap_days = shifted_year / 4 - century + century / 4;
  return shifted_year * 365 + leap_days + 7834 * shifted_month / 256 + day - 32167;
}

/// The Julian day of the first Monday of a year's weeks: that of the week with 4 January.
inline int64_t FirstIsoMonday(int64_t year) {
  const int64_t fourth = JulianDay(year, 1, 4);
  return fourth - (fourth % 7 + 7) % 7;
}

/// A day by weeks: the year of its week, the week, and the day counted from that year's first Monday.
struct IsoWeekDate {
  int64_t year;
  int64_t week;
  int64_t day_of_year;
};

/// The week of a day that lies in `year`, or is counted from it.
inline IsoWeekDate IsoWeekOf(int64_t julian, int64_t year) {
  int64_t monday = FirstIsoMonday(year);
  if (julian < monday) {
    monday = FirstIsoMonday(--year);
  }
  if ((julian - monday) / 7 + 1 >= 52) {
    if (const int64_t next = FirstIsoMonday(year + 1); julian >= next) {
      monday = next;
      year++;
    }
  }
  return {year, (julian - monday) / 7 + 1, julian - monday + 1};
}

}  // namespace scaup
