// The fields of dates, times, timestamps and intervals ("year", "dow", ...) and what they are for a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scaup/type.hpp"
#include "type/date_time.hpp"

namespace scaup {

enum class DateField : uint8_t {
  kMillennium,
  kCentury,
  kDecade,
  kYear,
  kIsoYear,
  kQuarter,
  kMonth,
  kWeek,
  kDay,
  kDayOfWeek,
  kIsoDayOfWeek,
  kDayOfYear,
  kHour,
  kMinute,
  kSecond,
  kMillisecond,
  kMicrosecond,
  kEpoch,
  kJulian,
  kTimeZone,
  kTimeZoneHour,
  kTimeZoneMinute
};

/// A field from its name in any case, singular, plural or abbreviated as PostgreSQL takes them ("hours",
/// "ms", "dow").
std::optional<DateField> FindDateField(std::string_view name);
/// Throws Error(22023): unit "name" not recognized for type `type_name`.
[[noreturn]] void ThrowUnknownField(std::string_view name, const char* type_name);

/// Those that only TIMESTAMP WITH TIME ZONE has: the offset from UTC.
constexpr bool IsTimeZoneField(DateField field) { return field >= DateField::kTimeZone; }

/// Floor division into days and microseconds of the day.
inline int32_t DayOfTimestamp(int64_t timestamp) {
  const int64_t day = timestamp / kMicrosPerDay;
  return static_cast<int32_t>(timestamp % kMicrosPerDay < 0 ? day - 1 : day);
}
inline int64_t MicrosOfDay(int64_t timestamp) {
  return timestamp - int64_t{DayOfTimestamp(timestamp)} * kMicrosPerDay;
}
inline int64_t TimestampOfDay(int32_t days) {
  if (days == kDateInfinity) return kTimestampInfinity;
  if (days == kDateMinusInfinity) return kTimestampMinusInfinity;
  return int64_t{days} * kMicrosPerDay;
}
inline bool IsFiniteTimestamp(int64_t timestamp) {
  return timestamp != kTimestampInfinity && timestamp != kTimestampMinusInfinity;
}
inline bool IsFiniteDate(int32_t days) { return days != kDateInfinity && days != kDateMinusInfinity; }

/// 0 for Sunday .. 6 for Saturday.
int32_t DayOfWeek(int32_t days);
/// The ISO 8601 week (1 .. 53) and the year that it belongs to.
int32_t IsoWeek(int32_t days, int32_t& iso_year);
/// The Monday on or before a day.
int32_t MondayOf(int32_t days);

/// The value of a field of a finite date.
int64_t FieldOfDate(DateField field, int32_t days);
/// The value of a field; seconds carry their fraction. nullopt where the type has no such field, and for a
/// cyclic field of an infinite timestamp (is_null is then set).
std::optional<double> FieldOfTimestamp(DateField field, int64_t timestamp, bool& is_null);
std::optional<double> FieldOfTime(DateField field, int64_t micros);
std::optional<double> FieldOfInterval(DateField field, const Interval& interval);

}  // namespace scaup
