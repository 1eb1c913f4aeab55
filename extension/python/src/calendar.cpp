// Calendar: arithmetic with years that begin in March, so that the leap day is the last day of a year.
#include "calendar.hpp"

namespace scaup::python {

namespace {

constexpr int64_t kDaysPerEra = 146097;   // 400 years
constexpr int64_t kDaysToEpoch = 719468;  // from 0000-03-01 to 1970-01-01

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

CivilDate CivilFromDays(int64_t days) {
  const int64_t shifted = days + kDaysToEpoch;
  const int64_t era = FloorDivide(shifted, kDaysPerEra);
  const int64_t day_of_era = shifted - era * kDaysPerEra;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const int month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

int64_t DaysFromCivil(int64_t year, int month, int day) {
  const int64_t shifted_year = month <= 2 ? year - 1 : year;
  const int64_t era = FloorDivide(shifted_year, 400);
  const int64_t year_of_era = shifted_year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysToEpoch;
}

}  // namespace scaup::python
