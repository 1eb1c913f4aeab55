// Parses timestamps by a template: to_date and to_timestamp.
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "function/scalar/temporal/date_names.hpp"

namespace scaup {

/// The fields read so far.
struct DateFormat::Read {
  int32_t year = 1, month = 1, day = 1;
  int32_t day_of_year = 0;
  int64_t julian = -1;
  int64_t hour = 0, minute = 0, second = 0, micros = 0;
  int64_t second_of_day = -1;
  bool twelve_hours = false, is_pm = false, is_bc = false;
  std::string reason;
};

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool SameLetters(std::string_view text, std::string_view name) {
  if (text.size() < name.size()) return false;
  for (size_t i = 0; i < name.size(); i++) {
    if ((text[i] | 32) != (name[i] | 32)) return false;
  }
  return true;
}

/// Reads up to `width` digits; at least one.
bool ReadNumber(std::string_view text, size_t& at, size_t width, int64_t& value) {
  const size_t start = at;
  value = 0;
  while (at < text.size() && at - start < width && IsDigit(text[at])) value = value * 10 + (text[at++] - '0');
  return at > start;
}

/// Reads a fraction of a second of up to `digits` digits, scaled to that many; further digits are skipped.
bool ReadFraction(std::string_view text, size_t& at, size_t digits, int64_t& value) {
  const size_t start = at;
  if (!ReadNumber(text, at, digits, value)) return false;
  for (size_t have = at - start; have < digits; have++) value *= 10;
  return true;
}

template <size_t kCount>
bool ReadName(std::string_view text, size_t& at, const std::string_view (&names)[kCount], size_t letters,
              int32_t& index) {
  for (size_t i = 0; i < kCount; i++) {
    const std::string_view name = names[i].substr(0, letters);
    if (!SameLetters(text.substr(at), name)) continue;
    index = static_cast<int32_t>(i);
    at += name.size();
    return true;
  }
  return false;
}

/// Two digits mean a year near 2020, as in PostgreSQL: 70 .. 99 are 19xx, 00 .. 69 are 20xx.
int32_t NearYear(int64_t year, size_t digits) {
  if (digits >= 4) return static_cast<int32_t>(year);
  if (digits == 3) return static_cast<int32_t>(year >= 520 ? 1000 + year : 2000 + year);
  return static_cast<int32_t>(year < 70 ? 2000 + year : 1900 + year);
}

}  // namespace

bool DateFormat::ReadPart(const Part& part, bool next_is_digit, std::string_view text, size_t& at,
                          Read& read) {
  while (at < text.size() && IsSpace(text[at])) at++;
  int64_t value;
  int32_t index;
  const auto number = [&](size_t width) { return ReadNumber(text, at, width, value); };
  switch (part.field) {
    case Field::kLiteral: {
      // Any separator matches any other; letters are skipped one by one, as in PostgreSQL.
      for (const char c : part.literal) {
        if (at >= text.size()) return true;
        if (IsLetter(c) || IsDigit(c)) {
          at++;
        } else if (!IsDigit(text[at]) && !IsLetter(text[at]) && !(text[at] == '-' && IsSpace(c))) {
          at++;
        }
      }
      return true;
    }
    case Field::kYear4:
    case Field::kIsoYear: {
      const bool is_negative = at < text.size() && text[at] == '-';
      at += is_negative;
      const size_t start = at;
      if (!number(next_is_digit ? 4 : 7)) return false;
      read.year = NearYear(value, at - start);
      if (is_negative) read.is_bc = true;
      return true;
    }
    case Field::kYear3:
    case Field::kYear2:
    case Field::kYear1: {
      const size_t width = part.field == Field::kYear3 ? 3 : part.field == Field::kYear2 ? 2 : 1;
      const size_t start = at;
      if (!number(next_is_digit ? width : 4)) return false;
      read.year = NearYear(value, at - start);
      return true;
    }
    case Field::kMonth: return number(2) && (read.month = static_cast<int32_t>(value), true);
    case Field::kMonthName:
      if (!ReadName(text, at, kMonthNames, 9, index) && !ReadName(text, at, kMonthNames, 3, index))
        return false;
      read.month = index + 1;
      return true;
    case Field::kMonthShort:
      return ReadName(text, at, kMonthNames, 3, index) && (read.month = index + 1, true);
    case Field::kDay: return number(2) && (read.day = static_cast<int32_t>(value), true);
    case Field::kDayOfYear: return number(3) && (read.day_of_year = static_cast<int32_t>(value), true);
    case Field::kDayName:
      return ReadName(text, at, kDayNames, 9, index) || ReadName(text, at, kDayNames, 3, index);
    case Field::kDayShort: return ReadName(text, at, kDayNames, 3, index);
    case Field::kHour12: read.twelve_hours = true; return number(2) && (read.hour = value, true);
    case Field::kHour24: return number(2) && (read.hour = value, true);
    case Field::kMinute: return number(2) && (read.minute = value, true);
    case Field::kSecond: return number(2) && (read.second = value, true);
    case Field::kMillisecond: return ReadFraction(text, at, 3, value) && (read.micros = value * 1000, true);
    case Field::kMicrosecond: return ReadFraction(text, at, 6, value) && (read.micros = value, true);
    case Field::kSecondOfDay: return number(5) && (read.second_of_day = value, true);
    case Field::kJulian: return number(7) && (read.julian = value, true);
    case Field::kMeridiem: {
      if (at >= text.size()) return false;
      read.is_pm = (text[at] | 32) == 'p';
      if (!read.is_pm && (text[at] | 32) != 'a') return false;
      read.twelve_hours = true;
      for (size_t length = part.dotted ? 4 : 2; length > 0 && at < text.size(); length--) at++;
      return true;
    }
    case Field::kEra: {
      if (at >= text.size()) return false;
      if ((text[at] | 32) == 'b') read.is_bc = true;
      for (size_t length = part.dotted ? 4 : 2; length > 0 && at < text.size(); length--) at++;
      return true;
    }
    // Read but ignored: the date follows from the other fields.
    case Field::kDayOfWeek:
    case Field::kIsoDayOfWeek:
    case Field::kWeekOfMonth:
    case Field::kQuarter: return number(1);
    case Field::kWeek:
    case Field::kIsoWeek:
    case Field::kCentury: return number(2);
  }
  return false;
}

bool DateFormat::Finish(const Read& read, int64_t& timestamp, std::string& reason) {
  int32_t days;
  const int32_t year = read.is_bc ? 1 - read.year : read.year;
  if (read.julian >= 0) {
    days = static_cast<int32_t>(read.julian - 2440588);
  } else if (!MakeDate(year, read.month, read.day, days)) {
    reason = "date/time field value out of range";
    return false;
  } else if (read.day_of_year > 0) {
    if (read.day_of_year > (IsLeapYear(year) ? 366 : 365)) {
      reason = "day of the year out of range";
      return false;
    }
    days = DaysFromCivil({year, 1, 1}) + read.day_of_year - 1;
  }
  int64_t hour = read.hour;
  if (read.twelve_hours) {
    if (hour < 1 || hour > 12) {
      reason = "hour \"" + std::to_string(hour) + "\" is invalid for the 12-hour clock";
      return false;
    }
    hour = hour % 12 + (read.is_pm ? 12 : 0);
  }
  if (hour > 24 || read.minute > 59 || read.second > 60) {
    reason = "date/time field value out of range";
    return false;
  }
  int64_t micros = hour * kMicrosPerHour + read.minute * kMicrosPerMinute + read.second * kMicrosPerSecond;
  if (read.second_of_day >= 0) micros = read.second_of_day * kMicrosPerSecond;
  if (!AddInterval(0, {0, days, micros + read.micros}, timestamp)) {
    reason = "timestamp out of range";
    return false;
  }
  return true;
}

bool DateFormat::Parse(std::string_view text, int64_t& timestamp, std::string& reason) const {
  Read read;
  size_t at = 0;
  for (size_t i = 0; i < parts_.size(); i++) {
    // A number directly followed by another one ends after its own width: YYYYMMDD.
    const bool next_is_digit = i + 1 < parts_.size() && parts_[i + 1].field != Field::kLiteral &&
                               parts_[i + 1].field != Field::kMonthName &&
                               parts_[i + 1].field != Field::kMonthShort;
    if (!ReadPart(parts_[i], next_is_digit, text, at, read)) {
      reason = "invalid value at \"" + std::string(text.substr(at, 20)) + "\"";
      return false;
    }
  }
  return Finish(read, timestamp, reason);
}

}  // namespace scaup
