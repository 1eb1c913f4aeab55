// The fields that a text gives by a template, and the date and time that they mean.
#pragma once

#include <cstdint>
#include <string_view>

#include "function/scalar/temporal/date_format.hpp"

namespace scaup {

/// Fields read from a text. As in PostgreSQL, one that is 0 counts as absent.
struct DateReading {
  int32_t second_of_day = 0, hour = 0, minute = 0, second = 0;
  int32_t milliseconds = 0, micros = 0;
  int32_t digits = 6;  ///< of the fraction, by FF1 .. FF6
  int32_t is_afternoon = 0, is_bc = 0;
  int32_t century = 0, year = 0, year_digits = 0;
  int32_t month = 0, day = 0, week = 0, week_of_month = 0;
  int32_t day_of_year = 0;
  int32_t day_of_week = 0;  ///< 1 is Sunday
  int32_t julian = 0;
  int32_t zone_sign = 0, zone_hours = 0, zone_minutes = 0;
  bool has_12_hours = false;
  bool uses_iso_weeks = false;

  /// Throws Error(22007, 22008 or 22009) if there is no such date or time. `text` is for messages.
  FormattedTime Resolve(std::string_view text) const;
};

}  // namespace scaup
