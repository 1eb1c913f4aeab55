// Days since 1970-01-01 as dates of the Gregorian calendar, and back.
#pragma once

#include <cstdint>

namespace scaup::python {

struct CivilDate {
  int64_t year;
  int month;
  int day;
};

/// Any day of years -5 million to 5 million.
CivilDate CivilFromDays(int64_t days);
int64_t DaysFromCivil(int64_t year, int month, int day);

inline constexpr int64_t kMicrosPerSecond = 1000000;
inline constexpr int64_t kMicrosPerDay = 86400 * kMicrosPerSecond;

}  // namespace scaup::python
