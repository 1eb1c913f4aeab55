// Formats of strftime and strptime ("%Y-%m-%d %H:%M"), compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "type/time/time_zone.hpp"

namespace scaup {

/// A time as a text gives it by a format.
struct ParsedTimestamp {
  int64_t local_micros = 0;
  bool has_offset = false;
  int32_t offset_seconds = 0;  ///< east of Greenwich
  std::string zone = {};       ///< the time zone that the text names; empty if none

  bool has_zone() const { return has_offset || !zone.empty(); }
};

/// A compiled format: a list of specifiers and texts. Immutable; thread-safe. The specifiers are C's as
/// DuckDB has them.
class StrftimeFormat {
 public:
  /// Throws Error(22023) for an unknown specifier.
  explicit StrftimeFormat(std::string_view format);

  const std::string& text() const { return text_; }
  /// Whether it has %z or %Z, so that it reads moments rather than local times.
  bool has_zone() const { return has_zone_; }

  /// Appends a finite timestamp, whose zone is UTC without a name.
  void Append(int64_t timestamp, std::string& out) const { Append(timestamp, 0, {}, out); }
  /// Appends a finite local time of a zone.
  void Append(int64_t timestamp, int32_t offset_seconds, std::string_view zone, std::string& out) const;
  /// Parses a text; false if it does not match the format or is not a valid time. Fields missing in the
  /// format are those of 1 January 1900, midnight.
  bool Parse(std::string_view text, ParsedTimestamp& result) const;

 private:
  enum class Field : uint8_t {
    kText,
    kYear,
    kYearOfCentury,
    kMonth,
    kMonthShort,
    kMonthName,
    kDay,
    kDayShort,
    kDayName,
    kDayOfWeek,     ///< 0 is Sunday
    kIsoDayOfWeek,  ///< 7 is Sunday
    kDayOfYear,
    kWeekOfSunday,  ///< week 1 begins with the first Sunday
    kWeekOfMonday,
    kIsoWeek,
    kIsoYear,
    kHour24,
    kHour12,
    kMeridiem,
    kMinute,
    kSecond,
    kMillisecond,
    kMicrosecond,
    kNanosecond,
    kOffset,
    kZone
  };
  struct Specifier {
    char letter;
    Field field;
    bool may_be_unpadded;
  };
  struct Part {
    Field field = Field::kText;
    bool is_padded = true;
    std::string text = {};
  };
  struct Writer;
  class Reader;

  static const Specifier kSpecifiers[];
  void Compile(std::string_view format);
  size_t AddSpecifier(std::string_view rest);
  void AddText(std::string_view text);

  std::string text_;
  std::vector<Part> parts_;
  bool has_zone_ = false;
};

/// Finds the moment of a parsed time: by its own offset or zone, or else by `zone`. Returns false for an
/// unknown zone and for a moment out of range.
bool FindMoment(const ParsedTimestamp& parsed, TimeZoneConverter& zone, int64_t& moment);

}  // namespace scaup
