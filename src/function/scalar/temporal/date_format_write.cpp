// Writes dates, times and intervals by templates: to_char.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "function/scalar/temporal/date_names.hpp"
#include "function/scalar/temporal/iso_week.hpp"
#include "type/text/ascii.hpp"

namespace scaup {

namespace {

/// Appends a number with leading zeros; `width` counts the sign.
void AppendNumber(int64_t value, size_t width, std::string& out) {
  SCAUP_ASSERT(width <= 7);
  char buffer[32];
  char* const end = buffer + sizeof(buffer);
  char* begin = end;
  const auto sign = static_cast<size_t>(value < 0 ? 1 : 0);
  auto rest = static_cast<uint64_t>(value < 0 ? -value : value);
  do {
    *--begin = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  while (static_cast<size_t>(end - begin) + sign < width) *--begin = '0';
  if (sign > 0) *--begin = '-';
  out.append(begin, end);
}

std::string_view UpperOrdinal(std::string_view number) {
  if (number.size() > 1 && number[number.size() - 2] == '1') return "TH";
  switch (number.back()) {
    case '1': return "ST";
    case '2': return "ND";
    case '3': return "RD";
    default: return "TH";
  }
}

constexpr int32_t kMonthsPerYear = 12;
constexpr int32_t kSecondsPerHour = 3600;

/// The place of an interval's or date's month among the roman numerals. Negative months count back from
/// December, and a number of whole years is December, too, or January if it is negative.
size_t RomanMonthIndex(const DateFields& fields) {
  if (fields.month == 0) return fields.year >= 0 ? kMonthsPerYear - 1 : 0;
  return static_cast<size_t>(fields.month < 0 ? kMonthsPerYear + fields.month : fields.month - 1);
}

/// The year as templates show it: 1 BC is 1.
int64_t YearShown(int64_t year, bool is_interval) { return is_interval || year > 0 ? year : 1 - year; }

int64_t CenturyOf(const DateFields& fields) {
  if (fields.is_interval) return fields.year / 100;
  return fields.year > 0 ? (fields.year - 1) / 100 + 1 : fields.year / 100 - 1;
}

int32_t ScaledFraction(int32_t micros, uint8_t digits) {
  for (; digits < 6; digits++) micros /= 10;
  return micros;
}

}  // namespace

DateFields FieldsOfTimestamp(int64_t timestamp) {
  SCAUP_ASSERT(IsFiniteTimestamp(timestamp));
  const int32_t days = DayOfTimestamp(timestamp);
  const int64_t micros = MicrosOfDay(timestamp);
  const CivilDate date = CivilFromDays(days);
  DateFields fields;
  fields.year = date.year;
  fields.month = date.month;
  fields.day = date.day;
  fields.hour = micros / kMicrosPerHour;
  fields.minute = static_cast<int32_t>(micros / kMicrosPerMinute % 60);
  fields.second = static_cast<int32_t>(micros / kMicrosPerSecond % 60);
  fields.micros = static_cast<int32_t>(micros % kMicrosPerSecond);
  return fields;
}

DateFields FieldsOfInterval(const Interval& interval) {
  DateFields fields;
  fields.year = interval.months / kMonthsPerYear;
  fields.month = interval.months % kMonthsPerYear;
  fields.day = interval.days;
  fields.day_of_year = int64_t{interval.months} * 30 + interval.days;
  fields.hour = interval.micros / kMicrosPerHour;
  fields.minute = static_cast<int32_t>(interval.micros / kMicrosPerMinute % 60);
  fields.second = static_cast<int32_t>(interval.micros / kMicrosPerSecond % 60);
  fields.micros = static_cast<int32_t>(interval.micros % kMicrosPerSecond);
  fields.is_interval = true;
  return fields;
}

DateFields FieldsOfMoment(TimeZoneConverter& zone, int64_t moment) {
  int64_t local;
  if (!zone.ToLocal(moment, local))
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
  DateFields fields = FieldsOfTimestamp(local);
  const TimeZone::Period& period = zone.PeriodAt(moment);
  fields.offset_seconds = period.offset_seconds;
  fields.zone = zone.zone().Abbreviation(period);
  return fields;
}

/// Writes one field.
struct DateFormat::Writer {
  const Part& part;
  const DateFields& fields;
  std::string& out;

  void WriteName(std::string_view text, size_t width) const {
    for (const char c : text) {
      out.push_back(part.letters == Letters::kUpper   ? ToUpper(c)
                    : part.letters == Letters::kLower ? ToLower(c)
                                                      : c);
    }
    if (part.fill && text.size() < width) out.append(width - text.size(), ' ');
  }

  /// `width` counts the sign.
  void WriteNumber(int64_t value, size_t width) const { WriteFilled(value, part.fill ? width : 0); }
  /// Ignores FM.
  void WriteFilled(int64_t value, size_t width) const {
    const size_t begin = out.size();
    AppendNumber(value, width, out);
    if (part.ordinal == Ordinal::kNone) return;
    const std::string_view ending = UpperOrdinal(std::string_view(out).substr(begin));
    for (const char c : ending) out.push_back(part.ordinal == Ordinal::kLower ? ToLower(c) : c);
  }
  /// `width` does not count the sign.
  void WriteSigned(int64_t value, size_t width) const { WriteNumber(value, width + (value < 0 ? 1 : 0)); }

  void WriteYear(int64_t year) const {
    const int64_t shown = YearShown(year, fields.is_interval);
    // As in PostgreSQL, the calendar's year says how wide the year of the week is.
    const size_t sign = YearShown(fields.year, fields.is_interval) < 0 ? 1 : 0;
    switch (part.keyword->width) {
      case 1: return WriteNumber(shown % 10, 1);
      case 2: return WriteNumber(shown % 100, 2 + sign);
      case 3: return WriteNumber(shown % 1000, 3 + sign);
      default: return WriteNumber(shown, 4 + sign);
    }
  }

  void WriteYearWithComma() const {
    const int64_t shown = YearShown(fields.year, fields.is_interval);
    const size_t begin = out.size();
    AppendNumber(shown / 1000, 0, out);
    out.push_back(',');
    AppendNumber(shown % 1000, 3, out);
    if (part.ordinal == Ordinal::kNone) return;
    const std::string_view ending = UpperOrdinal(std::string_view(out).substr(begin));
    for (const char c : ending) out.push_back(part.ordinal == Ordinal::kLower ? ToLower(c) : c);
  }

  void WriteCentury() const {
    const int64_t century = CenturyOf(fields);
    if (century > 99 || century < -99) return WriteNumber(century, 0);
    WriteSigned(century, 2);
  }

  void WriteHour12() const {
    const int64_t hour = fields.hour % 12;
    WriteNumber(hour == 0 ? 12 : hour, fields.hour < 0 ? 3 : 2);
  }

  int64_t DayOfYear() const {
    if (fields.is_interval) return fields.day_of_year;
    return JulianDay(fields.year, fields.month, fields.day) - JulianDay(fields.year, 1, 1) + 1;
  }
  int64_t Julian() const { return JulianDay(fields.year, fields.month, fields.day); }
  IsoWeekDate Week() const { return IsoWeekOf(Julian(), fields.year); }
  int64_t DayOfWeek() const { return (Julian() + 1) % 7; }

  void RequireDate() const {
    if (!fields.is_interval) return;
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat,
               "an interval has no field \"" + part.text + "\": it is not tied to a calendar date");
  }

  void WriteMonthName(size_t letters, size_t width) const {
    RequireDate();
    WriteName(kMonthNames[fields.month - 1].substr(0, letters), part.is_translated ? 0 : width);
  }
  void WriteDayName(size_t letters, size_t width) const {
    RequireDate();
    WriteName(kDayNames[DayOfWeek()].substr(0, letters), part.is_translated ? 0 : width);
  }
  void WriteDayOfWeek(int64_t sunday) const {
    RequireDate();
    const int64_t day = DayOfWeek();
    WriteNumber(sunday == 1 ? day + 1 : day == 0 ? sunday : day, 0);
  }

  /// Writes A.M. or AM, and the like.
  void WriteHalf(bool is_second, std::string_view first, std::string_view second) const {
    const std::string_view text = is_second ? second : first;
    if (part.keyword->width == 4) return WriteName(text, 0);
    const char letters[] = {text[0], text[2]};
    WriteName({letters, 2}, 0);
  }
  void WriteEra() const {
    RequireDate();
    WriteHalf(fields.year > 0, "b.c.", "a.d.");
  }

  void WriteZoneHour(bool fill) const {
    RequireDate();
    out.push_back(fields.offset_seconds < 0 ? '-' : '+');
    AppendNumber(std::abs(fields.offset_seconds) / kSecondsPerHour, fill ? 2 : 0, out);
  }
  void WriteZoneMinute() const {
    RequireDate();
    AppendNumber(std::abs(fields.offset_seconds) % kSecondsPerHour / 60, 2, out);
  }
  void WriteOffset() const {
    WriteZoneHour(part.fill);
    if (fields.offset_seconds % kSecondsPerHour == 0) return;
    out.push_back(':');
    WriteZoneMinute();
  }
  void WriteZoneName() const {
    RequireDate();
    WriteName(fields.zone, 0);
  }

  void WriteRomanMonth() const {
    if (fields.month == 0 && fields.year == 0) return;
    WriteName(kRomanMonths[RomanMonthIndex(fields)], 4);
  }

  void Write() const {
    switch (part.keyword->field) {
      case Field::kEra: return WriteEra();
      case Field::kYearComma: return WriteYearWithComma();
      case Field::kYear: return WriteYear(fields.year);
      case Field::kIsoYear: return WriteYear(Week().year);
      case Field::kCentury: return WriteCentury();
      case Field::kQuarter: return fields.month == 0 ? void() : WriteNumber((fields.month - 1) / 3 + 1, 0);
      case Field::kMonth: return WriteSigned(fields.month, 2);
      case Field::kMonthName: return WriteMonthName(9, 9);
      case Field::kMonthShort: return WriteMonthName(3, 0);
      case Field::kRomanMonth: return WriteRomanMonth();
      case Field::kWeekOfMonth: return WriteNumber((fields.day - 1) / 7 + 1, 0);
      case Field::kWeek: return WriteNumber((DayOfYear() - 1) / 7 + 1, 2);
      case Field::kIsoWeek: return WriteNumber(Week().week, 2);
      case Field::kDay: return WriteNumber(fields.day, 2);
      case Field::kDayOfYear: return WriteNumber(DayOfYear(), 3);
      case Field::kIsoDayOfYear: return WriteNumber(Week().day_of_year, 3);
      case Field::kDayName: return WriteDayName(9, 9);
      case Field::kDayShort: return WriteDayName(3, 0);
      case Field::kDayOfWeek: return WriteDayOfWeek(1);
      case Field::kIsoDayOfWeek: return WriteDayOfWeek(7);
      case Field::kJulian: return WriteNumber(Julian(), 0);
      case Field::kHour24: return WriteSigned(fields.hour, 2);
      case Field::kHour12: return WriteHour12();
      case Field::kMeridiem: return WriteHalf(fields.hour % 24 >= 12, "a.m.", "p.m.");
      case Field::kMinute: return WriteSigned(fields.minute, 2);
      case Field::kSecond: return WriteSigned(fields.second, 2);
      case Field::kFraction:
        return WriteFilled(ScaledFraction(fields.micros, part.keyword->width), part.keyword->width);
      case Field::kSecondOfDay:
        return WriteNumber(fields.hour * kSecondsPerHour + fields.minute * 60 + fields.second, 0);
      case Field::kZoneName: return WriteZoneName();
      case Field::kZoneHour: return WriteZoneHour(true);
      case Field::kZoneMinute: return WriteZoneMinute();
      case Field::kOffset: return WriteOffset();
      case Field::kFixedMode: return;
    }
  }
};

void DateFormat::Append(const DateFields& fields, std::string& out) const {
  for (const Part& part : parts_) {
    if (part.kind == PartKind::kField) {
      Writer{part, fields, out}.Write();
    } else {
      out += part.text;
    }
  }
}

}  // namespace scaup
