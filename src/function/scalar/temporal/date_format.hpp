// Templates of to_char, to_date and to_timestamp ("YYYY-MM-DD HH24:MI:SS"), taken apart once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A template as a list of literal texts and fields. Immutable; any thread.
class DateFormat {
 public:
  explicit DateFormat(std::string_view pattern);

  /// Appends a finite timestamp in this form.
  void Append(int64_t timestamp, std::string& out) const;
  /// Reads a text of this form; false, with the reason, when it does not fit.
  bool Parse(std::string_view text, int64_t& timestamp, std::string& reason) const;

 private:
  enum class Field : uint8_t {
    kLiteral,
    kYear4,
    kYear3,
    kYear2,
    kYear1,
    kIsoYear,
    kMonth,
    kMonthName,
    kMonthShort,
    kDay,
    kDayOfYear,
    kDayName,
    kDayShort,
    kDayOfWeek,
    kIsoDayOfWeek,
    kHour24,
    kHour12,
    kMinute,
    kSecond,
    kMillisecond,
    kMicrosecond,
    kMeridiem,
    kWeekOfMonth,
    kWeek,
    kIsoWeek,
    kQuarter,
    kCentury,
    kJulian,
    kSecondOfDay,
    kEra
  };
  enum class Letters : uint8_t { kUpper, kCapital, kLower };
  struct Part {
    Field field = Field::kLiteral;
    Letters letters = Letters::kUpper;
    bool fill = true;      ///< zeros and blanks up to the field's width; off after FM
    bool ordinal = false;  ///< TH or th behind it
    bool dotted = false;   ///< a.m. instead of am
    std::string literal;
  };
  struct Keyword {
    std::string_view text;
    Field field;
  };
  struct Read;

  static const Keyword kKeywords[];
  size_t AddKeyword(std::string_view rest, bool fill);
  void AppendPart(const Part& part, int64_t timestamp, std::string& out) const;
  static bool ReadPart(const Part& part, bool next_is_digit, std::string_view text, size_t& at, Read& read);
  static bool Finish(const Read& read, int64_t& timestamp, std::string& reason);

  std::vector<Part> parts_;
};

}  // namespace scaup
