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
CivilDate CivilFromDays(int32_t days);
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
