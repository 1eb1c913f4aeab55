// Compiles formats of strftime, and writes timestamps by them.
#include "function/scalar/temporal/strftime_format.hpp"

#include "common/throw.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_names.hpp"

namespace scaup {

const StrftimeFormat::Specifier StrftimeFormat::kSpecifiers[] = {
    {'a', Field::kDayShort, false},     {'A', Field::kDayName, false},
    {'b', Field::kMonthShort, false},   {'B', Field::kMonthName, false},
    {'d', Field::kDay, true},           {'f', Field::kMicrosecond, false},
    {'g', Field::kMillisecond, false},  {'G', Field::kIsoYear, false},
    {'h', Field::kMonthShort, false},   {'H', Field::kHour24, true},
    {'I', Field::kHour12, true},        {'j', Field::kDayOfYear, true},
    {'m', Field::kMonth, true},         {'M', Field::kMinute, true},
    {'n', Field::kNanosecond, false},   {'p', Field::kMeridiem, false},
    {'S', Field::kSecond, true},        {'u', Field::kIsoDayOfWeek, false},
    {'U', Field::kWeekOfSunday, false}, {'V', Field::kIsoWeek, false},
    {'w', Field::kDayOfWeek, false},    {'W', Field::kWeekOfMonday, false},
    {'y', Field::kYearOfCentury, true}, {'Y', Field::kYear, false},
    {'z', Field::kOffset, false},       {'Z', Field::kZone, false},
};

namespace {

/// Specifiers that stand for several others.
constexpr std::string_view ExpansionOf(char letter) {
  switch (letter) {
    case 'c': return "%Y-%m-%d %H:%M:%S";
    case 'x': return "%Y-%m-%d";
    case 'X': return "%H:%M:%S";
    default: return {};
  }
}

void AppendDigits(int64_t value, size_t width, std::string& out) {
  if (value < 0) out.push_back('-');
  const std::string digits = std::to_string(value < 0 ? -value : value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out.append(digits);
}

/// The week of a day counted from 0 in its year, when week 1 begins with the year's first day that is
/// `days_since_start` days after the week's first weekday.
int64_t WeekOfYear(int64_t day_of_year, int64_t days_since_start) {
  return (day_of_year + 7 - days_since_start) / 7;
}

}  // namespace

void StrftimeFormat::AddText(std::string_view text) {
  if (parts_.empty() || parts_.back().field != Field::kText) parts_.emplace_back();
  parts_.back().text += text;
}

/// Adds the specifier at the beginning of `rest`. Returns the bytes that it takes.
size_t StrftimeFormat::AddSpecifier(std::string_view rest) {
  const bool is_unpadded = rest.size() > 1 && rest[1] == '-';
  const size_t at = is_unpadded ? 2 : 1;
  if (at < rest.size()) {
    const char letter = rest[at];
    if (letter == '%' && !is_unpadded) {
      AddText("%");
      return 2;
    }
    if (const std::string_view expansion = ExpansionOf(letter); !expansion.empty() && !is_unpadded) {
      Compile(expansion);
      return 2;
    }
    for (const Specifier& specifier : kSpecifiers) {
      if (specifier.letter != letter || (is_unpadded && !specifier.may_be_unpadded)) continue;
      has_zone_ |= specifier.field == Field::kOffset || specifier.field == Field::kZone;
      parts_.push_back({specifier.field, !is_unpadded});
      return at + 1;
    }
  }
  std::string known;
  for (const Specifier& specifier : kSpecifiers) known.push_back(specifier.letter);
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             "\"" + text_ + "\" is not a date format: \"" + std::string(rest.substr(0, at + 1)) +
                 "\" is no specifier; after % comes one of " + known + "cxX%");
}

void StrftimeFormat::Compile(std::string_view format) {
  while (!format.empty()) {
    const size_t length = format[0] == '%' ? AddSpecifier(format) : std::min(format.find('%'), format.size());
    if (format[0] != '%') AddText(format.substr(0, length));
    format.remove_prefix(length);
  }
}

StrftimeFormat::StrftimeFormat(std::string_view format) : text_(format) { Compile(format); }

/// The fields of one timestamp.
struct StrftimeFormat::Writer {
  int32_t days;
  int64_t micros;
  CivilDate date;
  int32_t offset_seconds;
  std::string_view zone;
  std::string& out;

  int64_t Hour() const { return micros / kMicrosPerHour; }
  int64_t DayOfYear() const { return days - DaysFromCivil({date.year, 1, 1}); }

  void WriteOffset() const {
    const int32_t offset = std::abs(offset_seconds);
    out.push_back(offset_seconds < 0 ? '-' : '+');
    AppendDigits(offset / 3600, 2, out);
    if (offset % 3600 == 0) return;
    out.push_back(':');
    AppendDigits(offset / 60 % 60, 2, out);
    if (offset % 60 == 0) return;
    out.push_back(':');
    AppendDigits(offset % 60, 2, out);
  }

  void Write(const Part& part) const {
    const auto number = [&](int64_t value, size_t width) {
      AppendDigits(value, part.is_padded ? width : 0, out);
    };
    int32_t iso_year;
    switch (part.field) {
      case Field::kText: out += part.text; return;
      case Field::kYear: return number(date.year, 4);
      case Field::kYearOfCentury: return number((date.year % 100 + 100) % 100, 2);
      case Field::kMonth: return number(date.month, 2);
      case Field::kMonthShort: out += kMonthNames[date.month - 1].substr(0, 3); return;
      case Field::kMonthName: out += kMonthNames[date.month - 1]; return;
      case Field::kDay: return number(date.day, 2);
      case Field::kDayShort: out += kDayNames[DayOfWeek(days)].substr(0, 3); return;
      case Field::kDayName: out += kDayNames[DayOfWeek(days)]; return;
      case Field::kDayOfWeek: return number(DayOfWeek(days), 1);
      case Field::kIsoDayOfWeek: return number((DayOfWeek(days) + 6) % 7 + 1, 1);
      case Field::kDayOfYear: return number(DayOfYear() + 1, 3);
      case Field::kWeekOfSunday: return number(WeekOfYear(DayOfYear(), DayOfWeek(days)), 2);
      case Field::kWeekOfMonday: return number(WeekOfYear(DayOfYear(), (DayOfWeek(days) + 6) % 7), 2);
      case Field::kIsoWeek: return number(IsoWeek(days, iso_year), 2);
      case Field::kIsoYear: IsoWeek(days, iso_year); return number(iso_year, 4);
      case Field::kHour24: return number(Hour(), 2);
      case Field::kHour12: return number((Hour() + 11) % 12 + 1, 2);
      case Field::kMeridiem: out += Hour() < 12 ? "AM" : "PM"; return;
      case Field::kMinute: return number(micros / kMicrosPerMinute % 60, 2);
      case Field::kSecond: return number(micros / kMicrosPerSecond % 60, 2);
      case Field::kMillisecond: return number(micros / 1000 % 1000, 3);
      case Field::kMicrosecond: return number(micros % kMicrosPerSecond, 6);
      case Field::kNanosecond: return number(micros % kMicrosPerSecond * 1000, 9);
      case Field::kOffset: return WriteOffset();
      case Field::kZone: out += zone; return;
    }
  }
};

void StrftimeFormat::Append(int64_t timestamp, int32_t offset_seconds, std::string_view zone,
                            std::string& out) const {
  const int32_t days = DayOfTimestamp(timestamp);
  const Writer writer{days, MicrosOfDay(timestamp), CivilFromDays(days), offset_seconds, zone, out};
  for (const Part& part : parts_) writer.Write(part);
}

}  // namespace scaup
