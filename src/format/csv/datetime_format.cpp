// Interprets the format once per value; formats are rare, because ISO text has parsers of its own.
#include "format/csv/datetime_format.hpp"

#include <fmt/format.h>

#include <iterator>

#include "common/throw.hpp"
#include "type/time/date_time.hpp"

namespace scaup {
namespace {

constexpr std::string_view kDirectives = "YymdbBHIpMSfj%";
constexpr std::string_view kMonths[12] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};

struct Parts {
  int32_t year = 1970, month = 1, day = 1, day_of_year = 0;
  int32_t hour = 0, minute = 0, second = 0;
  int64_t micros = 0;
  bool twelve_hours = false, afternoon = false;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool Number(size_t most_digits, int32_t low, int32_t high, int32_t& value) {
    size_t digits = 0;
    value = 0;
    while (digits < most_digits && digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') {
      value = value * 10 + (text_[digits++] - '0');
    }
    text_.remove_prefix(digits);
    return digits != 0 && value >= low && value <= high;
  }
  bool Fraction(int64_t& micros) {
    size_t digits = 0;
    micros = 0;
    for (; digits < text_.size() && digits < 6 && text_[digits] >= '0' && text_[digits] <= '9'; digits++) {
      micros = micros * 10 + (text_[digits] - '0');
    }
    text_.remove_prefix(digits);
    for (size_t i = digits; i < 6; i++) micros *= 10;
    return digits != 0;
  }
  bool Literal(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool Word(std::string_view word) {
    if (text_.size() < word.size()) return false;
    for (size_t i = 0; i < word.size(); i++) {
      if ((text_[i] | 0x20) != (word[i] | 0x20)) return false;
    }
    text_.remove_prefix(word.size());
    return true;
  }
  bool Month(bool full_name, int32_t& month) {
    for (int32_t i = 0; i < 12; i++) {
      if (Word(full_name ? kMonths[i] : kMonths[i].substr(0, 3))) {
        month = i + 1;
        return true;
      }
    }
    return false;
  }
  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool ParseDirective(char directive, Reader& reader, Parts& parts) {
  switch (directive) {
    case 'Y': return reader.Number(4, 1, 9999, parts.year);
    case 'y':
      if (!reader.Number(2, 0, 99, parts.year)) return false;
      parts.year += parts.year < 70 ? 2000 : 1900;
      return true;
    case 'm': return reader.Number(2, 1, 12, parts.month);
    case 'd': return reader.Number(2, 1, 31, parts.day);
    case 'j': return reader.Number(3, 1, 366, parts.day_of_year);
    case 'b': return reader.Month(false, parts.month);
    case 'B': return reader.Month(true, parts.month);
    case 'H': return reader.Number(2, 0, 23, parts.hour);
    case 'I': parts.twelve_hours = true; return reader.Number(2, 1, 12, parts.hour);
    case 'M': return reader.Number(2, 0, 59, parts.minute);
    case 'S': return reader.Number(2, 0, 59, parts.second);
    case 'f': return reader.Fraction(parts.micros);
    case 'p': parts.afternoon = reader.Word("PM"); return parts.afternoon || reader.Word("AM");
    default: return reader.Literal(directive);  // "%%"
  }
}

bool ToTimestamp(const Parts& parts, int64_t& timestamp) {
  int32_t days;
  if (!MakeDate(parts.year, parts.month, parts.day, days)) return false;
  if (parts.day_of_year != 0) {
    if (parts.day_of_year == 366 && !IsLeapYear(parts.year)) return false;
    days = DaysFromCivil({parts.year, 1, 1}) + parts.day_of_year - 1;
  }
  int32_t hour = parts.hour;
  if (parts.twelve_hours) hour = hour % 12 + (parts.afternoon ? 12 : 0);
  timestamp = days * kMicrosPerDay + hour * kMicrosPerHour + parts.minute * kMicrosPerMinute +
              parts.second * kMicrosPerSecond + parts.micros;
  return true;
}

}  // namespace

DateTimeFormat::DateTimeFormat(std::string format) : format_(std::move(format)) {
  for (size_t i = 0; i < format_.size(); i++) {
    if (format_[i] != '%') continue;
    i++;
    if (i == format_.size() || kDirectives.find(format_[i]) == std::string_view::npos) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
                 fmt::format("\"{}\" is not a date format: after % comes one of {}", format_, kDirectives));
    }
  }
}

bool DateTimeFormat::Parse(std::string_view text, int64_t& timestamp_micros) const {
  Reader reader(text);
  Parts parts;
  for (size_t i = 0; i < format_.size(); i++) {
    const bool fits =
        format_[i] == '%' ? ParseDirective(format_[++i], reader, parts) : reader.Literal(format_[i]);
    if (!fits) return false;
  }
  return reader.at_end() && ToTimestamp(parts, timestamp_micros);
}

void DateTimeFormat::Append(int64_t timestamp_micros, std::string& out) const {
  int64_t days = timestamp_micros / kMicrosPerDay;
  int64_t time = timestamp_micros % kMicrosPerDay;
  if (time < 0) {
    time += kMicrosPerDay;
    days--;
  }
  const CivilDate date = CivilFromDays(static_cast<int32_t>(days));
  const int64_t hour = time / kMicrosPerHour;
  auto append = std::back_inserter(out);
  for (size_t i = 0; i < format_.size(); i++) {
    if (format_[i] != '%') {
      out.push_back(format_[i]);
      continue;
    }
    switch (format_[++i]) {
      case 'Y': fmt::format_to(append, "{:04}", date.year); break;
      case 'y': fmt::format_to(append, "{:02}", (date.year % 100 + 100) % 100); break;
      case 'm': fmt::format_to(append, "{:02}", date.month); break;
      case 'd': fmt::format_to(append, "{:02}", date.day); break;
      case 'j': fmt::format_to(append, "{:03}", days - DaysFromCivil({date.year, 1, 1}) + 1); break;
      case 'b': out += kMonths[date.month - 1].substr(0, 3); break;
      case 'B': out += kMonths[date.month - 1]; break;
      case 'H': fmt::format_to(append, "{:02}", hour); break;
      case 'I': fmt::format_to(append, "{:02}", (hour + 11) % 12 + 1); break;
      case 'p': out += hour < 12 ? "AM" : "PM"; break;
      case 'M': fmt::format_to(append, "{:02}", time / kMicrosPerMinute % 60); break;
      case 'S': fmt::format_to(append, "{:02}", time / kMicrosPerSecond % 60); break;
      case 'f': fmt::format_to(append, "{:06}", time % kMicrosPerSecond); break;
      default: out.push_back('%'); break;
    }
  }
}

}  // namespace scaup
