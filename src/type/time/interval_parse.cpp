// Parses intervals: PostgreSQL's verbose form, SQL's year-month and day-time forms, and ISO 8601's.
#include <cmath>
#include <limits>

#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

// The number of an interval that a unit counts in, and the unit's size in it.
enum class Field : uint8_t { kMicros, kDays, kMonth, kYears };
struct Unit {
  Field field;
  int64_t factor;
};
constexpr Unit kDay = {Field::kDays, 1};
constexpr Unit kSecond = {Field::kMicros, kMicrosPerSecond};
constexpr Unit kMinute = {Field::kMicros, kMicrosPerMinute};
constexpr Unit kHour = {Field::kMicros, kMicrosPerHour};
constexpr Unit kMonth = {Field::kMonth, 1};
constexpr Unit kYear = {Field::kYears, 12};

constexpr struct {
  std::string_view name;
  Unit unit;
} kUnits[] = {
    {"microsecond", {Field::kMicros, 1}},
    {"us", {Field::kMicros, 1}},
    {"usec", {Field::kMicros, 1}},
    {"millisecond", {Field::kMicros, 1000}},
    {"ms", {Field::kMicros, 1000}},
    {"msec", {Field::kMicros, 1000}},
    {"msecond", {Field::kMicros, 1000}},
    {"usecond", {Field::kMicros, 1}},
    {"second", kSecond},
    {"s", kSecond},
    {"sec", kSecond},
    {"minute", kMinute},
    {"m", kMinute},
    {"min", kMinute},
    {"hour", kHour},
    {"h", kHour},
    {"hr", kHour},
    {"day", kDay},
    {"d", kDay},
    {"week", {Field::kDays, 7}},
    {"w", {Field::kDays, 7}},
    {"month", kMonth},
    {"mon", kMonth},
    {"quarter", {Field::kMonth, 3}},
    {"year", kYear},
    {"y", kYear},
    {"yr", kYear},
    {"decade", {Field::kYears, 120}},
    {"dec", {Field::kYears, 120}},
    {"century", {Field::kYears, 1200}},
    {"centurie", {Field::kYears, 1200}},
    {"cent", {Field::kYears, 1200}},
    {"c", {Field::kYears, 1200}},
    {"millennium", {Field::kYears, 12000}},
    {"millennia", {Field::kYears, 12000}},
    {"mil", {Field::kYears, 12000}},
};

const Unit* FindUnit(std::string_view word) {
  for (const auto& entry : kUnits) {
    if (EqualsIgnoringCase(word, entry.name)) return &entry.unit;
  }
  // Plurals of the names above.
  if (word.size() > 2 && (word.back() == 's' || word.back() == 'S')) {
    for (const auto& entry : kUnits) {
      if (entry.name.size() > 1 && EqualsIgnoringCase(word.substr(0, word.size() - 1), entry.name))
        return &entry.unit;
    }
  }
  return nullptr;
}

// A number; whole part and fraction both carry its sign.
struct Number {
  bool negative = false;
  int64_t whole = 0;
  double fraction = 0;
  bool has_fraction = false;
};

// A parser of one text. Every function returns false if the text is not an interval or a number overflows.
class IntervalParser {
 public:
  IntervalParser(std::string_view text, bool begins_with_minutes)
      : cursor_(text.data()), end_(text.data() + text.size()), begins_with_minutes_(begins_with_minutes) {}

  bool Parse(Interval& interval) {
    if (cursor_ == end_) return false;
    const bool is_iso = (*cursor_ == 'P' || *cursor_ == 'p') && end_ - cursor_ > 1;
    if (!(is_iso ? ParseIso() : ParseVerbose())) return false;
    if (months_ != static_cast<int32_t>(months_) || days_ != static_cast<int32_t>(days_)) return false;
    interval = {static_cast<int32_t>(months_), static_cast<int32_t>(days_), micros_};
    return true;
  }

 private:
  /// Returns whether ISO 8601's alternative form follows: "0001-02-03T04:05:06", perhaps without one of its
  /// parts.
  bool IsAlternative() const {
    const char* c = *cursor_ == 'T' || *cursor_ == 't' ? cursor_ + 1 : cursor_;
    if (c != end_ && (*c == '-' || *c == '+')) c++;
    while (c != end_ && IsDigit(*c)) c++;
    return c != end_ && (*c == '-' || *c == ':');
  }

  bool ParseAlternative() {
    if (*cursor_ != 'T' && *cursor_ != 't') {
      Number years, months, days;
      if (!ReadNumber(years) || !TakeCharacter('-') || !ReadUnsigned(months, years.negative)) return false;
      if (TakeCharacter('-') && !ReadUnsigned(days, years.negative)) return false;
      if (years.has_fraction || months.has_fraction) return false;
      if (!Add(years, kYear) || !Add(months, kMonth) || !Add(days, kDay)) return false;
      if (cursor_ == end_) return true;
    }
    if (!TakeCharacter('T') && !TakeCharacter('t')) return false;
    if (cursor_ == end_) return true;
    Number hours;
    return ReadNumber(hours) && !hours.has_fraction && cursor_ != end_ && *cursor_ == ':' &&
           ParseClock(hours) && cursor_ == end_;
  }

  bool TakeCharacter(char character) {
    if (cursor_ == end_ || *cursor_ != character) return false;
    cursor_++;
    return true;
  }

  bool ParseIso() {
    cursor_++;
    if (IsAlternative()) return ParseAlternative();
    bool in_time = false, has_part = false;
    while (cursor_ != end_) {
      if (*cursor_ == 'T' || *cursor_ == 't') {
        if (in_time) return false;
        in_time = true;
        has_part = false;
        cursor_++;
        continue;
      }
      Number number;
      if (!ReadNumber(number) || cursor_ == end_) return false;
      const Unit* unit = IsoUnit(*cursor_++, in_time);
      if (unit == nullptr || !Add(number, *unit)) return false;
      has_part = true;
    }
    return has_part;
  }

  static const Unit* IsoUnit(char designator, bool in_time) {
    static constexpr Unit kWeek = {Field::kDays, 7};
    switch (designator | 0x20) {
      case 'y': return in_time ? nullptr : &kYear;
      case 'm': return in_time ? &kMinute : &kMonth;
      case 'w': return in_time ? nullptr : &kWeek;
      case 'd': return in_time ? nullptr : &kDay;
      case 'h': return in_time ? &kHour : nullptr;
      case 's': return in_time ? &kSecond : nullptr;
      default: return nullptr;
    }
  }

  bool ParseVerbose() {
    if (*cursor_ == '@') cursor_++;
    bool has_part = false;
    while (SkipSpace()) {
      if (IsLetter(*cursor_)) return has_part && ParseAgo();
      if (!ParsePart()) return false;
      has_part = true;
    }
    return has_part;
  }

  // Skips white space; false at the end of the text.
  bool SkipSpace() {
    while (cursor_ != end_ && TrimSpace({cursor_, 1}).empty()) cursor_++;
    return cursor_ != end_;
  }

  bool ParseAgo() {
    const std::string_view word = ReadWord();
    if (!EqualsIgnoringCase(word, "ago") || SkipSpace()) return false;
    constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
    if (months_ == kLowest || days_ == kLowest || micros_ == kLowest) return false;
    months_ = -months_;
    days_ = -days_;
    micros_ = -micros_;
    return true;
  }

  bool ParsePart() {
    Number number;
    if (!ReadNumber(number)) return false;
    if (cursor_ != end_ && *cursor_ == ':' && !number.has_fraction) return ParseClock(number);
    if (end_ - cursor_ > 1 && *cursor_ == '-' && IsDigit(cursor_[1]) && !number.has_fraction)
      return ParseYearMonth(number);
    if (!SkipSpace()) return Add(number, kSecond);
    if (IsLetter(*cursor_)) {
      const Unit* unit = FindUnit(ReadWord());
      return unit != nullptr && Add(number, *unit);
    }
    return IsClockNext() && Add(number, kDay);  // "1 12:59:10" is days and a time
  }

  bool IsClockNext() const {
    const char* c = cursor_;
    if (*c == '-' || *c == '+') c++;
    const char* const digits = c;
    while (c != end_ && IsDigit(*c)) c++;
    return c != digits && c != end_ && *c == ':';
  }

  // Parses the rest of "H:MM", "H:MM:SS" or "H:MM:SS.ffffff" after its hours; also PostgreSQL's "M:SS.f".
  bool ParseClock(const Number& hours) {
    Number second_part, third_part;
    cursor_++;
    if (!ReadUnsigned(second_part, hours.negative)) return false;
    const bool has_third = cursor_ != end_ && *cursor_ == ':' && !second_part.has_fraction;
    if (has_third) {
      cursor_++;
      if (!ReadUnsigned(third_part, hours.negative)) return false;
    }
    if (second_part.has_fraction || (begins_with_minutes_ && !has_third)) {
      return IsBelow60(second_part) && Add(hours, kMinute) && Add(second_part, kSecond);
    }
    return IsBelow60(second_part) && IsBelow60(third_part) && Add(hours, kHour) &&
           Add(second_part, kMinute) && Add(third_part, kSecond);
  }

  static bool IsBelow60(const Number& number) { return number.whole > -60 && number.whole < 60; }

  bool ParseYearMonth(const Number& years) {
    Number months;
    cursor_++;
    if (!ReadUnsigned(months, years.negative) || months.has_fraction || months.whole < -11 ||
        months.whole > 11)
      return false;
    return Add(years, kYear) && Add(months, kMonth);
  }

  std::string_view ReadWord() {
    const char* const first = cursor_;
    while (cursor_ != end_ && IsLetter(*cursor_)) cursor_++;
    return {first, static_cast<size_t>(cursor_ - first)};
  }

  bool ReadNumber(Number& number) {
    bool negative = false;
    if (cursor_ != end_ && (*cursor_ == '-' || *cursor_ == '+')) negative = *cursor_++ == '-';
    SkipSpace();
    return ReadUnsigned(number, negative);
  }

  bool ReadUnsigned(Number& number, bool negative) {
    number.negative = negative;
    int digits = 0;
    for (; cursor_ != end_ && IsDigit(*cursor_); cursor_++, digits++) {
      if (__builtin_mul_overflow(number.whole, int64_t{10}, &number.whole) ||
          __builtin_add_overflow(number.whole, int64_t{*cursor_ - '0'}, &number.whole)) {
        return false;
      }
    }
    if (cursor_ != end_ && *cursor_ == '.') {
      number.has_fraction = true;
      cursor_++;
      // Collects the digits as an integer and divides once at the end, so that 0.3 yields the double 0.3.
      int64_t numerator = 0, denominator = 1;
      for (; cursor_ != end_ && IsDigit(*cursor_); cursor_++, digits++) {
        if (denominator >= 1'000'000'000'000'000) continue;
        numerator = numerator * 10 + (*cursor_ - '0');
        denominator *= 10;
      }
      const double fraction = static_cast<double>(numerator) / static_cast<double>(denominator);
      number.fraction = negative ? -fraction : fraction;
    }
    if (negative) number.whole = -number.whole;
    return digits > 0;
  }

  static bool AddTo(int64_t& sum, int64_t value, int64_t factor) {
    return !__builtin_mul_overflow(value, factor, &value) && !__builtin_add_overflow(sum, value, &sum);
  }

  // Adds days and a fraction of a day. As in PostgreSQL, fractions are carried into the next smaller of the
  // three numbers.
  bool AddDays(double days) {
    const double whole = std::trunc(days);
    return AddTo(days_, static_cast<int64_t>(whole), 1) &&
           AddTo(micros_,
                 static_cast<int64_t>(std::rint((days - whole) * static_cast<double>(kMicrosPerDay))), 1);
  }

  // Adds units of months, with a fraction in months.
  bool AddMonths(int64_t units, double fraction, int64_t months_per_unit) {
    const double whole = std::trunc(fraction);
    return AddTo(months_, units, months_per_unit) && AddTo(months_, static_cast<int64_t>(whole), 1) &&
           AddDays((fraction - whole) * 30);
  }

  bool Add(const Number& number, const Unit& unit) {
    const double scaled = number.fraction * static_cast<double>(unit.factor);
    switch (unit.field) {
      case Field::kMicros:
        return AddTo(micros_, number.whole, unit.factor) &&
               AddTo(micros_, static_cast<int64_t>(std::rint(scaled)), 1);
      case Field::kDays: return AddTo(days_, number.whole, unit.factor) && AddDays(scaled);
      case Field::kMonth: return AddMonths(number.whole, scaled, unit.factor);
      case Field::kYears:
        return AddTo(months_, number.whole, unit.factor) &&
               AddTo(months_, static_cast<int64_t>(std::rint(scaled)), 1);
    }
    return false;
  }

  const char* cursor_;
  const char* end_;
  bool begins_with_minutes_;
  int64_t months_ = 0;
  int64_t days_ = 0;
  int64_t micros_ = 0;
};

}  // namespace

bool ParseInterval(std::string_view text, Interval& interval) {
  return IntervalParser(TrimSpace(text), false).Parse(interval);
}

bool ParseMinutesInterval(std::string_view text, Interval& interval) {
  return IntervalParser(TrimSpace(text), true).Parse(interval);
}

}  // namespace scaup
