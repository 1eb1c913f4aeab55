// Parses dates, times and timestamps in the ISO forms that PostgreSQL accepts.
#include <cstring>
#include <optional>
#include <string>

#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"
#include "type/time/date_words.hpp"
#include "type/time/time_tz.hpp"
#include "type/time/time_zone.hpp"
#include "type/time/time_zone_library.hpp"

namespace scaup {

namespace {

enum class Outcome : uint8_t { kParsed, kNotOfThisForm, kFieldOutOfRange };

/// Returns whether "-MM-" or "/MM/" begins at `c`, so that the six digits before it are a year.
bool IsRestOfDate(const char* c, const char* end) {
  if (c == end || (*c != '-' && *c != '/')) return false;
  const char separator = *c++;
  for (int i = 0; i < 2 && c != end && IsDigit(*c); i++) c++;
  return c != end && *c == separator;
}

// Parses "[date] [time [AM|PM] [zone]] [BC|AD]". Use one object per text.
class DateTimeParser {
 public:
  explicit DateTimeParser(std::string_view text) {
    text = TrimSpace(text);
    cursor_ = text.data();
    end_ = cursor_ + text.size();
  }

  Outcome Parse() {
    if (!ReadAll()) return Outcome::kNotOfThisForm;
    if (has_date_) {
      if (year_ == 0) return Outcome::kFieldOutOfRange;
      if (before_christ_) year_ = 1 - year_;
      if (!MakeDate(year_, month_, day_, days_)) return Outcome::kFieldOutOfRange;
    }
    if (has_time_ && !MakeTime()) return Outcome::kFieldOutOfRange;
    if (is_zone_out_of_range_) return Outcome::kFieldOutOfRange;
    return Outcome::kParsed;
  }

  bool has_date() const { return has_date_; }
  bool has_time() const { return has_time_; }
  int32_t days() const { return days_; }
  int64_t micros() const { return micros_; }  // up to and including 24 hours
  bool has_zone() const { return has_zone_; }
  /// The offset of a zone without a name.
  int32_t zone_offset() const { return zone_offset_; }
  /// The zone's name; empty if the zone is an offset or a known abbreviation.
  std::string_view zone_name() const { return zone_name_; }

 private:
  bool ReadAll() {
    if (!IsTimeNext()) {
      if (!ReadDate()) return false;
      SkipSpace();
      if (cursor_ != end_ && !IsTimeNext() && !IsWordBeforeTime()) return ReadSuffixes();
      if (cursor_ != end_ && !IsTimeNext() && !ReadEra()) return false;
      SkipSpace();
      if (cursor_ != end_ && (*cursor_ == 'T' || *cursor_ == 't')) cursor_++;
      SkipSpace();
    } else if (*cursor_ == 'T' || *cursor_ == 't') {
      cursor_++;
    }
    if (cursor_ == end_) return true;
    return ReadTime() && ReadSuffixes();
  }

  // Whether a time follows: a number and ':', or 'T' and a number, or six digits with an optional fraction.
  bool IsTimeNext() const {
    const char* c = cursor_;
    if (c != end_ && (*c == 'T' || *c == 't')) return c + 1 != end_ && IsDigit(c[1]);
    while (c != end_ && IsDigit(*c)) c++;
    const auto digits = c - cursor_;
    if (digits == 0) return false;
    if (c != end_ && *c == ':') return true;
    return has_date_ ? digits == 6 || digits == 4 : digits == 6 && !IsRestOfDate(c, end_);
  }

  // Whether "BC 12:00" or "T" follows: words that may stand between date and time.
  bool IsWordBeforeTime() const {
    const char* c = cursor_;
    while (c != end_ && IsLetter(*c)) c++;
    if (c == cursor_ || c == end_ || *c != ' ') return false;
    while (c != end_ && *c == ' ') c++;
    return c != end_ && IsDigit(*c);
  }

  // Whether the next word has a character that occurs only in zone names.
  bool IsZoneNameNext() const {
    for (const char* c = cursor_; c != end_ && *c != ' '; c++) {
      if (*c == '/' || *c == '_' || *c == '<') return true;
      if (!IsLetter(*c)) return false;
    }
    return false;
  }

  bool SkipSpace() {
    while (cursor_ != end_ && *cursor_ == ' ') cursor_++;
    return true;
  }

  // Reads up to `max_digits` digits. Returns their number, or 0 if there are none or too many.
  int ReadDigits(int max_digits, int32_t& value) {
    int64_t read = 0;
    const char* const first = cursor_;
    while (cursor_ != end_ && IsDigit(*cursor_)) {
      if (cursor_ - first == max_digits) return 0;
      read = read * 10 + (*cursor_++ - '0');
    }
    value = static_cast<int32_t>(read);
    return static_cast<int>(cursor_ - first);
  }

  bool ReadDate() {
    const int digits = ReadDigits(8, year_);
    if (digits == 0) return false;
    has_date_ = true;
    if (cursor_ != end_ && (*cursor_ == '-' || *cursor_ == '/' || *cursor_ == '.')) {
      const char separator = *cursor_++;
      if (ReadDigits(2, month_) == 0 || cursor_ == end_ || *cursor_++ != separator) return false;
      if (digits >= 3) return ReadDigits(2, day_) != 0;
      // A short first number means month, day, year: PostgreSQL's default MDY order.
      const int32_t month = year_;
      day_ = month_;
      month_ = month;
      return ReadDigits(7, year_) >= 3;
    }
    if (digits != 8) return false;
    day_ = year_ % 100;
    month_ = year_ / 100 % 100;
    year_ /= 10000;
    return true;
  }

  bool ReadTime() {
    int32_t first;
    const int digits = ReadDigits(6, first);
    if (digits == 0) return false;
    has_time_ = true;
    if (cursor_ == end_ || *cursor_ != ':') {
      if (digits != 6 && digits != 4) return false;
      hour_ = digits == 6 ? first / 10000 : first / 100;
      minute_ = digits == 6 ? first / 100 % 100 : first % 100;
      second_ = digits == 6 ? first % 100 : 0;
      return digits == 4 || ReadFraction();
    }
    if (digits > 2) return false;
    hour_ = first;
    cursor_++;
    if (ReadDigits(2, minute_) == 0) return false;
    if (cursor_ == end_ || *cursor_ != ':') return true;
    cursor_++;
    return ReadDigits(2, second_) != 0 && ReadFraction();
  }

  // Reads ".123456789" as microseconds; the seventh digit rounds.
  bool ReadFraction() {
    if (cursor_ == end_ || *cursor_ != '.') return true;
    cursor_++;
    int32_t unit = 100'000;
    bool rounded = false;
    for (; cursor_ != end_ && IsDigit(*cursor_); cursor_++) {
      const int32_t digit = *cursor_ - '0';
      if (unit > 0) {
        fraction_ += digit * unit;
        unit /= 10;
      } else if (!rounded) {
        fraction_ += digit >= 5 ? 1 : 0;
        rounded = true;
      }
    }
    return true;
  }

  // Reads AM or PM, a time zone, BC or AD.
  bool ReadSuffixes() {
    while (true) {
      SkipSpace();
      if (cursor_ == end_) return true;
      if (*cursor_ == '+' || *cursor_ == '-') {
        if (has_zone_ || !ReadZoneOffset()) return false;
        continue;
      }
      if (IsZoneNameNext()) {
        if (!ReadZoneName()) return false;
        continue;
      }
      const char* const first = cursor_;
      const std::string_view word = ReadWord();
      if (word.empty()) return false;
      if (EqualsIgnoringCase(word, "am") || EqualsIgnoringCase(word, "pm")) {
        if (half_of_day_ != 0 || !has_time_) return false;
        half_of_day_ = EqualsIgnoringCase(word, "am") ? 1 : 2;
      } else if (EqualsIgnoringCase(word, "bc") || EqualsIgnoringCase(word, "ad")) {
        if (!SetEra(word)) return false;
      } else if (int32_t offset; (cursor_ == end_ || *cursor_ == ' ') && FindZoneAbbreviation(word, offset)) {
        if (has_zone_) return false;
        has_zone_ = true;
        zone_offset_ = offset;
      } else {
        cursor_ = first;
        if (!ReadZoneName()) return false;
      }
    }
  }

  // Reads "+02", "+0530" or "-04:56:02".
  bool ReadZoneOffset() {
    has_zone_ = true;
    const bool is_west = *cursor_++ == '-';
    int32_t number;
    const int digits = ReadDigits(4, number);
    if (digits == 0 || digits == 3) return false;
    int32_t parts[] = {digits == 4 ? number / 100 : number, digits == 4 ? number % 100 : 0, 0};
    for (int part = 1; part <= 2 && digits <= 2 && cursor_ != end_ && *cursor_ == ':'; part++) {
      cursor_++;
      if (ReadDigits(2, parts[part]) != 2) return false;
    }
    constexpr int32_t kMostHours = 15;
    is_zone_out_of_range_ = parts[0] > kMostHours || parts[1] > 59 || parts[2] > 59;
    zone_offset_ = parts[0] * 3600 + parts[1] * 60 + parts[2];
    if (is_west) zone_offset_ = -zone_offset_;
    return true;
  }

  // Reads a zone name up to the next space; the caller checks whether the zone exists.
  bool ReadZoneName() {
    if (has_zone_) return false;
    has_zone_ = true;
    const char* const first = cursor_;
    while (cursor_ != end_ && *cursor_ != ' ') cursor_++;
    zone_name_ = {first, static_cast<size_t>(cursor_ - first)};
    return true;
  }

  std::string_view ReadWord() {
    const char* const first = cursor_;
    while (cursor_ != end_ && IsLetter(*cursor_)) cursor_++;
    return {first, static_cast<size_t>(cursor_ - first)};
  }

  bool ReadEra() {
    if ((*cursor_ == 'T' || *cursor_ == 't')) return true;
    return SetEra(ReadWord());
  }

  bool SetEra(std::string_view word) {
    if (has_era_ || !has_date_) return false;
    has_era_ = true;
    before_christ_ = EqualsIgnoringCase(word, "bc");
    return before_christ_ || EqualsIgnoringCase(word, "ad");
  }

  bool MakeTime() {
    if (half_of_day_ != 0) {
      if (hour_ < 1 || hour_ > 12) return false;
      hour_ = hour_ % 12 + (half_of_day_ == 2 ? 12 : 0);
    }
    // PostgreSQL allows a 60th second and the time 24:00:00.
    if (hour_ > 24 || minute_ > 59 || second_ > 60) return false;
    micros_ = hour_ * kMicrosPerHour + minute_ * kMicrosPerMinute + second_ * kMicrosPerSecond + fraction_;
    return micros_ <= kMicrosPerDay;
  }

  const char* cursor_;
  const char* end_;
  int32_t year_ = 0, month_ = 0, day_ = 0;
  int32_t hour_ = 0, minute_ = 0, second_ = 0, fraction_ = 0;
  int half_of_day_ = 0;  // 1 for AM, 2 for PM
  bool is_zone_out_of_range_ = false;
  int32_t zone_offset_ = 0;  // seconds east of Greenwich
  std::string_view zone_name_;
  bool has_date_ = false, has_time_ = false, has_zone_ = false, has_era_ = false, before_christ_ = false;
  int32_t days_ = 0;
  int64_t micros_ = 0;
};

// Returns 1 for 'infinity', -1 for '-infinity' and 0 for other text.
int InfinityOf(std::string_view text) {
  if (!text.empty() && IsDigit(text[0])) return 0;
  text = TrimSpace(text);
  if (EqualsIgnoringCase(text, "infinity") || EqualsIgnoringCase(text, "+infinity")) return 1;
  return EqualsIgnoringCase(text, "-infinity") ? -1 : 0;
}

bool IsEpoch(std::string_view text) { return EqualsIgnoringCase(TrimSpace(text), "epoch"); }

// The two-digit number at `text`, or a number above 99 if these are not digits.
inline uint32_t TwoDigits(const char* text) {
  const uint32_t tens = static_cast<unsigned char>(text[0]) - uint32_t{'0'};
  const uint32_t ones = static_cast<unsigned char>(text[1]) - uint32_t{'0'};
  return tens > 9 || ones > 9 ? 1000 : tens * 10 + ones;
}

// The fast path for exactly "YYYY-MM-DD" with a year after 0: nearly all dates in files.
inline bool ParsePlainDate(const char* text, int32_t& days) {
  const uint32_t century = TwoDigits(text), year = TwoDigits(text + 2);
  const uint32_t month = TwoDigits(text + 5), day = TwoDigits(text + 8);
  if (text[4] != '-' || text[7] != '-' || century > 99 || year > 99 || month > 99 || day > 99) return false;
  const int32_t full_year = static_cast<int32_t>(century * 100 + year);
  return full_year != 0 && MakeDate(full_year, static_cast<int32_t>(month), static_cast<int32_t>(day), days);
}

// The fast path for exactly "HH:MM:SS" within a day.
inline bool ParsePlainTime(const char* text, int64_t& micros) {
  const uint32_t hour = TwoDigits(text), minute = TwoDigits(text + 3), second = TwoDigits(text + 6);
  if (text[2] != ':' || text[5] != ':' || hour > 23 || minute > 59 || second > 59) return false;
  micros = (hour * 3600 + minute * 60 + second) * kMicrosPerSecond;
  return true;
}

/// A parser of one text and, if it has none of the ISO forms, of the text that says the same in one.
class AnyFormParser {
 public:
  AnyFormParser(std::string_view text, bool wants_date) : parser_(text), outcome_(parser_.Parse()) {
    // "120105" is a time or a date.
    if (outcome_ == Outcome::kParsed && (parser_.has_date() || !wants_date)) return;
    const std::optional<std::string> iso = ToIsoDateTime(text);
    if (!iso) return;
    iso_text_ = *iso;
    DateTimeParser of_iso(iso_text_);
    const Outcome outcome = of_iso.Parse();
    if (outcome == Outcome::kNotOfThisForm) return;
    parser_ = of_iso;
    outcome_ = outcome;
  }
  AnyFormParser(const AnyFormParser&) = delete;
  AnyFormParser& operator=(const AnyFormParser&) = delete;

  Outcome outcome() const { return outcome_; }
  const DateTimeParser& result() const { return parser_; }

 private:
  std::string iso_text_;  // the parser refers to it
  DateTimeParser parser_;
  Outcome outcome_;
};

// Returns the timestamp of a date with an optional time, and ignores the zone.
bool ToLocal(const AnyFormParser& any, int64_t& micros) {
  const DateTimeParser& parser = any.result();
  return any.outcome() == Outcome::kParsed && parser.has_date() && DateToTimestamp(parser.days(), micros) &&
         !__builtin_add_overflow(micros, parser.micros(), &micros);
}

}  // namespace

bool ParseDate(std::string_view text, int32_t& days) {
  if (text.size() == 10 && ParsePlainDate(text.data(), days)) return true;
  if (const int infinity = InfinityOf(text); infinity != 0) {
    days = infinity > 0 ? kDateInfinity : kDateMinusInfinity;
    return true;
  }
  if (IsEpoch(text)) {
    days = 0;
    return true;
  }
  const AnyFormParser any(text, true);
  const DateTimeParser& parser = any.result();
  if (any.outcome() != Outcome::kParsed || !parser.has_date() || !parser.zone_name().empty()) return false;
  days = parser.days();
  return true;
}

bool ParseTime(std::string_view text, int64_t& micros) {
  if (text.size() == 8 && ParsePlainTime(text.data(), micros)) return true;
  const AnyFormParser any(text, false);
  const DateTimeParser& parser = any.result();
  if (any.outcome() != Outcome::kParsed || !parser.has_time() || !parser.zone_name().empty()) return false;
  micros = parser.micros();
  return true;
}

bool ParseTimeTz(std::string_view text, const TimeZone& zone, int64_t& stored) {
  const AnyFormParser any(text, false);
  const DateTimeParser& parser = any.result();
  if (any.outcome() != Outcome::kParsed || !parser.has_time()) return false;
  int32_t offset = parser.zone_offset();
  if (!parser.zone_name().empty() || (!parser.has_zone() && parser.has_date())) {
    // The offset is that of the date.
    int64_t local;
    if (!ToLocal(any, local)) return false;
    std::shared_ptr<const TimeZone> named;
    if (!parser.zone_name().empty()) {
      if (zone.library() != nullptr) named = zone.library()->Find(parser.zone_name());
      if (named == nullptr) return false;
    }
    const int64_t seconds = (local - (local < 0 ? kMicrosPerSecond - 1 : 0)) / kMicrosPerSecond;
    offset = (named == nullptr ? zone : *named).PeriodAtLocal(seconds).offset_seconds;
  } else if (!parser.has_zone()) {
    offset = PresentOffset(zone);
  }
  if (offset > kMaxTimeTzOffset || offset < -kMaxTimeTzOffset) return false;
  stored = StoreTimeTz({parser.micros(), offset});
  return true;
}

bool ParseTimestamp(std::string_view text, int64_t& micros) {
  if (text.size() == 19 && (text[10] == ' ' || text[10] == 'T')) {
    int32_t days;
    int64_t time;
    if (ParsePlainDate(text.data(), days) && ParsePlainTime(text.data() + 11, time)) {
      micros = days * kMicrosPerDay + time;  // cannot overflow with a year of four digits
      return true;
    }
  }
  if (const int infinity = InfinityOf(text); infinity != 0) {
    micros = infinity > 0 ? kTimestampInfinity : kTimestampMinusInfinity;
    return true;
  }
  if (IsEpoch(text)) {
    micros = 0;
    return true;
  }
  const AnyFormParser any(text, true);
  int64_t result;
  if (!ToLocal(any, result) || !any.result().zone_name().empty() || !IsTimestampInRange(result)) return false;
  micros = result;
  return true;
}

bool ParseTimestampTz(std::string_view text, TimeZoneConverter& zone, int64_t& micros) {
  if (const int infinity = InfinityOf(text); infinity != 0) {
    micros = infinity > 0 ? kTimestampInfinity : kTimestampMinusInfinity;
    return true;
  }
  if (IsEpoch(text)) {
    micros = 0;
    return true;
  }
  const AnyFormParser any(text, true);
  const DateTimeParser& parser = any.result();
  int64_t local;
  if (!ToLocal(any, local)) return false;
  if (!parser.has_zone()) return zone.ToMoment(local, micros);
  if (!parser.zone_name().empty()) {
    const TimeZoneLibrary* library = zone.zone().library();
    const auto named = library == nullptr ? nullptr : library->Find(parser.zone_name());
    return named != nullptr && TimeZoneConverter(*named).ToMoment(local, micros);
  }
  return !__builtin_sub_overflow(local, parser.zone_offset() * kMicrosPerSecond, &micros) &&
         IsTimestampInRange(micros);
}

bool HasDateTimeForm(std::string_view text) {
  const AnyFormParser any(text, false);
  return any.outcome() != Outcome::kNotOfThisForm && any.result().zone_name().empty();
}

std::string_view ZoneNameIn(std::string_view text) {
  DateTimeParser parser(text);
  return parser.Parse() == Outcome::kNotOfThisForm ? std::string_view() : parser.zone_name();
}

}  // namespace scaup
