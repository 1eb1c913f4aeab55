// Templates of to_char, to_date and to_timestamp ("YYYY-MM-DD HH24:MI:SS"), compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/type.hpp"
#include "type/text/ascii.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// A moment or an interval taken apart into the fields that templates write. Those of an interval may be
/// negative or beyond the calendar.
struct DateFields {
  int64_t year = 0;  ///< year 0 is 1 BC
  int32_t month = 1;
  int32_t day = 1;
  int64_t day_of_year = 0;  ///< of an interval; 0: it follows from the date
  int64_t hour = 0;
  int32_t minute = 0;
  int32_t second = 0;
  int32_t micros = 0;
  int32_t offset_seconds = 0;  ///< east of Greenwich
  std::string_view zone = {};  ///< abbreviation of the time zone, borrowed; empty if there is none
  bool is_interval = false;
};

/// REQUIRES: a finite timestamp.
DateFields FieldsOfTimestamp(int64_t timestamp);
DateFields FieldsOfInterval(const Interval& interval);
/// The local time of a finite moment. Throws Error(22008) if it is out of range.
DateFields FieldsOfMoment(TimeZoneConverter& zone, int64_t moment);

/// Whether a character of a template stands for any separator of a text.
constexpr bool IsTemplateSeparator(char c) { return c > ' ' && c < 0x7f && !IsLetter(c) && !IsDigit(c); }

/// The date and time that a text gives by a template.
struct FormattedTime {
  int32_t days = 0;    ///< since 1970-01-01
  int64_t micros = 0;  ///< since midnight
  bool has_offset = false;
  int32_t offset_seconds = 0;  ///< east of Greenwich
  int32_t digits = 6;          ///< digits of the fraction that the template keeps
};

/// A compiled template: a list of fields and texts. Immutable; thread-safe. Keywords, modifiers and their
/// meaning are PostgreSQL's.
class DateFormat {
 public:
  explicit DateFormat(std::string_view pattern);

  /// Appends the fields in this format. Throws Error(22007) if an interval has no such field.
  void Append(const DateFields& fields, std::string& out) const;
  /// Parses a text in this format. Throws Error(22007, 22008, 22009, 0A000) if it does not match.
  FormattedTime Parse(std::string_view text) const;
  /// Parses a text as the SQL standard does: the whole template must match the whole text, and its separators
  /// stand for themselves.
  FormattedTime ParseStrictly(std::string_view text) const;
  /// The kinds of fields that the template has.
  struct Shape {
    bool has_date = false;
    bool has_time = false;
    bool has_zone = false;
  };
  Shape shape() const;

 private:
  enum class Field : uint8_t {
    kEra,
    kYearComma,  ///< Y,YYY
    kYear,       ///< the last digits, as many as the keyword is long; all for YYYY
    kIsoYear,
    kCentury,
    kQuarter,
    kMonth,
    kMonthName,
    kMonthShort,
    kRomanMonth,
    kWeekOfMonth,
    kWeek,
    kIsoWeek,
    kDay,
    kDayOfYear,
    kIsoDayOfYear,
    kDayName,
    kDayShort,
    kDayOfWeek,
    kIsoDayOfWeek,
    kJulian,
    kHour24,
    kMeridiem,
    kHour12,
    kMinute,
    kSecond,
    kFraction,  ///< FF1 .. FF6, MS, US
    kSecondOfDay,
    kZoneName,
    kZoneHour,
    kZoneMinute,
    kOffset,
    kFixedMode,  ///< FX
  };
  /// The calendar that a field belongs to; a text may use only one of the two.
  enum class Calendar : uint8_t { kAny, kGregorian, kIsoWeek };
  enum class Letters : uint8_t { kUpper, kCapital, kLower };
  enum class Ordinal : uint8_t { kNone, kUpper, kLower };
  enum class PartKind : uint8_t { kField, kSeparators, kSpaces, kText };
  struct Keyword {
    std::string_view text;
    Field field;
    uint8_t width;   ///< digits to read where the next field is a number, too
    bool is_number;  ///< its text begins with a digit
    Calendar calendar = Calendar::kAny;
    Letters letters = Letters::kUpper;
    bool has_lower = true;  ///< may also be written in lower case
  };
  struct Part {
    PartKind kind = PartKind::kText;
    const Keyword* keyword = nullptr;
    Letters letters = Letters::kUpper;
    Ordinal ordinal = Ordinal::kNone;  ///< followed by TH or th
    bool fill = true;                  ///< pads with zeros and blanks to the field's width; off after FM
    bool ends_with_digits = true;      ///< no digit follows a number, which may then have any width
    bool is_translated = false;        ///< after TM: names are not padded
    std::string text = {};             ///< of a field: its name, for messages
  };

  struct Writer;
  class Reader;

  static const Keyword kKeywords[];
  size_t AddField(std::string_view rest, Part part);
  void AddText(PartKind kind, std::string_view text);

  std::vector<Part> parts_;
};

}  // namespace scaup
