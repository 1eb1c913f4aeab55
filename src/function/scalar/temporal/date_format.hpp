// Templates of to_char, to_date and to_timestamp ("YYYY-MM-DD HH24:MI:SS"), compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A compiled template: a list of literal texts and fields. Immutable; thread-safe.
class DateFormat {
 public:
  explicit DateFormat(std::string_view pattern);

  /// Appends a finite timestamp in this format.
  void Append(int64_t timestamp, std::string& out) const;
  /// Parses a text in this format. Returns false and sets `reason` if it does not match.
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
    bool fill = true;      ///< pads with zeros and blanks to the field's width; off after FM
    bool ordinal = false;  ///< followed by TH or th
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
