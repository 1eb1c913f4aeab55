// The fields of dates, times, timestamps and intervals ("year", "dow", ...), and their values.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "scaup/type.hpp"
#include "type/time/date_time.hpp"

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

/// The field with this name, in any case: singular, plural or one of PostgreSQL's abbreviations ("hours",
/// "ms", "dow").
std::optional<DateField> FindDateField(std::string_view name);
/// Throws Error(22023): unit "name" not recognized for type `type_name`.
[[noreturn]] void ThrowUnknownField(std::string_view name, const char* type_name);
/// Throws Error(0A000) for a field that values of a type do not have.
[[noreturn]] void ThrowUnsupportedField(std::string_view name, const char* type_name);

/// Whether only TIMESTAMP WITH TIME ZONE has the field: it is a part of the offset from UTC.
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
/// Returns the timestamp of a value of DATE or TIMESTAMP.
inline int64_t AsTimestamp(int32_t days) { return TimestampOfDay(days); }
inline int64_t AsTimestamp(int64_t timestamp) { return timestamp; }
inline bool IsFiniteTimestamp(int64_t timestamp) {
  return timestamp != kTimestampInfinity && timestamp != kTimestampMinusInfinity;
}
inline bool IsFiniteDate(int32_t days) { return days != kDateInfinity && days != kDateMinusInfinity; }

/// 0 for Sunday .. 6 for Saturday.
int32_t DayOfWeek(int32_t days);
/// The ISO 8601 week (1 .. 53) and the year to which it belongs.
int32_t IsoWeek(int32_t days, int32_t& iso_year);
/// The Monday on or before a day.
int32_t MondayOf(int32_t days);

/// Whether the field grows without bound, so that it is infinite for an infinite timestamp.
inline bool IsMonotonic(DateField field) {
  switch (field) {
    case DateField::kMillennium:
    case DateField::kCentury:
    case DateField::kDecade:
    case DateField::kYear:
    case DateField::kIsoYear:
    case DateField::kEpoch:
    case DateField::kJulian: return true;
    default: return false;
  }
}

/// The year as PostgreSQL shows it: year 0 is 1 BC, shown as -1.
inline int32_t ShownYear(int32_t year) { return year > 0 ? year : year - 1; }

/// The number of the century or millennium: the first begins with year 1, and there is none with number 0.
inline int32_t CountedBy(int32_t year, int32_t years) {
  return year > 0 ? (year + years - 1) / years : -((years - 1 - (year - 1)) / years);
}

inline int32_t FloorDividedYear(int32_t a, int32_t b) { return a / b - (a % b < 0); }

/// The value of a field of a finite date. Inlined, so that a loop for one field contains nothing else.
[[gnu::always_inline]] inline int64_t FieldOfDate(DateField field, int32_t days) {
  int32_t iso_year;
  switch (field) {
    case DateField::kDayOfWeek: return DayOfWeek(days);
    case DateField::kIsoDayOfWeek: return (DayOfWeek(days) + 6) % 7 + 1;
    case DateField::kWeek: return IsoWeek(days, iso_year);
    case DateField::kIsoYear: IsoWeek(days, iso_year); return ShownYear(iso_year);
    case DateField::kEpoch: return int64_t{days} * 86400;
    case DateField::kJulian: return int64_t{days} + 2440588;
    default: break;
  }
  const CivilDate date = CivilFromDays(days);
  switch (field) {
    case DateField::kMillennium: return CountedBy(date.year, 1000);
    case DateField::kCentury: return CountedBy(date.year, 100);
    case DateField::kDecade: return FloorDividedYear(date.year, 10);
    case DateField::kYear: return ShownYear(date.year);
    case DateField::kQuarter: return (date.month - 1) / 3 + 1;
    case DateField::kMonth: return date.month;
    case DateField::kDay: return date.day;
    case DateField::kDayOfYear: return days - DaysFromCivil({date.year, 1, 1}) + 1;
    default: return 0;  // a date is midnight
  }
}

/// The value of a field; seconds include their fraction. Nullopt if the type has no such field, and for a
/// cyclic field of an infinite timestamp (is_null is then set).
std::optional<double> FieldOfTime(DateField field, int64_t micros);
std::optional<double> FieldOfInterval(DateField field, const Interval& interval);
[[gnu::always_inline]] inline std::optional<double> FieldOfTimestamp(DateField field, int64_t timestamp,
                                                                     bool& is_null) {
  is_null = false;
  if (IsTimeZoneField(field)) return std::nullopt;
  if (!IsFiniteTimestamp(timestamp)) {
    is_null = !IsMonotonic(field);
    if (is_null) return std::nullopt;
    const double infinity = std::numeric_limits<double>::infinity();
    return timestamp > 0 ? infinity : -infinity;
  }
  const int32_t days = DayOfTimestamp(timestamp);
  const int64_t micros = timestamp - int64_t{days} * kMicrosPerDay;
  switch (field) {
    case DateField::kHour:
    case DateField::kMinute:
    case DateField::kSecond:
    case DateField::kMillisecond:
    case DateField::kMicrosecond: return FieldOfTime(field, micros);
    case DateField::kEpoch: return static_cast<double>(timestamp) / 1e6;
    case DateField::kJulian:
      return static_cast<double>(FieldOfDate(field, days)) + static_cast<double>(micros) / kMicrosPerDay;
    default: return static_cast<double>(FieldOfDate(field, days));
  }
}

}  // namespace scaup
