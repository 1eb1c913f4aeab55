// Reads timestamps by formats of strptime.
#include <algorithm>
#include <optional>

#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_names.hpp"
#include "function/scalar/temporal/strftime_format.hpp"
#include "type/text/ascii.hpp"
#include "type/time/time_zone_library.hpp"

namespace scaup {

namespace {

/// Fields read from a text; those that are absent have their default or no value.
struct StrptimeFields {
  int32_t year = 1900, month = 1, day = 1;
  bool has_month_or_day = false;
  std::optional<int32_t> day_of_year, iso_year, iso_week, sunday_week, monday_week;
  std::optional<int32_t> day_of_week;  ///< 0 is Sunday
  int32_t hour = 0, minute = 0, second = 0, nanos = 0;
  std::optional<bool> is_afternoon;

  bool ToTimestamp(int64_t& timestamp) const;

 private:
  bool ToDays(int32_t& days) const;
  int64_t FromMonday() const { return day_of_week ? (*day_of_week + 6) % 7 : 0; }
};

/// The day of a week of a year, when week 1 begins with the year's first `start` (0 is Sunday).
int64_t DayOfWeekOfYear(int32_t year, int32_t start, int32_t week, int64_t days_from_start) {
  const int32_t first = DaysFromCivil({year, 1, 1});
  const int32_t first_start = first + (start - DayOfWeek(first) + 7) % 7;
  return first_start + (int64_t{week} - 1) * 7 + days_from_start;
}

/// The month and the day say which day it is, or else the day of the year, or else the week.
bool StrptimeFields::ToDays(int32_t& days) const {
  if (has_month_or_day) return MakeDate(year, month, day, days);
  if (!MakeDate(year, 1, 1, days)) return false;
  if (day_of_year) {
    days += *day_of_year - 1;
    return *day_of_year < 366 || IsLeapYear(year);
  }
  int64_t found = days;
  if (iso_week || iso_year) {
    // The week with 4 January is the first one.
    found = int64_t{MondayOf(DaysFromCivil({iso_year.value_or(year), 1, 4}))} +
            (iso_week.value_or(1) - 1) * 7 + FromMonday();
  } else if (sunday_week) {
    found = DayOfWeekOfYear(year, 0, *sunday_week, day_of_week.value_or(0));
  } else if (monday_week) {
    found = DayOfWeekOfYear(year, 1, *monday_week, FromMonday());
  }
  days = static_cast<int32_t>(found);
  return true;
}

bool StrptimeFields::ToTimestamp(int64_t& timestamp) const {
  int32_t days;
  if (!ToDays(days)) return false;
  int32_t hours = hour;
  if (is_afternoon) {
    if (hour > 12) return false;
    hours = hour % 12 + (*is_afternoon ? 12 : 0);
  }
  timestamp = days * kMicrosPerDay + hours * kMicrosPerHour + minute * kMicrosPerMinute +
              second * kMicrosPerSecond + nanos / 1000;
  return true;
}

}  // namespace

/// Reads one text.
class StrftimeFormat::Reader {
 public:
  Reader(std::string_view text, ParsedTimestamp& result) : rest_(text), result_(result) {}

  bool Read(const std::vector<Part>& parts) {
    SkipSpaces();
    for (const Part& part : parts) {
      if (!(part.field == Field::kText ? ReadText(part.text) : ReadField(part.field))) return false;
    }
    SkipSpaces();
    return rest_.empty() && fields_.ToTimestamp(result_.local_micros);
  }

 private:
  void SkipSpaces() {
    while (!rest_.empty() && IsSpace(rest_[0])) rest_.remove_prefix(1);
  }
  bool ReadText(std::string_view text);
  bool ReadNumber(size_t most_digits, int32_t low, int32_t high, int32_t& value);
  bool ReadOptional(size_t most_digits, int32_t low, int32_t high, std::optional<int32_t>& value) {
    return ReadNumber(most_digits, low, high, value.emplace());
  }
  bool ReadFraction(size_t most_digits);
  template <size_t kCount>
  bool ReadName(const std::string_view (&names)[kCount], size_t letters, int32_t& index);
  bool ReadMonth(size_t letters);
  bool ReadMeridiem();
  bool ReadOffset();
  bool ReadZone();
  bool ReadField(Field field);

  std::string_view rest_;
  ParsedTimestamp& result_;
  StrptimeFields fields_;
};

/// A blank of the format matches one or more of the text, any other character itself.
bool StrftimeFormat::Reader::ReadText(std::string_view text) {
  for (size_t i = 0; i < text.size(); i++) {
    const bool is_space = IsSpace(text[i]);
    if (is_space && i > 0 && IsSpace(text[i - 1])) continue;
    if (rest_.empty() || (is_space ? !IsSpace(rest_[0]) : rest_[0] != text[i])) return false;
    rest_.remove_prefix(1);
    if (is_space) SkipSpaces();
  }
  return true;
}

bool StrftimeFormat::Reader::ReadNumber(size_t most_digits, int32_t low, int32_t high, int32_t& value) {
  size_t digits = 0;
  value = 0;
  while (digits < most_digits && digits < rest_.size() && IsDigit(rest_[digits]))
    value = value * 10 + (rest_[digits++] - '0');
  rest_.remove_prefix(digits);
  return digits != 0 && value >= low && value <= high;
}

bool StrftimeFormat::Reader::ReadFraction(size_t most_digits) {
  constexpr size_t kDigits = 9;
  const size_t before = rest_.size();
  if (!ReadNumber(most_digits, 0, 999'999'999, fields_.nanos)) return false;
  for (size_t digits = before - rest_.size(); digits < kDigits; digits++) fields_.nanos *= 10;
  return true;
}

/// Reads a name of which so many letters count, in any case.
template <size_t kCount>
bool StrftimeFormat::Reader::ReadName(const std::string_view (&names)[kCount], size_t letters,
                                      int32_t& index) {
  for (size_t i = 0; i < kCount; i++) {
    const std::string_view name = names[i].substr(0, letters);
    const bool matches =
        rest_.size() >= name.size() && std::equal(name.begin(), name.end(), rest_.begin(),
                                                  [](char a, char b) { return ToLower(a) == ToLower(b); });
    if (!matches) continue;
    rest_.remove_prefix(name.size());
    index = static_cast<int32_t>(i);
    return true;
  }
  return false;
}

bool StrftimeFormat::Reader::ReadMonth(size_t letters) {
  fields_.has_month_or_day = true;
  if (!ReadName(kMonthNames, letters, fields_.month)) return false;
  fields_.month++;
  return true;
}

bool StrftimeFormat::Reader::ReadMeridiem() {
  constexpr std::string_view kHalves[] = {"AM", "PM"};
  int32_t half;
  if (!ReadName(kHalves, 2, half)) return false;
  fields_.is_afternoon = half == 1;
  return true;
}

/// Reads +HH, +HHMM, +HH:MM or +HH:MM:SS.
bool StrftimeFormat::Reader::ReadOffset() {
  if (rest_.empty() || (rest_[0] != '+' && rest_[0] != '-')) return false;
  const int32_t sign = rest_[0] == '-' ? -1 : 1;
  rest_.remove_prefix(1);
  int32_t parts[3] = {};
  constexpr int32_t kMost[] = {24, 59, 59};
  for (size_t i = 0; i < 3; i++) {
    const bool has_colon = rest_.starts_with(':');
    if (i > 0 && !has_colon && (i == 2 || rest_.empty() || !IsDigit(rest_[0]))) break;
    if (i > 0 && has_colon) rest_.remove_prefix(1);
    const size_t before = rest_.size();
    if (!ReadNumber(2, 0, kMost[i], parts[i]) || before - rest_.size() != 2) return false;
  }
  result_.has_offset = true;
  result_.offset_seconds = sign * (parts[0] * 3600 + parts[1] * 60 + parts[2]);
  return true;
}

bool StrftimeFormat::Reader::ReadZone() {
  const size_t length = std::min(rest_.find_first_of(" \t\n\r\f\v"), rest_.size());
  result_.zone = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return length > 0;
}

bool StrftimeFormat::Reader::ReadField(Field field) {
  StrptimeFields& f = fields_;
  int32_t ignored;
  switch (field) {
    case Field::kText: return true;
    case Field::kYear: return ReadNumber(4, 0, 9999, f.year);
    case Field::kYearOfCentury:
      if (!ReadNumber(2, 0, 99, f.year)) return false;
      f.year += f.year < 69 ? 2000 : 1900;
      return true;
    case Field::kMonth: f.has_month_or_day = true; return ReadNumber(2, 1, 12, f.month);
    case Field::kMonthShort: return ReadMonth(3);
    case Field::kMonthName: return ReadMonth(9);
    case Field::kDay: f.has_month_or_day = true; return ReadNumber(2, 1, 31, f.day);
    // As in DuckDB, the name of a day is read, but does not say which day it is.
    case Field::kDayShort: return ReadName(kDayNames, 3, ignored);
    case Field::kDayName: return ReadName(kDayNames, 9, ignored);
    case Field::kDayOfWeek: return ReadOptional(1, 0, 6, f.day_of_week);
    case Field::kIsoDayOfWeek:
      if (!ReadOptional(1, 1, 7, f.day_of_week)) return false;
      *f.day_of_week %= 7;
      return true;
    case Field::kDayOfYear: return ReadOptional(3, 1, 366, f.day_of_year);
    case Field::kWeekOfSunday: return ReadOptional(2, 0, 53, f.sunday_week);
    case Field::kWeekOfMonday: return ReadOptional(2, 0, 53, f.monday_week);
    case Field::kIsoWeek: return ReadOptional(2, 1, 53, f.iso_week);
    case Field::kIsoYear: return ReadOptional(4, 0, 9999, f.iso_year);
    case Field::kHour24: return ReadNumber(2, 0, 23, f.hour);
    case Field::kHour12: return ReadNumber(2, 1, 12, f.hour);
    case Field::kMeridiem: return ReadMeridiem();
    case Field::kMinute: return ReadNumber(2, 0, 59, f.minute);
    case Field::kSecond: return ReadNumber(2, 0, 59, f.second);
    case Field::kMillisecond: return ReadFraction(3);
    case Field::kMicrosecond: return ReadFraction(6);
    case Field::kNanosecond: return ReadFraction(9);
    case Field::kOffset: return ReadOffset();
    case Field::kZone: return ReadZone();
  }
  return false;
}

bool StrftimeFormat::Parse(std::string_view text, ParsedTimestamp& result) const {
  result = ParsedTimestamp();
  return Reader(text, result).Read(parts_);
}

bool FindMoment(const ParsedTimestamp& parsed, TimeZoneConverter& zone, int64_t& moment) {
  int32_t offset = parsed.offset_seconds;
  if (parsed.has_offset || FindZoneAbbreviation(parsed.zone, offset))
    return AddInterval(parsed.local_micros, {0, 0, -offset * kMicrosPerSecond}, moment);
  if (parsed.zone.empty()) return zone.ToMoment(parsed.local_micros, moment);
  const TimeZoneLibrary* const library = zone.zone().library();
  const auto named = library == nullptr ? nullptr : library->Find(parsed.zone);
  return named && TimeZoneConverter(*named).ToMoment(parsed.local_micros, moment);
}

}  // namespace scaup
