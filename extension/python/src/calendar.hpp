// Calendar: converts between days since 1970-01-01 and dates of the Gregorian calendar.
#pragma once

#include <cstdint>

namespace scaup::python {

struct CivilDate {
  int64_t year;
  int month;
  int day;
};

/// Convert between days since 1970-01-01 and dates, for years from -5 million to 5 million.
CivilDate CivilFromDays(int64_t days);
int64_t DaysFromCivil(int64_t year, int month, int day);

inline constexpr int64_t kMicrosPerSecond = 1000000;
inline constexpr int64_t kMicrosPerDay = 86400 * kMicrosPerSecond;

}  // namespace scaup::python
