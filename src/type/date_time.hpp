// Dates, times, timestamps and intervals: calendar arithmetic (proleptic Gregorian), text in and out as PostgreSQL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerMinute = 60 * kMicrosPerSecond;
inline constexpr int64_t kMicrosPerHour = 60 * kMicrosPerMinute;
inline constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;
/// PostgreSQL's 'infinity' and '-infinity' for DATE and TIMESTAMP.
inline constexpr int32_t kDateInfinity = INT32_MAX;
inline constexpr int32_t kDateMinusInfinity = INT32_MIN;
inline constexpr int64_t kTimestampInfinity = INT64_MAX;
inline constexpr int64_t kTimestampMinusInfinity = INT64_MIN;

/// A calendar date; year 0 is 1 BC.
struct CivilDate {
  int32_t year;
  int32_t month;  ///< 1 .. 12
  int32_t day;    ///< 1 .. 31
};

/// Days since 1970-01-01. REQUIRES: a valid date.
int32_t DaysFromCivil(CivilDate date);
CivilDate CivilFromDays(int32_t days);
bool IsLeapYear(int32_t year);
int32_t DaysInMonth(int32_t year, int32_t month);
/// False for a date that does not exist or lies outside PostgreSQL's range.
bool MakeDate(int32_t year, int32_t month, int32_t day, int32_t& days);

/// Text in. The whole text must be used, but for white space around it; false otherwise or when out of range.
bool ParseDate(std::string_view text, int32_t& days);
bool ParseTime(std::string_view text, int64_t& micros);
bool ParseTimestamp(std::string_view text, int64_t& micros);
bool ParseInterval(std::string_view text, Interval& interval);

/// Text out, ISO style: "2024-02-29", "12:34:56.5", "2024-02-29 12:34:56", "1 year 2 mons 3 days 04:05:06".
std::string DateToString(int32_t days);
std::string TimeToString(int64_t micros);
std::string TimestampToString(int64_t micros);
std::string IntervalToString(const Interval& interval);

/// timestamp + interval: months first (the day clamped to the month's last), then days, then microseconds.
/// False when the result is out of range.
bool AddInterval(int64_t timestamp, const Interval& interval, int64_t& result);
/// The order that PostgreSQL gives intervals: a month counts 30 days, a day 24 hours.
int128_t IntervalSortKey(const Interval& interval);

}  // namespace scaup
