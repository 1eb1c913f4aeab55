// Finds the date and time that the fields of a text mean.
#include "function/scalar/temporal/date_reading.hpp"

#include <string>

#include "common/throw.hpp"
#include "function/scalar/temporal/iso_week.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowFieldRange(std::string_view text) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
             "date/time field value out of range: \"" + std::string(text) + "\"");
}

/// The date while it is being found. Fields that no text gave are those of 1 January of the year 0.
class DateResolution {
 public:
  DateResolution(const DateReading& reading, std::string_view text)
      : reading_(reading), text_(text), day_of_year_(reading.day_of_year) {}

  int32_t Resolve() {
    ResolveYear();
    if (reading_.julian != 0) SetDay(reading_.julian);
    ResolveWeek();
    ResolveMonth();
    ResolveDayOfYear();
    return Validate();
  }

 private:
  void ResolveYear();
  void ResolveWeek();
  void ResolveMonth();
  void ResolveDayOfYear();
  void SetDay(int64_t julian);
  int32_t Validate() const;

  const DateReading& reading_;
  std::string_view text_;
  int64_t day_of_year_;
  int64_t year_ = 0, month_ = 1, day_ = 1;
  bool has_year_ = false, has_month_ = false, has_day_ = false;
};

void DateResolution::ResolveYear() {
  const int64_t century = reading_.is_bc != 0 ? -int64_t{reading_.century} : reading_.century;
  has_year_ = reading_.year != 0 || century != 0;
  if (reading_.year == 0) {
    // A century without a year is its first year.
    if (century != 0) year_ = century >= 0 ? (century - 1) * 100 + 1 : century * 100 + 1;
    return;
  }
  if (century != 0 && reading_.year_digits <= 2) {
    year_ = reading_.year % 100;
    if (year_ == 0) {
      year_ = century * 100 + (century >= 0 ? 0 : 1);
    } else {
      year_ = century >= 0 ? (century - 1) * 100 + year_ : (century + 1) * 100 - year_ + 1;
    }
    return;
  }
  year_ = reading_.is_bc != 0 ? -int64_t{reading_.year} : reading_.year;
  if (year_ < 0) year_++;  // there is no year 0: 1 BC comes before the year 1
}

void DateResolution::SetDay(int64_t julian) {
  const int64_t days = julian - kJulianOfEpoch;
  if (julian < 0 || days > INT32_MAX) ThrowFieldRange(text_);
  const CivilDate date = CivilFromDays(static_cast<int32_t>(days));
  year_ = date.year;
  month_ = date.month;
  day_ = date.day;
  has_year_ = has_month_ = has_day_ = true;
}

void DateResolution::ResolveWeek() {
  if (reading_.week == 0) return;
  if (!reading_.uses_iso_weeks) {
    day_of_year_ = (int64_t{reading_.week} - 1) * 7 + 1;
    return;
  }
  const int64_t monday = FirstIsoMonday(year_) + (int64_t{reading_.week} - 1) * 7;
  const int64_t weekday = reading_.day_of_week == 0 ? 2 : reading_.day_of_week;  // Monday is 2
  SetDay(weekday > 1 ? monday + weekday - 2 : monday + 6);
}

void DateResolution::ResolveMonth() {
  if (reading_.day != 0) day_ = reading_.day;
  if (reading_.week_of_month != 0) day_ = (int64_t{reading_.week_of_month} - 1) * 7 + 1;
  has_day_ |= reading_.day != 0 || reading_.week_of_month != 0;
  if (reading_.month != 0) {
    month_ = reading_.month;
    has_month_ = true;
  }
}

/// A day of the year gives the month and the day that nothing else gave.
void DateResolution::ResolveDayOfYear() {
  if (day_of_year_ == 0 || (month_ > 1 && day_ > 1)) return;
  if (year_ == 0 && reading_.is_bc == 0) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat,
               "cannot calculate the day of the year without a year in the format");
  }
  if (reading_.uses_iso_weeks) return SetDay(FirstIsoMonday(year_) + day_of_year_ - 1);
  if (year_ < INT32_MIN || year_ > INT32_MAX) ThrowFieldRange(text_);
  int64_t before = 0;
  int32_t month = 1;
  for (; month <= 12; month++) {
    const int32_t days = DaysInMonth(static_cast<int32_t>(year_), month);
    if (day_of_year_ <= before + days) break;
    before += days;
  }
  if (month_ <= 1) month_ = month;
  if (day_ <= 1) day_ = day_of_year_ - before;
  has_month_ = has_day_ = true;
}

/// The days since 1970-01-01. A day beyond its month is an error only where the year is known.
int32_t DateResolution::Validate() const {
  if (has_month_ && (month_ < 1 || month_ > 12)) ThrowFieldRange(text_);
  if (has_day_ && (day_ < 1 || day_ > 31)) ThrowFieldRange(text_);
  constexpr int64_t kFirstYear = -4713, kLastYear = 5874898;
  if (year_ < kFirstYear || year_ > kLastYear) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
               "date out of range: \"" + std::string(text_) + "\"");
  }
  const CivilDate date{static_cast<int32_t>(year_), static_cast<int32_t>(month_), static_cast<int32_t>(day_)};
  if (has_year_ && has_month_ && has_day_ && date.day > DaysInMonth(date.year, date.month))
    ThrowFieldRange(text_);
  const int32_t days = DaysFromCivil(date);
  if (!IsDateInRange(days)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
               "date out of range: \"" + std::string(text_) + "\"");
  }
  return days;
}

constexpr int64_t kHourSeconds = 3600;

/// The time of day while it is being found.
struct TimeResolution {
  int64_t hour, minute, second, micros;

  explicit TimeResolution(const DateReading& reading)
      : hour(reading.hour != 0 ? reading.hour : reading.second_of_day / kHourSeconds),
        minute(reading.minute != 0 ? reading.minute : reading.second_of_day % kHourSeconds / 60),
        second(reading.second != 0 ? reading.second : reading.second_of_day % 60),
        micros(int64_t{reading.milliseconds} * 1000 + reading.micros) {
    if (!reading.has_12_hours) return;
    if (hour < 1 || hour > 12) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat,
                 "hour \"" + std::to_string(hour) +
                     "\" is invalid for the 12-hour clock; give an hour between 1 and 12, or use HH24");
    }
    hour = hour % 12 + (reading.is_afternoon != 0 ? 12 : 0);
  }

  /// Microseconds since midnight.
  int64_t Validate(std::string_view text) const {
    const bool fits = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60 &&
                      micros >= 0 && micros < kMicrosPerSecond;
    if (!fits) ThrowFieldRange(text);
    return hour * kMicrosPerHour + minute * kMicrosPerMinute + second * kMicrosPerSecond + micros;
  }
};

}  // namespace

FormattedTime DateReading::Resolve(std::string_view text) const {
  constexpr int32_t kMostZoneHours = 15;
  FormattedTime time;
  const TimeResolution clock(*this);
  time.days = DateResolution(*this, text).Resolve();
  time.micros = clock.Validate(text);
  time.digits = digits;
  time.has_offset = zone_sign != 0;
  if (!time.has_offset) return time;
  if (zone_hours < 0 || zone_hours > kMostZoneHours || zone_minutes < 0 || zone_minutes >= 60) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidTimeZoneDisplacement,
               "time zone displacement out of range: \"" + std::string(text) + "\"");
  }
  time.offset_seconds = zone_sign * static_cast<int32_t>(zone_hours * kHourSeconds + zone_minutes * 60);
  return time;
}

}  // namespace scaup
