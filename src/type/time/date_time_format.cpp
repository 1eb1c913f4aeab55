// Formats dates, times, timestamps and intervals in PostgreSQL's ISO style.
#include <charconv>
#include <cstring>

#include "type/number/number_text.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_tz.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

namespace {

char* PutText(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* PutNumber(int64_t value, char* out) { return std::to_chars(out, out + 24, value).ptr; }

char* PutTwoDigits(int64_t value, char* out) {
  out[0] = static_cast<char>('0' + value / 10);
  out[1] = static_cast<char>('0' + value % 10);
  return out + 2;
}

// Writes a time; the hours of an interval may have more than two digits.
char* PutTime(uint64_t micros, char* out) {
  const uint64_t seconds = micros / kMicrosPerSecond;
  uint64_t fraction = micros % kMicrosPerSecond;
  const uint64_t hours = seconds / 3600;
  out = hours < 100 ? PutTwoDigits(static_cast<int64_t>(hours), out)
                    : PutNumber(static_cast<int64_t>(hours), out);
  *out++ = ':';
  out = PutTwoDigits(static_cast<int64_t>(seconds / 60 % 60), out);
  *out++ = ':';
  out = PutTwoDigits(static_cast<int64_t>(seconds % 60), out);
  if (fraction == 0) return out;
  *out++ = '.';
  for (uint64_t unit = 100'000; fraction != 0; unit /= 10) {
    *out++ = static_cast<char>('0' + fraction / unit);
    fraction %= unit;
  }
  return out;
}

// Writes "2024-02-29", the year with at least four digits. For years up to 0 the caller appends BC.
char* PutDate(const CivilDate& date, char* out) {
  const int32_t year = date.year > 0 ? date.year : 1 - date.year;
  if (year < 10000) {
    out = PutTwoDigits(year / 100, out);
    out = PutTwoDigits(year % 100, out);
  } else {
    out = PutNumber(year, out);
  }
  *out++ = '-';
  out = PutTwoDigits(date.month, out);
  *out++ = '-';
  return PutTwoDigits(date.day, out);
}

// Writes the offset of a zone: "+02", "-04:56:02".
char* PutOffset(int32_t offset, char* out) {
  *out++ = offset < 0 ? '-' : '+';
  const int32_t magnitude = offset < 0 ? -offset : offset;
  out = PutTwoDigits(magnitude / 3600, out);
  if (magnitude % 3600 != 0) {
    *out++ = ':';
    out = PutTwoDigits(magnitude / 60 % 60, out);
  }
  if (magnitude % 60 != 0) {
    *out++ = ':';
    out = PutTwoDigits(magnitude % 60, out);
  }
  return out;
}

// Appends a part of an interval, such as "3 days". A positive part after a negative one gets a '+'.
char* PutIntervalPart(int64_t value, std::string_view unit, bool& previous_is_negative, char* const begin,
                      char* out) {
  if (value == 0) return out;
  if (out != begin) *out++ = ' ';
  if (previous_is_negative && value > 0) *out++ = '+';
  out = PutNumber(value, out);
  *out++ = ' ';
  out = PutText(unit, out);
  if (value != 1) *out++ = 's';
  previous_is_negative = value < 0;
  return out;
}

}  // namespace

size_t FormatDate(int32_t days, char* out) {
  char* cursor = out;
  if (IsInfiniteDate(days)) {
    cursor = PutText(days == kDateInfinity ? "infinity" : "-infinity", cursor);
  } else {
    const CivilDate date = CivilFromDays(days);
    cursor = PutDate(date, cursor);
    if (date.year <= 0) cursor = PutText(" BC", cursor);
  }
  return static_cast<size_t>(cursor - out);
}

size_t FormatTime(int64_t micros, char* out) {
  return static_cast<size_t>(PutTime(static_cast<uint64_t>(micros), out) - out);
}

size_t FormatTimeTz(int64_t stored, char* out) {
  const TimeTz time = LoadTimeTz(stored);
  return static_cast<size_t>(
      PutOffset(time.offset_seconds, PutTime(static_cast<uint64_t>(time.micros), out)) - out);
}

size_t FormatTimestamp(int64_t micros, char* out) {
  char* cursor = out;
  if (IsInfiniteTimestamp(micros)) {
    cursor = PutText(micros == kTimestampInfinity ? "infinity" : "-infinity", cursor);
  } else {
    const CivilDate date = CivilFromDays(TimestampToDate(micros));
    cursor = PutDate(date, cursor);
    *cursor++ = ' ';
    cursor = PutTime(static_cast<uint64_t>(TimeOfTimestamp(micros)), cursor);
    if (date.year <= 0) cursor = PutText(" BC", cursor);
  }
  return static_cast<size_t>(cursor - out);
}

size_t FormatTimestampTz(int64_t micros, TimeZoneConverter& zone, char* out) {
  int64_t local;
  // A moment at the very end of the range is printed in UTC.
  const bool is_finite = !IsInfiniteTimestamp(micros);
  const int32_t offset = is_finite && zone.ToLocal(micros, local) ? zone.PeriodAt(micros).offset_seconds : 0;
  if (!is_finite) return FormatTimestamp(micros, out);
  if (offset == 0) local = micros;
  const CivilDate date = CivilFromDays(TimestampToDate(local));
  char* cursor = PutDate(date, out);
  *cursor++ = ' ';
  cursor = PutTime(static_cast<uint64_t>(TimeOfTimestamp(local)), cursor);
  cursor = PutOffset(offset, cursor);
  if (date.year <= 0) cursor = PutText(" BC", cursor);
  return static_cast<size_t>(cursor - out);
}

size_t FormatInterval(const Interval& interval, char* out) {
  char* cursor = out;
  bool negative = false;
  cursor = PutIntervalPart(interval.months / 12, "year", negative, out, cursor);
  cursor = PutIntervalPart(interval.months % 12, "mon", negative, out, cursor);
  cursor = PutIntervalPart(interval.days, "day", negative, out, cursor);
  if (interval.micros != 0 || cursor == out) {
    if (cursor != out) *cursor++ = ' ';
    if (interval.micros < 0) {
      *cursor++ = '-';
    } else if (negative) {
      *cursor++ = '+';
    }
    const uint64_t magnitude = static_cast<uint64_t>(interval.micros);
    cursor = PutTime(interval.micros < 0 ? 0 - magnitude : magnitude, cursor);
  }
  return static_cast<size_t>(cursor - out);
}

std::string DateToString(int32_t days) {
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatDate(days, buffer));
}

std::string TimeToString(int64_t micros) {
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatTime(micros, buffer));
}

std::string TimestampToString(int64_t micros) {
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatTimestamp(micros, buffer));
}

std::string IntervalToString(const Interval& interval) {
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatInterval(interval, buffer));
}

}  // namespace scaup
