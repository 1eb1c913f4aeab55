// Compiles templates and formats timestamps by them.
#include "function/scalar/temporal/date_format.hpp"

#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_names.hpp"

namespace scaup {

// Longer keywords come before their prefixes.
const DateFormat::Keyword DateFormat::kKeywords[] = {
    {"Y,YYY", Field::kYear4},      {"YYYY", Field::kYear4},      {"YYY", Field::kYear3},
    {"YY", Field::kYear2},         {"Y", Field::kYear1},         {"IYYY", Field::kIsoYear},
    {"MONTH", Field::kMonthName},  {"MON", Field::kMonthShort},  {"MM", Field::kMonth},
    {"MI", Field::kMinute},        {"MS", Field::kMillisecond},  {"DAY", Field::kDayName},
    {"DDD", Field::kDayOfYear},    {"DD", Field::kDay},          {"DY", Field::kDayShort},
    {"D", Field::kDayOfWeek},      {"ID", Field::kIsoDayOfWeek}, {"HH24", Field::kHour24},
    {"HH12", Field::kHour12},      {"HH", Field::kHour12},       {"SSSSS", Field::kSecondOfDay},
    {"SSSS", Field::kSecondOfDay}, {"SS", Field::kSecond},       {"US", Field::kMicrosecond},
    {"A.M.", Field::kMeridiem},    {"P.M.", Field::kMeridiem},   {"AM", Field::kMeridiem},
    {"PM", Field::kMeridiem},      {"WW", Field::kWeek},         {"W", Field::kWeekOfMonth},
    {"IW", Field::kIsoWeek},       {"Q", Field::kQuarter},       {"CC", Field::kCentury},
    {"J", Field::kJulian},         {"B.C.", Field::kEra},        {"A.D.", Field::kEra},
    {"BC", Field::kEra},           {"AD", Field::kEra},
};

namespace {

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool BeginsWithKeyword(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  for (size_t i = 0; i < upper.size(); i++) {
    if (Upper(text[i]) != upper[i]) return false;
  }
  return true;
}

void AppendNumber(int64_t value, size_t width, std::string& out) {
  if (value < 0) out.push_back('-');
  const std::string digits = std::to_string(value < 0 ? -value : value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out.append(digits);
}

std::string_view OrdinalEnding(int64_t value) {
  if (value % 100 / 10 == 1) return "TH";
  switch (value % 10) {
    case 1: return "ST";
    case 2: return "ND";
    case 3: return "RD";
    default: return "TH";
  }
}

}  // namespace

/// Adds the field at the beginning of `rest`. Returns the bytes it takes; 0 if there is none.
size_t DateFormat::AddKeyword(std::string_view rest, bool fill) {
  for (const Keyword& keyword : kKeywords) {
    if (!BeginsWithKeyword(rest, keyword.text)) continue;
    Part part;
    part.field = keyword.field;
    part.fill = fill;
    part.dotted = keyword.text.find('.') != keyword.text.npos;
    const bool first_is_lower = rest[0] != Upper(rest[0]);
    const bool second_is_lower = keyword.text.size() > 1 && rest[1] != Upper(rest[1]);
    part.letters = first_is_lower ? Letters::kLower : second_is_lower ? Letters::kCapital : Letters::kUpper;
    size_t length = keyword.text.size();
    if (BeginsWithKeyword(rest.substr(length), "TH")) {
      part.ordinal = true;
      if (rest[length] == 't') part.letters = Letters::kLower;
      length += 2;
    }
    parts_.push_back(part);
    return length;
  }
  return 0;
}

DateFormat::DateFormat(std::string_view pattern) {
  const auto add_literal = [&](char c) {
    if (parts_.empty() || parts_.back().field != Field::kLiteral) parts_.emplace_back();
    parts_.back().literal.push_back(c);
  };
  bool fill = true, quoted = false;
  for (size_t i = 0; i < pattern.size();) {
    if (pattern[i] == '"') {
      quoted = !quoted;
      i++;
    } else if (quoted || pattern[i] == '\\') {
      if (pattern[i] == '\\' && i + 1 < pattern.size()) i++;
      add_literal(pattern[i++]);
    } else if (BeginsWithKeyword(pattern.substr(i), "FM")) {
      fill = false;
      i += 2;
    } else if (const size_t length = AddKeyword(pattern.substr(i), fill); length > 0) {
      fill = true;
      i += length;
    } else {
      add_literal(pattern[i++]);
    }
  }
}

void DateFormat::AppendPart(const Part& part, int64_t timestamp, std::string& out) const {
  const int32_t days = DayOfTimestamp(timestamp);
  const int64_t micros = MicrosOfDay(timestamp);
  const CivilDate date = CivilFromDays(days);
  const int64_t year = date.year > 0 ? date.year : 1 - int64_t{date.year};  // BC counts backwards from 1
  const int64_t hour = micros / kMicrosPerHour;
  const int64_t day_of_year = days - DaysFromCivil({date.year, 1, 1}) + 1;
  const auto name = [&](std::string_view text, size_t width) {
    for (size_t i = 0; i < text.size(); i++) {
      out.push_back(part.letters == Letters::kUpper   ? Upper(text[i])
                    : part.letters == Letters::kLower ? Lower(text[i])
                                                      : text[i]);
    }
    if (part.fill && text.size() < width) out.append(width - text.size(), ' ');
  };
  const auto number = [&](int64_t value, size_t width) {
    AppendNumber(value, part.fill ? width : 0, out);
    if (!part.ordinal) return;
    for (const char c : OrdinalEnding(value)) out.push_back(part.letters == Letters::kLower ? Lower(c) : c);
  };
  int32_t iso_year;
  switch (part.field) {
    case Field::kLiteral: out += part.literal; return;
    case Field::kYear4: return number(year, 4);
    case Field::kYear3: return number(year % 1000, 3);
    case Field::kYear2: return number(year % 100, 2);
    case Field::kYear1: return number(year % 10, 1);
    case Field::kIsoYear: IsoWeek(days, iso_year); return number(iso_year, 4);
    case Field::kMonth: return number(date.month, 2);
    case Field::kMonthName: return name(kMonthNames[date.month - 1], 9);
    case Field::kMonthShort: return name(kMonthNames[date.month - 1].substr(0, 3), 3);
    case Field::kDay: return number(date.day, 2);
    case Field::kDayOfYear: return number(day_of_year, 3);
    case Field::kDayName: return name(kDayNames[DayOfWeek(days)], 9);
    case Field::kDayShort: return name(kDayNames[DayOfWeek(days)].substr(0, 3), 3);
    case Field::kDayOfWeek: return number(DayOfWeek(days) + 1, 1);
    case Field::kIsoDayOfWeek: return number(FieldOfDate(DateField::kIsoDayOfWeek, days), 1);
    case Field::kHour24: return number(hour, 2);
    case Field::kHour12: return number(hour % 12 == 0 ? 12 : hour % 12, 2);
    case Field::kMinute: return number(micros / kMicrosPerMinute % 60, 2);
    case Field::kSecond: return number(micros / kMicrosPerSecond % 60, 2);
    case Field::kMillisecond: return number(micros / 1000 % 1000, 3);
    case Field::kMicrosecond: return number(micros % kMicrosPerSecond, 6);
    case Field::kMeridiem:
      return name(part.dotted ? (hour < 12 ? "a.m." : "p.m.") : (hour < 12 ? "am" : "pm"), 0);
    case Field::kWeekOfMonth: return number((date.day - 1) / 7 + 1, 1);
    case Field::kWeek: return number((day_of_year - 1) / 7 + 1, 2);
    case Field::kIsoWeek: return number(IsoWeek(days, iso_year), 2);
    case Field::kQuarter: return number((date.month - 1) / 3 + 1, 1);
    case Field::kCentury: return number(FieldOfDate(DateField::kCentury, days), 2);
    case Field::kJulian: return number(FieldOfDate(DateField::kJulian, days), 1);
    case Field::kSecondOfDay: return number(micros / kMicrosPerSecond, 1);
    case Field::kEra:
      return name(part.dotted ? (date.year > 0 ? "a.d." : "b.c.") : (date.year > 0 ? "ad" : "bc"), 0);
  }
}

void DateFormat::Append(int64_t timestamp, std::string& out) const {
  for (const Part& part : parts_) AppendPart(part, timestamp, out);
}

}  // namespace scaup
