// The fields of dates, times, timestamps and intervals ("year", "dow", ...), and their values.
#include "function/scalar/temporal/date_field.hpp"

#include <limits>

#include "common/throw.hpp"

namespace scaup {
namespace {

struct FieldName {
  std::string_view name;
  DateField field;
};

constexpr FieldName kFieldNames[] = {
    {"millennium", DateField::kMillennium},
    {"millennia", DateField::kMillennium},
    {"mil", DateField::kMillennium},
    {"century", DateField::kCentury},
    {"centuries", DateField::kCentury},
    {"c", DateField::kCentury},
    {"decade", DateField::kDecade},
    {"decades", DateField::kDecade},
    {"dec", DateField::kDecade},
    {"year", DateField::kYear},
    {"years", DateField::kYear},
    {"y", DateField::kYear},
    {"yr", DateField::kYear},
    {"yrs", DateField::kYear},
    {"isoyear", DateField::kIsoYear},
    {"quarter", DateField::kQuarter},
    {"quarters", DateField::kQuarter},
    {"qtr", DateField::kQuarter},
    {"month", DateField::kMonth},
    {"months", DateField::kMonth},
    {"mon", DateField::kMonth},
    {"mons", DateField::kMonth},
    {"week", DateField::kWeek},
    {"weeks", DateField::kWeek},
    {"w", DateField::kWeek},
    {"weekofyear", DateField::kWeek},
    {"day", DateField::kDay},
    {"days", DateField::kDay},
    {"d", DateField::kDay},
    {"dayofmonth", DateField::kDay},
    {"dow", DateField::kDayOfWeek},
    {"dayofweek", DateField::kDayOfWeek},
    {"weekday", DateField::kDayOfWeek},
    {"isodow", DateField::kIsoDayOfWeek},
    {"doy", DateField::kDayOfYear},
    {"dayofyear", DateField::kDayOfYear},
    {"hour", DateField::kHour},
    {"hours", DateField::kHour},
    {"h", DateField::kHour},
    {"hr", DateField::kHour},
    {"hrs", DateField::kHour},
    {"minute", DateField::kMinute},
    {"minutes", DateField::kMinute},
    {"m", DateField::kMinute},
    {"min", DateField::kMinute},
    {"mins", DateField::kMinute},
    {"second", DateField::kSecond},
    {"seconds", DateField::kSecond},
    {"s", DateField::kSecond},
    {"sec", DateField::kSecond},
    {"secs", DateField::kSecond},
    {"millisecond", DateField::kMillisecond},
    {"milliseconds", DateField::kMillisecond},
    {"ms", DateField::kMillisecond},
    {"msec", DateField::kMillisecond},
    {"msecs", DateField::kMillisecond},
    {"microsecond", DateField::kMicrosecond},
    {"microseconds", DateField::kMicrosecond},
    {"us", DateField::kMicrosecond},
    {"usec", DateField::kMicrosecond},
    {"usecs", DateField::kMicrosecond},
    {"epoch", DateField::kEpoch},
    {"julian", DateField::kJulian},
    {"timezone", DateField::kTimeZone},
    {"timezone_hour", DateField::kTimeZoneHour},
    {"timezone_minute", DateField::kTimeZoneMinute},
};

}  // namespace

std::optional<DateField> FindDateField(std::string_view name) {
  char lower[16];
  if (name.size() > sizeof(lower)) return std::nullopt;
  for (size_t i = 0; i < name.size(); i++) {
    lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] + 32) : name[i];
  }
  const std::string_view wanted(lower, name.size());
  for (const FieldName& entry : kFieldNames) {
    if (entry.name == wanted) return entry.field;
  }
  return std::nullopt;
}

void ThrowUnknownField(std::string_view name, const char* type_name) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             "unit \"" + std::string(name) + "\" not recognized for type " + type_name);
}

void ThrowUnsupportedField(std::string_view name, const char* type_name) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kFeatureNotSupported,
             "unit \"" + std::string(name) + "\" not supported for type " + type_name);
}

int32_t DayOfWeek(int32_t days) {
  return static_cast<int32_t>(((int64_t{days} + 4) % 7 + 7) % 7);
}  // 1970-01-01 was a Thursday.

int32_t MondayOf(int32_t days) { return days - (DayOfWeek(days) + 6) % 7; }

int32_t IsoWeek(int32_t days, int32_t& iso_year) {
  // A week belongs to the year of its Thursday.
  const int32_t thursday = MondayOf(days) + 3;
  iso_year = CivilFromDays(thursday).year;
  return (thursday - DaysFromCivil({iso_year, 1, 1})) / 7 + 1;
}

std::optional<double> FieldOfTime(DateField field, int64_t micros) {
  switch (field) {
    case DateField::kHour: return static_cast<double>(micros / kMicrosPerHour);
    case DateField::kMinute: return static_cast<double>(micros / kMicrosPerMinute % 60);
    case DateField::kSecond: return static_cast<double>(micros % kMicrosPerMinute) / 1e6;
    case DateField::kMillisecond: return static_cast<double>(micros % kMicrosPerMinute) / 1e3;
    case DateField::kMicrosecond: return static_cast<double>(micros % kMicrosPerMinute);
    case DateField::kEpoch: return static_cast<double>(micros) / 1e6;
    default: return std::nullopt;
  }
}

std::optional<double> FieldOfInterval(DateField field, const Interval& interval) {
  const int32_t years = interval.months / 12, months = interval.months % 12;
  switch (field) {
    case DateField::kMillennium: return years / 1000;
    case DateField::kCentury: return years / 100;
    case DateField::kDecade: return years / 10;
    case DateField::kYear: return years;
    case DateField::kQuarter: return months / 3 + 1;
    case DateField::kMonth: return months;
    case DateField::kDay: return interval.days;
    case DateField::kEpoch:  // a year counts as 365.25 days, a month as 30
      return static_cast<double>(years) * 365.25 * 86400 + static_cast<double>(months) * 30 * 86400 +
             static_cast<double>(interval.days) * 86400 + static_cast<double>(interval.micros) / 1e6;
    case DateField::kHour:
    case DateField::kMinute:
    case DateField::kSecond:
    case DateField::kMillisecond:
    case DateField::kMicrosecond: return FieldOfTime(field, interval.micros);
    default: return std::nullopt;
  }
}

}  // namespace scaup
