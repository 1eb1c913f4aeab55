// Rewrites dates and times in PostgreSQL's other forms, part by part.
#include "type/time/date_words.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

constexpr size_t kLongestText = 100;  ///< PostgreSQL's limit is of this kind, too
constexpr int32_t kJulianDayOfEpoch = 2440588;
constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};
constexpr std::string_view kWeekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                          "thursday", "friday", "saturday"};
/// Short names of week days beside their first three letters.
constexpr std::string_view kShortWeekdays[] = {"tues", "weds", "thur", "thurs"};

bool IsName(std::string_view word, std::string_view name) {
  return EqualsIgnoringCase(word, name) || (word.size() == 3 && EqualsIgnoringCase(word, name.substr(0, 3)));
}

/// Returns 1 for January and so on; 0 for other words.
int32_t MonthOf(std::string_view word) {
  for (size_t i = 0; i < std::size(kMonths); i++)
    if (IsName(word, kMonths[i])) return static_cast<int32_t>(i) + 1;
  return EqualsIgnoringCase(word, "sept") ? 9 : 0;
}

bool IsWeekday(std::string_view word) {
  for (const std::string_view name : kWeekdays)
    if (IsName(word, name)) return true;
  for (const std::string_view name : kShortWeekdays)
    if (EqualsIgnoringCase(word, name)) return true;
  return false;
}

bool IsNumber(std::string_view word) {
  for (const char c : word)
    if (!IsDigit(c)) return false;
  return !word.empty() && word.size() <= 9;
}

int32_t NumberOf(std::string_view digits) {
  int32_t number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

/// The parts of a date and time, collected word by word. Used for one text.
class DateWords {
 public:
  /// Takes a word without spaces. Returns false if it cannot belong to a date.
  bool Take(std::string_view word) {
    if (word.find(':') != std::string_view::npos) return TakeTime(word);
    if (IsNumber(word)) return TakeNumber(word);
    if (word.front() == '+' || (word.front() == '-' && has_time_)) return PassOn(word);
    if ((word.front() == 'J' || word.front() == 'j') && IsNumber(word.substr(1))) return TakeJulianDay(word);
    if (word.find_first_of("-/.") != std::string_view::npos && word.find('_') == std::string_view::npos)
      return TakeParts(word);
    return TakeWord(word);
  }

  std::optional<std::string> IsoText() {
    if (HasDateParts() && !MakeDate()) return std::nullopt;
    if (!is_changed_) return std::nullopt;
    if (!has_date_) return has_time_ ? std::optional(rest_) : std::nullopt;
    return fmt::format("{:04}-{}-{}{}{}", year_, month_, day_, rest_.empty() ? "" : " ", rest_);
  }

 private:
  bool HasDateParts() const { return text_month_ != 0 || number_count_ != 0; }

  bool PassOn(std::string_view word) {
    if (!rest_.empty()) rest_ += ' ';
    rest_ += word;
    return true;
  }

  bool TakeTime(std::string_view word) {
    has_time_ = true;
    // "11:" is a time without minutes.
    if (word.back() != ':') return PassOn(word);
    is_changed_ = true;
    return PassOn(std::string(word) + "00");
  }

  bool TakeJulianDay(std::string_view word) {
    if (has_date_ || HasDateParts()) return false;
    const CivilDate date = CivilFromDays(NumberOf(word.substr(1)) - kJulianDayOfEpoch);
    if (date.year < 1) return false;
    SetDate(date.year, date.month, date.day);
    return true;
  }

  void SetDate(int32_t year, int32_t month, int32_t day) {
    is_changed_ = has_date_ = true;
    year_ = year;
    month_ = month;
    day_ = day;
  }

  /// Sets a date by the number of its day in the year.
  bool SetDayOfYear(int32_t year, int32_t day_of_year) {
    if (day_of_year < 1 || day_of_year > (IsLeapYear(year) ? 366 : 365)) return false;
    const CivilDate date = CivilFromDays(DaysFromCivil({year, 1, 1}) + day_of_year - 1);
    SetDate(date.year, date.month, date.day);
    return true;
  }

  bool TakeNumber(std::string_view word) {
    const int32_t number = NumberOf(word);
    const bool is_date_complete = has_date_ || number_count_ + (text_month_ != 0 ? 1 : 0) == 3;
    if (is_date_complete || (!HasDateParts() && word.size() == 4)) {
      // The digits of a time: "123456" behind a date, "1234" by itself.
      if (has_time_ || (word.size() != 4 && word.size() != 6)) return false;
      has_time_ = is_changed_ = true;
      if (word.size() == 6) return PassOn(word);
      return PassOn(fmt::format("{}:{}", word.substr(0, 2), word.substr(2)));
    }
    if (!HasDateParts()) {
      switch (word.size()) {
        case 6: SetDate(FullYear(number / 10000, 2), number / 100 % 100, number % 100); return true;
        case 8: SetDate(number / 10000, number / 100 % 100, number % 100); return true;
        default: break;
      }
    }
    return AddNumber(word);
  }

  bool AddNumber(std::string_view digits) {
    if (number_count_ == numbers_.size()) return false;
    numbers_[number_count_++] = digits;
    return true;
  }

  /// Takes "8-Jan-1999", "1/8/99", "1999.008".
  bool TakeParts(std::string_view word) {
    if (has_date_) return PassOn(word);  // a zone
    const bool is_day_of_year = word.size() == 8 && word[4] == '.' && IsNumber(word.substr(0, 4)) &&
                                IsNumber(word.substr(5)) && !HasDateParts();
    if (is_day_of_year) return SetDayOfYear(NumberOf(word.substr(0, 4)), NumberOf(word.substr(5)));
    const char separator = word[word.find_first_of("-/.")];
    while (!word.empty()) {
      const size_t end = word.find_first_of("-/.");
      if (end != std::string_view::npos && word[end] != separator) return false;
      const std::string_view part = word.substr(0, end);
      word = end == std::string_view::npos ? std::string_view() : word.substr(end + 1);
      if (IsNumber(part) ? !AddNumber(part) : !TakeMonth(part)) return false;
    }
    return true;
  }

  bool TakeMonth(std::string_view word) {
    const int32_t month = MonthOf(word);
    if (month == 0 || text_month_ != 0) return false;
    text_month_ = month;
    is_changed_ = true;
    return true;
  }

  bool TakeWord(std::string_view word) {
    if (MonthOf(word) != 0) return TakeMonth(word);
    if (IsWeekday(word) || EqualsIgnoringCase(word, "at") || EqualsIgnoringCase(word, "on"))
      return is_changed_ = true;
    if (EqualsIgnoringCase(word, "allballs")) {
      has_time_ = is_changed_ = true;
      return PassOn("00:00:00");
    }
    if (EqualsIgnoringCase(word, "bc")) has_era_ = true;
    return PassOn(word);
  }

  /// PostgreSQL's window of two-digit years: 1970 to 2069.
  int32_t FullYear(int32_t year, size_t digits) const {
    if (digits > 2 || has_era_) return year;
    return year < 70 ? year + 2000 : year + 1900;
  }

  void SetYear(std::string_view digits) { year_ = FullYear(NumberOf(digits), digits.size()); }

  /// Makes the date of a month's name and two numbers, or of three numbers.
  bool MakeDate() {
    if (has_date_ || number_count_ + (text_month_ != 0 ? 1 : 0) != 3) return false;
    is_changed_ = has_date_ = true;
    constexpr size_t kLeastDigitsOfYear = 3;
    const bool begins_with_year = numbers_[0].size() >= kLeastDigitsOfYear;
    if (text_month_ != 0) {
      month_ = text_month_;
      SetYear(numbers_[begins_with_year ? 0 : 1]);
      day_ = NumberOf(numbers_[begins_with_year ? 1 : 0]);
      return true;
    }
    SetYear(numbers_[begins_with_year ? 0 : 2]);
    month_ = NumberOf(numbers_[begins_with_year ? 1 : 0]);
    day_ = NumberOf(numbers_[begins_with_year ? 2 : 1]);
    return true;
  }

  std::array<std::string_view, 3> numbers_;  // of the date, in the order of the text
  size_t number_count_ = 0;
  int32_t text_month_ = 0;
  int32_t year_ = 0, month_ = 0, day_ = 0;
  bool has_date_ = false;    // year, month and day are set
  bool is_changed_ = false;  // the text is not an ISO one
  bool has_time_ = false, has_era_ = false;
  std::string rest_;
};

}  // namespace

std::optional<std::string> ToIsoDateTime(std::string_view text) {
  text = TrimSpace(text);
  if (text.empty() || text.size() > kLongestText) return std::nullopt;
  std::vector<std::string_view> words;
  const auto separates = [](char c) { return IsSpace(c) || c == ','; };
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && !separates(text[end])) end++;
    if (end != begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  DateWords date;
  // BC tells that years are not abbreviated, and stands at the end.
  for (const std::string_view word : words)
    if (!date.Take(word)) return std::nullopt;
  return date.IsoText();
}

}  // namespace scaup
