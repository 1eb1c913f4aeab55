// Calendar arithmetic: days and civil dates, timestamps and intervals.
#include "type/time/date_time.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

// The Gregorian calendar repeats every 400 years. Years begin on 1 March here, so that the leap day is the
// last of its year and months have fixed offsets.
constexpr int64_t kYearsPerCycle = 400;
constexpr int64_t kDaysPerCycle = 146097;
constexpr int64_t kDaysFromMarchOfYear0To1970 = 719468;

constexpr int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

constexpr int64_t CountDays(int64_t year, int64_t month, int64_t day) {
  if (month <= 2) {
    year--;
    month += 12;
  }
  const int64_t cycle = FloorDivide(year, kYearsPerCycle);
  const int64_t year_of_cycle = year - cycle * kYearsPerCycle;
  // From March on, months have 31 30 31 30 31 days, repeatedly: 153 days per five months.
  const int64_t day_of_year = (153 * (month - 3) + 2) / 5 + day - 1;
  const int64_t day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
  return cycle * kDaysPerCycle + day_of_cycle - kDaysFromMarchOfYear0To1970;
}

// PostgreSQL's range of dates: from Julian day 0 (24 November 4714 BC) to the end of the year 5874897.
constexpr int64_t kFirstDate = CountDays(-4713, 11, 24);
constexpr int64_t kLastDate = CountDays(5874897, 12, 31);
constexpr int64_t kFirstTimestamp = kFirstDate * kMicrosPerDay;
// The last timestamp is where 64-bit microseconds since 1970 end, in the year 294247.
constexpr int64_t kLastTimestamp = kTimestampInfinity - 1;

}  // namespace

int32_t DaysFromCivil(CivilDate date) {
  SCAUP_ASSERT(date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31);
  return static_cast<int32_t>(CountDays(date.year, date.month, date.day));
}

CivilDate CivilFromDistantDays(int32_t days) {
  const int64_t shifted = days + kDaysFromMarchOfYear0To1970;
  const int64_t cycle = FloorDivide(shifted, kDaysPerCycle);
  const int64_t day_of_cycle = shifted - cycle * kDaysPerCycle;
  // Subtracts the preceding leap days: one per 1460 days, except one per 36524, and one at the end of the
  // cycle.
  const int64_t year_of_cycle =
      (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36524 - day_of_cycle / 146096) / 365;
  const int64_t day_of_year = day_of_cycle - (year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const int64_t year = year_of_cycle + cycle * kYearsPerCycle + (month <= 2 ? 1 : 0);
  return {static_cast<int32_t>(year), static_cast<int32_t>(month), static_cast<int32_t>(day)};
}

bool IsLeapYear(int32_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int32_t DaysInMonth(int32_t year, int32_t month) {
  static constexpr int8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

bool MakeDate(int32_t year, int32_t month, int32_t day, int32_t& days) {
  if (year < -4713 || year > 5874897 || month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > DaysInMonth(year, month)) return false;
  const int64_t count = CountDays(year, month, day);
  if (count < kFirstDate) return false;
  days = static_cast<int32_t>(count);
  return true;
}

bool IsDateInRange(int32_t days) { return days >= kFirstDate && days <= kLastDate; }
bool IsTimestampInRange(int64_t micros) { return micros >= kFirstTimestamp && micros <= kLastTimestamp; }

bool DateToTimestamp(int32_t days, int64_t& micros) {
  if (IsInfiniteDate(days)) {
    micros = days == kDateInfinity ? kTimestampInfinity : kTimestampMinusInfinity;
    return true;
  }
  return !__builtin_mul_overflow(int64_t{days}, kMicrosPerDay, &micros) && IsTimestampInRange(micros);
}

int32_t TimestampToDate(int64_t micros) {
  if (IsInfiniteTimestamp(micros)) return micros == kTimestampInfinity ? kDateInfinity : kDateMinusInfinity;
  return static_cast<int32_t>(FloorDivide(micros, kMicrosPerDay));
}

int64_t TimeOfTimestamp(int64_t micros) {
  const int64_t time = micros % kMicrosPerDay;
  return time < 0 ? time + kMicrosPerDay : time;
}

int64_t TimeOfInterval(const Interval& interval) { return TimeOfTimestamp(interval.micros); }

bool AddInterval(int64_t timestamp, const Interval& interval, int64_t& result) {
  if (IsInfiniteTimestamp(timestamp)) {
    result = timestamp;
    return true;
  }
  int32_t days = TimestampToDate(timestamp);
  const int64_t time = TimeOfTimestamp(timestamp);
  if (interval.months != 0) {
    const CivilDate date = CivilFromDays(days);
    const int64_t month_index = int64_t{date.year} * 12 + (date.month - 1) + interval.months;
    const int64_t year = FloorDivide(month_index, 12);
    if (year < -4713 || year > 5874897) return false;
    const int32_t month = static_cast<int32_t>(month_index - year * 12) + 1;
    const int32_t day = std::min(date.day, DaysInMonth(static_cast<int32_t>(year), month));
    if (!MakeDate(static_cast<int32_t>(year), month, day, days)) return false;
  }
  const int64_t day_count = int64_t{days} + interval.days;
  int64_t micros;
  if (__builtin_mul_overflow(day_count, kMicrosPerDay, &micros)) return false;
  if (__builtin_add_overflow(micros, time, &micros)) return false;
  if (__builtin_add_overflow(micros, interval.micros, &micros)) return false;
  if (!IsTimestampInRange(micros)) return false;
  result = micros;
  return true;
}

int128_t IntervalSortKey(const Interval& interval) {
  const int64_t days = int64_t{interval.months} * 30 + interval.days;
  return static_cast<int128_t>(days) * kMicrosPerDay + interval.micros;
}

}  // namespace scaup
