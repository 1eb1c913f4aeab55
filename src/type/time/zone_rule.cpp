// Parses time zone rules.
#include "type/time/zone_rule.hpp"

#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

constexpr int32_t kSecondsPerDay = 24 * 3600;

class RuleParser {
 public:
  explicit RuleParser(std::string_view text) : rest_(text) {}

  bool Parse(ZoneRule& rule) {
    if (!ReadName(rule.standard_name) || !ReadOffset(24, rule.standard_offset)) return false;
    rule.standard_offset = -rule.standard_offset;  // POSIX counts westward
    if (rest_.empty()) return true;
    rule.has_daylight = true;
    if (!ReadName(rule.daylight_name)) return false;
    rule.daylight_offset = rule.standard_offset + 3600;
    if (!rest_.empty() && rest_.front() != ',') {
      if (!ReadOffset(24, rule.daylight_offset)) return false;
      rule.daylight_offset = -rule.daylight_offset;
    }
    if (rest_.empty()) rest_ = ",M3.2.0,M11.1.0";  // the rules of the USA, as is customary
    return ReadDay(rule.daylight_begin) && ReadDay(rule.daylight_end) && rest_.empty();
  }

 private:
  bool Skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Reads a name: three letters or more, or the text between < and >.
  bool ReadName(std::string& name) {
    size_t length = 0;
    if (Skip('<')) {
      while (length < rest_.size() && rest_[length] != '>') length++;
      if (length == 0 || length == rest_.size()) return false;
      name = rest_.substr(0, length);
      rest_.remove_prefix(length + 1);
      return true;
    }
    while (length < rest_.size() && IsLetter(rest_[length])) length++;
    name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return length >= 3;
  }

  bool ReadNumber(int32_t least, int32_t most, int32_t& number) {
    if (rest_.empty() || !IsDigit(rest_.front())) return false;
    number = 0;
    while (!rest_.empty() && IsDigit(rest_.front()) && number <= most) {
      number = number * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return number >= least && number <= most;
  }

  // Reads [+|-]hh[:mm[:ss]].
  bool ReadOffset(int32_t most_hours, int32_t& seconds) {
    const bool is_negative = Skip('-');
    if (!is_negative) Skip('+');
    int32_t hours = 0, minutes = 0, rest = 0;
    if (!ReadNumber(0, most_hours, hours)) return false;
    if (Skip(':')) {
      if (!ReadNumber(0, 59, minutes)) return false;
      if (Skip(':') && !ReadNumber(0, 59, rest)) return false;
    }
    seconds = hours * 3600 + minutes * 60 + rest;
    if (is_negative) seconds = -seconds;
    return true;
  }

  // Reads ",M3.5.0/2", ",J60" or ",59/-1".
  bool ReadDay(ZoneRuleDay& day) {
    if (!Skip(',')) return false;
    if (Skip('M')) {
      day.kind = ZoneRuleDay::Kind::kWeekday;
      if (!ReadNumber(1, 12, day.month) || !Skip('.') || !ReadNumber(1, 5, day.week) || !Skip('.') ||
          !ReadNumber(0, 6, day.day)) {
        return false;
      }
    } else if (Skip('J')) {
      day.kind = ZoneRuleDay::Kind::kDayWithoutLeap;
      if (!ReadNumber(1, 365, day.day)) return false;
    } else {
      day.kind = ZoneRuleDay::Kind::kDay;
      if (!ReadNumber(0, 365, day.day)) return false;
    }
    day.seconds = 2 * 3600;
    constexpr int32_t kMostHours = 167;  // RFC 9636 lets the time reach into other days
    return !Skip('/') || ReadOffset(kMostHours, day.seconds);
  }

  std::string_view rest_;
};

}  // namespace

int64_t ZoneRuleDay::InYear(int32_t year) const {
  int32_t days = 0;
  switch (kind) {
    case Kind::kWeekday: {
      const int32_t first = DaysFromCivil({year, month, 1});
      const int32_t weekday_of_first = ((first + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
      int32_t of_month = (day - weekday_of_first + 7) % 7 + (week - 1) * 7;
      if (of_month >= DaysInMonth(year, month)) of_month -= 7;
      days = first + of_month;
      break;
    }
    case Kind::kDayWithoutLeap: {
      constexpr int32_t kLastOfFebruary = 59;
      days = DaysFromCivil({year, 1, 1}) + day - 1 + (day > kLastOfFebruary && IsLeapYear(year) ? 1 : 0);
      break;
    }
    case Kind::kDay: days = DaysFromCivil({year, 1, 1}) + day; break;
  }
  return int64_t{days} * kSecondsPerDay + seconds;
}

bool ParseZoneRule(std::string_view text, ZoneRule& rule) { return RuleParser(text).Parse(rule); }

}  // namespace scaup
