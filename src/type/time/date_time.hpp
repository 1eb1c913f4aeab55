// Dates, times, timestamps and intervals: calendar arithmetic (proleptic Gregorian), text in and out as
// PostgreSQL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

class TimeZone;
class TimeZoneConverter;

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
CivilDate CivilFromDistantDays(int32_t days);
/// By multiplications instead of divisions (Neri and Schneider, Euclidean Affine Functions and Their
/// Application to Calendar Algorithms, 2022), for all but years far beyond a million.
inline CivilDate CivilFromDays(int32_t days) {
  // Cycles of 400 years that are added so that all is positive; years begin in March.
  constexpr uint32_t kCycles = 20, kDaysOfCycle = 146097;
  constexpr uint32_t kFirstDay = 719468 + kCycles * kDaysOfCycle;
  const uint32_t shifted = static_cast<uint32_t>(days) + kFirstDay;
  if (shifted >= uint32_t{1} << 30) [[unlikely]]
    return CivilFromDistantDays(days);
  const uint32_t quarters = 4 * shifted + 3;
  const uint32_t century = quarters / kDaysOfCycle;
  const uint32_t quarters_of_century = quarters % kDaysOfCycle | 3;
  constexpr uint32_t kYearFactor = 2939745;  // 2^32 / 1461, rounded up.
  const uint64_t product = uint64_t{kYearFactor} * quarters_of_century;
  const uint32_t year_of_century = static_cast<uint32_t>(product >> 32);
  const uint32_t day_of_year = static_cast<uint32_t>(product) / kYearFactor / 4;
  const uint32_t months = 2141 * day_of_year + 197913;  // 2^16 / 30.6; the month above, the day below.
  const bool is_next_year = day_of_year >= 306;         // January and February.
  const int32_t year = static_cast<int32_t>(100 * century + year_of_century + (is_next_year ? 1 : 0)) -
                       static_cast<int32_t>(400 * kCycles);
  return {year, static_cast<int32_t>(is_next_year ? (months >> 16) - 12 : months >> 16),
          static_cast<int32_t>((months & 0xffff) / 2141) + 1};
}
bool IsLeapYear(int32_t year);
int32_t DaysInMonth(int32_t year, int32_t month);
/// False for a date that does not exist or lies outside PostgreSQL's range.
bool MakeDate(int32_t year, int32_t month, int32_t day, int32_t& days);

/// Dates at midnight, and back (the day that holds a timestamp). Infinities turn into infinities.
/// False when the date lies beyond what timestamps reach.
bool DateToTimestamp(int32_t days, int64_t& micros);
int32_t TimestampToDate(int64_t micros);
/// Microseconds since midnight. REQUIRES: finite.
int64_t TimeOfTimestamp(int64_t micros);
/// The part of an interval that is a time of day, as PostgreSQL's cast: months and days are left out.
int64_t TimeOfInterval(const Interval& interval);
constexpr bool IsInfiniteTimestamp(int64_t micros) {
  return micros == kTimestampInfinity || micros == kTimestampMinusInfinity;
}
constexpr bool IsInfiniteDate(int32_t days) { return days == kDateInfinity || days == kDateMinusInfinity; }
/// True for the finite timestamps and dates that exist.
bool IsTimestampInRange(int64_t micros);
bool IsDateInRange(int32_t days);

/// Text in. The whole text must be used, but for white space around it; false otherwise or when out of range.
bool ParseDate(std::string_view text, int32_t& days);
bool ParseTime(std::string_view text, int64_t& micros);
bool ParseTimestamp(std::string_view text, int64_t& micros);
bool ParseInterval(std::string_view text, Interval& interval);
/// TIMESTAMP WITH TIME ZONE: the moment, by the zone that the text names, or else that of `zone`.
bool ParseTimestampTz(std::string_view text, TimeZoneConverter& zone, int64_t& micros);
/// True for text in the form of a date, time or timestamp, whether or not its fields name one that exists;
/// tells "out of range" from "not a date" once parsing has failed.
bool HasDateTimeForm(std::string_view text);
/// The name of the time zone at the end of such a text; empty where there is none or it is an offset.
std::string_view ZoneNameIn(std::string_view text);

/// Text out, ISO style: "2024-02-29", "12:34:56.5", "2024-02-29 12:34:56", "1 year 2 mons 3 days 04:05:06".
/// The Format functions write at most kFormatBufferBytes (number_text.hpp) and return how many bytes.
size_t FormatDate(int32_t days, char* out);
size_t FormatTime(int64_t micros, char* out);
size_t FormatTimestamp(int64_t micros, char* out);
size_t FormatInterval(const Interval& interval, char* out);
/// With the offset of the zone: "2024-02-29 12:34:56+01".
size_t FormatTimestampTz(int64_t micros, TimeZoneConverter& zone, char* out);
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
