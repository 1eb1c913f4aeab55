// Dates, times, timestamps and intervals: proleptic Gregorian calendar, PostgreSQL's text.
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

/// The days since 1970-01-01. REQUIRES: a valid date.
int32_t DaysFromCivil(CivilDate date);
CivilDate CivilFromDistantDays(int32_t days);
/// The date of a day number. It multiplies instead of dividing (Neri and Schneider, Euclidean Affine
/// Functions and Their Application to Calendar Algorithms, 2022), except for years far beyond a million.
inline CivilDate CivilFromDays(int32_t days) {
  // Adds cycles of 400 years to make everything positive; years begin in March.
  constexpr uint32_t kCycles = 20, kDaysOfCycle = 146097;
  constexpr uint32_t kFirstDay = 719468 + kCycles * kDaysOfCycle;
  const uint32_t shifted = static_cast<uint32_t>(days) + kFirstDay;
  if (shifted >= uint32_t{1} << 30) [[unlikely]]
    return CivilFromDistantDays(days);
  const uint32_t quarters = 4 * shifted + 3;
  const uint32_t century = quarters / kDaysOfCycle;
  const uint32_t quarters_of_century = quarters % kDaysOfCycle | 3;
  constexpr uint32_t kYearFactor = 2939745;  // 2^32 / 1461, rounded up
  const uint64_t product = uint64_t{kYearFactor} * quarters_of_century;
  const uint32_t year_of_century = static_cast<uint32_t>(product >> 32);
  const uint32_t day_of_year = static_cast<uint32_t>(product) / kYearFactor / 4;
  const uint32_t months = 2141 * day_of_year + 197913;  // 2^16 / 30.6; upper half: month, lower: day
  const bool is_next_year = day_of_year >= 306;         // January and February
  const int32_t year = static_cast<int32_t>(100 * century + year_of_century + (is_next_year ? 1 : 0)) -
                       static_cast<int32_t>(400 * kCycles);
  return {year, static_cast<int32_t>(is_next_year ? (months >> 16) - 12 : months >> 16),
          static_cast<int32_t>((months & 0xffff) / 2141) + 1};
}
bool IsLeapYear(int32_t year);
int32_t DaysInMonth(int32_t year, int32_t month);
/// Returns false for a date that does not exist or is out of PostgreSQL's range.
bool MakeDate(int32_t year, int32_t month, int32_t day, int32_t& days);

/// Converts a date to its midnight, and a timestamp to its date. Infinities remain infinities. Returns false
/// if the date is beyond the range of timestamps.
bool DateToTimestamp(int32_t days, int64_t& micros);
int32_t TimestampToDate(int64_t micros);
/// Returns the microseconds since midnight; some time of day for an infinity.
int64_t TimeOfTimestamp(int64_t micros);
/// The time of day of an interval, as in PostgreSQL's cast to TIME: months and days are ignored.
int64_t TimeOfInterval(const Interval& interval);
constexpr bool IsInfiniteTimestamp(int64_t micros) {
  return micros == kTimestampInfinity || micros == kTimestampMinusInfinity;
}
constexpr bool IsInfiniteDate(int32_t days) { return days == kDateInfinity || days == kDateMinusInfinity; }
/// Whether a finite timestamp or date is within range.
bool IsTimestampInRange(int64_t micros);
bool IsDateInRange(int32_t days);

/// Parse functions. The whole text must match, except for white space around it. They return false otherwise,
/// or if the value is out of range.
bool ParseDate(std::string_view text, int32_t& days);
bool ParseTime(std::string_view text, int64_t& micros);
bool ParseTimestamp(std::string_view text, int64_t& micros);
bool ParseInterval(std::string_view text, Interval& interval);
/// Parses an interval in which "1:30" has minutes and seconds, not hours and minutes.
bool ParseMinutesInterval(std::string_view text, Interval& interval);
/// Parses TIMESTAMP WITH TIME ZONE. The zone is the one named in the text, otherwise `zone`.
bool ParseTimestampTz(std::string_view text, TimeZoneConverter& zone, int64_t& micros);
/// Whether the text has the form of a date, time or timestamp, existing or not. After parsing has failed, it
/// distinguishes "out of range" from "not a date".
bool HasDateTimeForm(std::string_view text);
/// The time zone name at the end of the text; empty if there is none or it is an offset.
std::string_view ZoneNameIn(std::string_view text);

/// Format functions, in ISO style: "2024-02-29", "12:34:56.5", "2024-02-29 12:34:56", "1 year 2 mons 3 days
/// 04:05:06". They write at most kFormatBufferBytes (number_text.hpp) and return how many bytes.
size_t FormatDate(int32_t days, char* out);
size_t FormatTime(int64_t micros, char* out);
size_t FormatTimestamp(int64_t micros, char* out);
size_t FormatInterval(const Interval& interval, char* out);
/// Formats with the zone's offset: "2024-02-29 12:34:56+01".
size_t FormatTimestampTz(int64_t micros, TimeZoneConverter& zone, char* out);
std::string DateToString(int32_t days);
std::string TimeToString(int64_t micros);
std::string TimestampToString(int64_t micros);
std::string IntervalToString(const Interval& interval);

/// Computes timestamp + interval: adds months first (the day is clamped to the month's last), then days, then
/// microseconds. Returns false if the result is out of range.
bool AddInterval(int64_t timestamp, const Interval& interval, int64_t& result);
/// The key by which PostgreSQL orders intervals: a month counts as 30 days, a day as 24 hours.
int128_t IntervalSortKey(const Interval& interval);

}  // namespace scaup
