// Reads texts by templates: to_date and to_timestamp.
#include <algorithm>
#include <limits>

#include "common/throw.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "function/scalar/temporal/date_names.hpp"
#include "function/scalar/temporal/date_reading.hpp"
#include "type/text/ascii.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

/// At least so many bytes of a text for a message, without a part of a character at the end.
std::string Excerpt(std::string_view text, size_t size_bytes) {
  size_bytes = std::min(size_bytes, text.size());
  while (size_bytes < text.size() && !BeginsCharacter(text[size_bytes])) size_bytes++;
  return std::string(text.substr(0, size_bytes));
}

constexpr std::string_view kMeridiems[] = {"a.m.", "p.m."};
constexpr std::string_view kShortMeridiems[] = {"am", "pm"};
constexpr std::string_view kEras[] = {"a.d.", "b.c."};
constexpr std::string_view kShortEras[] = {"ad", "bc"};

[[noreturn]] void ThrowUnreadable(const std::string& message) {
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat, message);
}

bool BeginsWithIgnoringCase(std::string_view text, std::string_view name) {
  if (text.size() < name.size()) return false;
  for (size_t i = 0; i < name.size(); i++) {
    if (ToLower(text[i]) != ToLower(name[i])) return false;
  }
  return true;
}

/// Years of fewer than four digits are near 2020, as in PostgreSQL.
int32_t NearYear(int32_t year) {
  if (year < 70) return year + 2000;
  if (year < 100) return year + 1900;
  if (year < 520) return year + 2000;
  if (year < 1000) return year + 1000;
  return year;
}

/// The integer at the beginning of a text, as far as it goes, with white space and a sign before it.
struct LeadingInteger {
  int64_t value = 0;  ///< beyond 32 bits if the number is
  size_t length = 0;  ///< 0: there is no digit

  explicit LeadingInteger(std::string_view text) {
    size_t at = 0;
    while (at < text.size() && IsSpace(text[at])) at++;
    const bool is_negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) at++;
    for (; at < text.size() && IsDigit(text[at]); at++) {
      constexpr int64_t kBeyond = int64_t{1} << 40;
      value = std::min(value * 10 + (text[at] - '0'), kBeyond);
      length = at + 1;
    }
    if (is_negative) value = -value;
  }
};

}  // namespace

/// Reads one text.
class DateFormat::Reader {
 public:
  Reader(std::string_view text, bool is_strict)
      : text_(text), rest_(text), is_fixed_(is_strict), is_strict_(is_strict) {}

  DateReading Read(const std::vector<Part>& parts);

 private:
  void SkipSpaces() {
    while (!rest_.empty() && IsSpace(rest_[0])) {
      rest_.remove_prefix(1);
      skipped_++;
    }
  }
  void SkipCharacter() {
    if (!rest_.empty()) rest_.remove_prefix(CharacterLength(rest_, 0));
  }
  void SkipSame(std::string_view pattern);
  void SkipGap(std::string_view pattern);
  void SkipText(std::string_view pattern);
  void SkipOrdinal(const Part& part) {
    if (part.ordinal == Ordinal::kNone) return;
    SkipCharacter();
    SkipCharacter();
  }

  size_t ReadInteger(const Part& part, size_t width, int32_t& field);
  bool ReadPlainDigits(bool any_width, size_t width, int64_t& value);
  int64_t ReadFixedInteger(const Part& part, size_t width);
  void ReadNumber(const Part& part, int32_t& field) {
    ReadInteger(part, part.keyword->width, field);
    SkipOrdinal(part);
  }
  void ReadFraction(const Part& part);
  void ReadYear(const Part& part);
  void ReadYearWithComma(const Part& part);
  void ReadIsoDayOfWeek(const Part& part);
  void ReadZoneHour(const Part& part);
  void ReadZoneMinute(const Part& part);
  template <size_t kCount>
  int32_t ReadName(const Part& part, const std::string_view (&names)[kCount], size_t letters);
  void ReadHalf(const Part& part, const std::string_view (&names)[2], int32_t& field) {
    Set(part, field, ReadName(part, names, 4));
  }
  void ReadField(const Part& part);
  static void Set(const Part& part, int32_t& field, int32_t value);
  void UseCalendar(Calendar calendar);

  std::string_view text_, rest_;
  DateReading reading_;
  bool is_fixed_;
  bool is_strict_;
  Calendar calendar_ = Calendar::kAny;
  /// Characters that were skipped though the template did not ask for them.
  int64_t skipped_ = 0;
};

void DateFormat::Reader::SkipSame(std::string_view pattern) {
  if (!rest_.starts_with(pattern))
    ThrowUnreadable("unmatched format separator \"" + std::string(pattern) + "\"");
  rest_.remove_prefix(pattern.size());
}

/// A separator or blank of the template matches at most one of the text, whichever it is.
void DateFormat::Reader::SkipGap(std::string_view pattern) {
  for (size_t i = 0; i < pattern.size() && !rest_.empty(); i++) {
    if (is_fixed_) {
      SkipCharacter();
      continue;
    }
    skipped_--;
    if (IsSpace(rest_[0]) || IsTemplateSeparator(rest_[0])) {
      SkipCharacter();
      skipped_++;
    }
  }
}

/// A character of the template skips one of the text, whichever it is, or one that was skipped already.
void DateFormat::Reader::SkipText(std::string_view pattern) {
  for (; !pattern.empty() && !rest_.empty(); pattern.remove_prefix(CharacterLength(pattern, 0))) {
    if (!is_fixed_ && skipped_ > 0) {
      skipped_--;
    } else {
      SkipCharacter();
    }
  }
}

void DateFormat::Reader::Set(const Part& part, int32_t& field, int32_t value) {
  if (field != 0 && field != value)
    ThrowUnreadable("two values for field \"" + part.text + "\" of the format contradict each other");
  field = value;
}

void DateFormat::Reader::UseCalendar(Calendar calendar) {
  if (calendar == Calendar::kAny) return;
  if (calendar_ != Calendar::kAny && calendar_ != calendar) {
    ThrowUnreadable(
        "invalid combination of date conventions: a format has fields of the Gregorian calendar or of ISO "
        "weeks, not both");
  }
  calendar_ = calendar;
  reading_.uses_iso_weeks = calendar == Calendar::kIsoWeek;
}

/// Reads digits and nothing else: as many as there are, or `width`. Returns false for all other texts.
bool DateFormat::Reader::ReadPlainDigits(bool any_width, size_t width, int64_t& value) {
  constexpr size_t kMostDigits = 9;  // that surely fit
  const size_t most = std::min(rest_.size(), any_width ? kMostDigits + 1 : width);
  size_t count = 0;
  uint32_t number = 0;
  for (; count < most && IsDigit(rest_[count]); count++)
    number = number * 10 + static_cast<uint32_t>(rest_[count] - '0');
  if (count == 0 || count > kMostDigits || (!any_width && count < width)) return false;
  value = number;
  rest_.remove_prefix(count);
  return true;
}

/// Reads a number of just `width` characters, in which white space and a sign may stand before digits.
int64_t DateFormat::Reader::ReadFixedInteger(const Part& part, size_t width) {
  std::string_view shown = rest_;
  while (!shown.empty() && IsSpace(shown[0])) shown.remove_prefix(1);
  const bool is_too_short = shown.size() < width;
  const std::string_view behind = shown;
  shown = shown.substr(0, width);
  const LeadingInteger number(shown);
  if (is_too_short || (number.length > 0 && number.length < width)) {
    std::string message =
        "field \"" + part.text + "\" needs " + std::to_string(width) + " characters, but only ";
    if (is_too_short) {
      message += std::to_string(shown.size()) + " remain";
    } else {
      message = "invalid value \"" + Excerpt(behind, width) + "\": " + message +
                std::to_string(number.length) + " could be read";
    }
    ThrowUnreadable(message + "; if the text is not of fixed width, put FM before the field");
  }
  rest_ = behind.substr(number.length);
  return number.value;
}

/// Reads a number of `width` digits, or of any width where no digit can follow. Returns its length.
size_t DateFormat::Reader::ReadInteger(const Part& part, size_t width, int32_t& field) {
  const std::string_view before = rest_;
  const bool any_width = !part.fill || part.ends_with_digits;
  int64_t value;
  if (!ReadPlainDigits(any_width, width, value)) {
    if (any_width) {
      const LeadingInteger number(rest_);
      value = number.value;
      rest_.remove_prefix(number.length);
    } else {
      value = ReadFixedInteger(part, width);
    }
    if (rest_.data() == before.data()) {
      ThrowUnreadable("invalid value \"" + Excerpt(before, width) + "\" for field \"" + part.text +
                      "\": it must be an integer");
    }
    if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
                 "value for field \"" + part.text + "\" is out of range");
    }
  }
  Set(part, field, static_cast<int32_t>(value));
  return static_cast<size_t>(rest_.data() - before.data());
}

void DateFormat::Reader::ReadFraction(const Part& part) {
  const bool is_millisecond = ToLower(part.text[0]) == 'm';
  int32_t& field = is_millisecond ? reading_.milliseconds : reading_.micros;
  if (ToLower(part.text[0]) == 'f') reading_.digits = part.keyword->width;
  const size_t length = ReadInteger(part, part.keyword->width, field);
  for (size_t digits = length; digits < (is_millisecond ? 3 : 6); digits++) field *= 10;
  SkipOrdinal(part);
}

void DateFormat::Reader::ReadYear(const Part& part) {
  const size_t length = ReadInteger(part, part.keyword->width, reading_.year);
  if (part.keyword->width < 4 && length < 4) reading_.year = NearYear(reading_.year);
  reading_.year_digits = part.keyword->width;
  SkipOrdinal(part);
}

void DateFormat::Reader::ReadYearWithComma(const Part& part) {
  const LeadingInteger thousands(rest_);
  std::string_view behind = rest_.substr(thousands.length);
  const bool has_comma = thousands.length > 0 && behind.starts_with(',');
  if (has_comma) behind.remove_prefix(1);
  const size_t blanks = std::min(behind.find_first_not_of(" \t\n\v\f\r"), behind.size());
  const LeadingInteger rest(behind.substr(0, blanks + 3));
  if (!has_comma || rest.length == 0) ThrowUnreadable("invalid value for field \"" + part.text + "\"");
  Set(part, reading_.year, static_cast<int32_t>(thousands.value * 1000 + rest.value));
  reading_.year_digits = 4;
  rest_ = behind.substr(rest.length);
  SkipOrdinal(part);
}

/// Weeks of ISO begin with Monday, day 1; the reading counts from Sunday.
void DateFormat::Reader::ReadIsoDayOfWeek(const Part& part) {
  ReadInteger(part, 1, reading_.day_of_week);
  if (++reading_.day_of_week > 7) reading_.day_of_week = 1;
  SkipOrdinal(part);
}

void DateFormat::Reader::ReadZoneHour(const Part& part) {
  if (!rest_.empty() && (rest_[0] == '+' || rest_[0] == '-' || rest_[0] == ' ')) {
    reading_.zone_sign = rest_[0] == '-' ? -1 : 1;
    rest_.remove_prefix(1);
  } else {
    // A separator of the template may have taken the sign.
    reading_.zone_sign = skipped_ > 0 && rest_.data() > text_.data() && rest_.data()[-1] == '-' ? -1 : 1;
  }
  ReadInteger(part, 2, reading_.zone_hours);
}

void DateFormat::Reader::ReadZoneMinute(const Part& part) {
  if (reading_.zone_sign == 0) reading_.zone_sign = 1;
  ReadInteger(part, 2, reading_.zone_minutes);
}

/// Reads one of `names`, of which so many letters count, in any case.
template <size_t kCount>
int32_t DateFormat::Reader::ReadName(const Part& part, const std::string_view (&names)[kCount],
                                     size_t letters) {
  // From the last one: of the roman numbers, longer ones come after their prefixes.
  for (size_t i = kCount; i > 0; i--) {
    const std::string_view name = names[i - 1].substr(0, letters);
    if (!BeginsWithIgnoringCase(rest_, name)) continue;
    rest_.remove_prefix(name.size());
    return static_cast<int32_t>(i - 1);
  }
  const size_t end = std::min(rest_.find_first_of(" \t\n\r\f"), rest_.size());
  ThrowUnreadable("invalid value \"" + std::string(rest_.substr(0, end)) + "\" for field \"" + part.text +
                  "\"");
}

void DateFormat::Reader::ReadField(const Part& part) {
  DateReading& r = reading_;
  const auto day_name = [&](size_t letters) {
    Set(part, r.day_of_week, ReadName(part, kDayNames, letters));
    r.day_of_week++;
  };
  int32_t ignored = 0;
  switch (part.keyword->field) {
    case Field::kFixedMode: is_fixed_ = true; return;
    case Field::kMeridiem:
      part.keyword->width == 4 ? ReadHalf(part, kMeridiems, r.is_afternoon)
                               : ReadHalf(part, kShortMeridiems, r.is_afternoon);
      r.has_12_hours = true;
      return;
    case Field::kEra:
      return part.keyword->width == 4 ? ReadHalf(part, kEras, r.is_bc) : ReadHalf(part, kShortEras, r.is_bc);
    case Field::kHour12: r.has_12_hours = true; return ReadNumber(part, r.hour);
    case Field::kHour24: return ReadNumber(part, r.hour);
    case Field::kMinute: return ReadNumber(part, r.minute);
    case Field::kSecond: return ReadNumber(part, r.second);
    case Field::kFraction: return ReadFraction(part);
    case Field::kSecondOfDay: return ReadNumber(part, r.second_of_day);
    case Field::kZoneName:
    case Field::kOffset: ThrowNotSupported("format field \"" + part.text + "\" is only for to_char");
    case Field::kZoneHour: return ReadZoneHour(part);
    case Field::kZoneMinute: return ReadZoneMinute(part);
    case Field::kMonthName: return Set(part, r.month, ReadName(part, kMonthNames, 9) + 1);
    case Field::kMonthShort: return Set(part, r.month, ReadName(part, kMonthNames, 3) + 1);
    case Field::kRomanMonth: return Set(part, r.month, ReadName(part, kRomanMonths, 4) + 1);
    case Field::kMonth: return ReadNumber(part, r.month);
    case Field::kDayName: return day_name(9);
    case Field::kDayShort: return day_name(3);
    case Field::kDayOfYear:
    case Field::kIsoDayOfYear: return ReadNumber(part, r.day_of_year);
    case Field::kDay: return ReadNumber(part, r.day);
    case Field::kDayOfWeek: return ReadNumber(part, r.day_of_week);
    case Field::kIsoDayOfWeek: return ReadIsoDayOfWeek(part);
    case Field::kWeek:
    case Field::kIsoWeek: return ReadNumber(part, r.week);
    case Field::kQuarter: return ReadNumber(part, ignored);
    case Field::kCentury: return ReadNumber(part, r.century);
    case Field::kYearComma: return ReadYearWithComma(part);
    case Field::kYear:
    case Field::kIsoYear: return ReadYear(part);
    case Field::kWeekOfMonth: return ReadNumber(part, r.week_of_month);
    case Field::kJulian: return ReadNumber(part, r.julian);
  }
}

DateReading DateFormat::Reader::Read(const std::vector<Part>& parts) {
  size_t i = 0;
  for (; i < parts.size() && !rest_.empty(); i++) {
    const Part& part = parts[i];
    const bool is_field = part.kind == PartKind::kField;
    const bool sets_mode = is_field && part.keyword->field == Field::kFixedMode;
    if (!is_fixed_ && !sets_mode && (is_field || i == 0)) SkipSpaces();
    if (is_strict_ && !is_field) {
      SkipSame(part.text);
      continue;
    }
    if (part.kind == PartKind::kText) {
      SkipText(part.text);
      continue;
    }
    if (!is_field) {
      SkipGap(part.text);
      continue;
    }
    UseCalendar(part.keyword->calendar);
    ReadField(part);
    if (is_fixed_) continue;
    skipped_ = 0;
    SkipSpaces();
  }
  if (is_strict_ && i < parts.size()) ThrowUnreadable("input string is too short for datetime format");
  if (is_strict_ && rest_.find_first_not_of(" \t\n\v\f\r") != std::string_view::npos)
    ThrowUnreadable("trailing characters remain in input string after datetime format");
  return reading_;
}

FormattedTime DateFormat::Parse(std::string_view text) const {
  return Reader(text, false).Read(parts_).Resolve(text);
}

FormattedTime DateFormat::ParseStrictly(std::string_view text) const {
  return Reader(text, true).Read(parts_).Resolve(text);
}

}  // namespace scaup
