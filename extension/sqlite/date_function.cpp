// Time values, modifiers and formats of SQLite, over days since 1970 and milliseconds of a day.
#include "date_function.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>

#include "token.hpp"

namespace scaup::sqlite {

namespace {

constexpr int64_t kDay = 86400000;
constexpr double kJulianEpoch = 2440587.5;  ///< 1970-01-01 00:00:00

/// Milliseconds since 1970-01-01 00:00:00 UTC.
using Moment = std::optional<int64_t>;

struct Fields {
  int year = 2000, month = 1, day = 1, hour = 0, minute = 0;
  double second = 0;
};

int64_t DaysOf(int year, int month, int day) {
  using namespace std::chrono;
  // Months beyond a year's count into the next ones.
  const int months = year * 12 + month - 1;
  const int first = months >= 0 ? months / 12 : -((11 - months) / 12);
  const year_month_day date{std::chrono::year(first) /
                            std::chrono::month(static_cast<unsigned>(months - first * 12 + 1)) / 1};
  return sys_days(date).time_since_epoch().count() + day - 1;
}

int64_t ToMoment(const Fields& fields) {
  return DaysOf(fields.year, fields.month, fields.day) * kDay +
         (fields.hour * 60 + fields.minute) * int64_t{60000} + std::llround(fields.second * 1000);
}

Fields ToFields(int64_t moment) {
  using namespace std::chrono;
  const int64_t days = moment >= 0 ? moment / kDay : -((kDay - 1 - moment) / kDay);
  const year_month_day date{sys_days(std::chrono::days(days))};
  const int64_t rest = moment - days * kDay;
  Fields fields;
  fields.year = static_cast<int>(date.year());
  fields.month = static_cast<int>(static_cast<unsigned>(date.month()));
  fields.day = static_cast<int>(static_cast<unsigned>(date.day()));
  fields.hour = static_cast<int>(rest / 3600000);
  fields.minute = static_cast<int>(rest / 60000 % 60);
  fields.second = static_cast<double>(rest % 60000) / 1000;
  return fields;
}

int64_t Now() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// Parses hh:mm[:ss[.fff]] [Z | +hh:mm] up to the end of the text.
bool ParseTime(const std::string& text, Fields& fields) {
  int read = 0;
  if (std::sscanf(text.c_str(), "%2d:%2d%n", &fields.hour, &fields.minute, &read) < 2 || read != 5)
    return false;
  size_t at = 5;
  if (at < text.size() && text[at] == ':') {
    int whole = 0;
    if (std::sscanf(text.c_str() + at, ":%2d%n", &whole, &read) < 1 || read != 3) return false;
    at += 3;
    fields.second = whole;
    if (at + 1 < text.size() && text[at] == '.') {
      const size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
      fields.second += std::strtod(("0" + text.substr(at, end - at)).c_str(), nullptr);
      at = end;
    }
  }
  while (at < text.size() && text[at] == ' ') at++;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    int hours = 0;
    int minutes = 0;
    if (std::sscanf(text.c_str() + at + 1, "%2d:%2d%n", &hours, &minutes, &read) < 2 || read != 5)
      return false;
    const int zone = (hours * 60 + minutes) * (text[at] == '-' ? -1 : 1);
    fields.minute -= zone;
    at += 6;
  } else if (at < text.size() && (text[at] == 'Z' || text[at] == 'z')) {
    at++;
  }
  return at == text.size() && fields.hour < 25 && fields.second < 60;
}

Moment ParseText(const std::string& text) {
  if (ToLower(text) == "now") return Now();
  Fields fields;
  int read = 0;
  const bool has_date =
      std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &fields.year, &fields.month, &fields.day, &read) == 3 &&
      read == 10;
  if (has_date) {
    if (fields.month < 1 || fields.month > 12 || fields.day < 1 || fields.day > 31) return std::nullopt;
    if (text.size() == 10) return ToMoment(fields);
    if (text[10] != ' ' && text[10] != 'T') return std::nullopt;
    const size_t begin = text.find_first_not_of(' ', text[10] == 'T' ? 11 : 10);
    if (begin == std::string::npos) return ToMoment(fields);
    if (!ParseTime(text.substr(begin), fields)) return std::nullopt;
    return ToMoment(fields);
  }
  if (ParseTime(text, fields)) return ToMoment(fields);
  const SqliteValue number = NumberOfText(text);
  if (number.is_null()) return std::nullopt;
  return std::llround((number.AsReal() - kJulianEpoch) * static_cast<double>(kDay));
}

int64_t LocalOffset(int64_t moment) {
  const auto seconds = static_cast<std::time_t>(moment / 1000);
  std::tm local{};
  localtime_r(&seconds, &local);
  return local.tm_gmtoff * int64_t{1000};
}

/// Adds "3 days" and the like.
Moment AddUnits(int64_t moment, const std::string& modifier) {
  char unit[16] = "";
  double count = 0;
  if (std::sscanf(modifier.c_str(), "%lf %15s", &count, unit) < 2) return std::nullopt;
  std::string name = unit;
  if (!name.empty() && name.back() == 's') name.pop_back();
  static constexpr std::pair<const char*, double> kUnits[] = {
      {"second", 1e3}, {"minute", 6e4}, {"hour", 3.6e6}, {"day", 8.64e7}};
  for (const auto& [known, milliseconds] : kUnits) {
    if (name == known) return moment + std::llround(count * milliseconds);
  }
  if (name != "month" && name != "year") return std::nullopt;
  Fields fields = ToFields(moment);
  const auto whole = static_cast<int>(count);
  (name == "month" ? fields.month : fields.year) += whole;
  return ToMoment(fields) +
         std::llround((count - whole) * (name == "month" ? 30 : 365) * static_cast<double>(kDay));
}

Moment Modify(int64_t moment, const std::string& modifier) {
  const Fields fields = ToFields(moment);
  if (modifier == "start of day") return DaysOf(fields.year, fields.month, fields.day) * kDay;
  if (modifier == "start of month") return DaysOf(fields.year, fields.month, 1) * kDay;
  if (modifier == "start of year") return DaysOf(fields.year, 1, 1) * kDay;
  if (modifier == "localtime") return moment + LocalOffset(moment);
  if (modifier == "utc") return moment - LocalOffset(moment - LocalOffset(moment));
  if (modifier.rfind("weekday ", 0) == 0) {
    const int64_t days = DaysOf(fields.year, fields.month, fields.day);
    const int64_t today = ((days + 4) % 7 + 7) % 7;
    return moment + ((std::atoi(modifier.c_str() + 8) - today + 7) % 7) * kDay;
  }
  return AddUnits(moment, modifier);
}

Moment ReadMoment(const std::vector<SqliteValue>& arguments, size_t first) {
  if (arguments.size() <= first) return Now();
  const SqliteValue& value = arguments[first];
  if (value.is_null()) return std::nullopt;
  Moment moment;
  size_t next = first + 1;
  const bool is_number = value.is_integer() || value.is_real();
  if (is_number && next < arguments.size() && ToLower(arguments[next].AsText()) == "unixepoch") {
    moment = std::llround(value.AsReal() * 1000);
    next++;
  } else {
    moment = ParseText(value.AsText());
  }
  for (; next < arguments.size() && moment; next++) {
    if (arguments[next].is_null()) return std::nullopt;
    moment = Modify(*moment, ToLower(arguments[next].AsText()));
  }
  // SQLite's calendar: 0000 to 9999.
  if (moment && (*moment < DaysOf(0, 1, 1) * kDay || *moment >= DaysOf(10000, 1, 1) * kDay))
    return std::nullopt;
  return moment;
}

template <typename... Arguments>
std::string Print(const char* format, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

std::string DateOf(const Fields& fields) {
  return Print("%04d-%02d-%02d", fields.year, fields.month, fields.day);
}
std::string TimeOf(const Fields& fields) {
  return Print("%02d:%02d:%02d", fields.hour, fields.minute, static_cast<int>(fields.second));
}
double JulianOf(int64_t moment) {
  return static_cast<double>(moment) / static_cast<double>(kDay) + kJulianEpoch;
}

/// Returns what stands for one letter of a format; nullopt for letters that mean nothing.
std::optional<std::string> FormatField(char letter, int64_t moment) {
  const Fields fields = ToFields(moment);
  const int64_t days = DaysOf(fields.year, fields.month, fields.day);
  const auto day_of_year = static_cast<int>(days - DaysOf(fields.year, 1, 1));
  const auto weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  switch (letter) {
    case 'd': return Print("%02d", fields.day);
    case 'f': return Print("%06.3f", std::min(fields.second, 59.999));
    case 'H': return Print("%02d", fields.hour);
    case 'j': return Print("%03d", day_of_year + 1);
    case 'J': return Print("%.16g", JulianOf(moment));
    case 'm': return Print("%02d", fields.month);
    case 'M': return Print("%02d", fields.minute);
    case 's': return std::to_string(moment / 1000);
    case 'S': return Print("%02d", static_cast<int>(fields.second));
    case 'w': return std::to_string(weekday);
    case 'W': return Print("%02d", (day_of_year + 7 - (weekday + 6) % 7) / 7);
    case 'Y': return Print("%04d", fields.year);
    case '%': return "%";
    default: return std::nullopt;
  }
}

}  // namespace

SqliteValue DateText(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 0);
  return moment ? SqliteValue::MakeText(DateOf(ToFields(*moment))) : SqliteValue();
}

SqliteValue TimeText(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 0);
  return moment ? SqliteValue::MakeText(TimeOf(ToFields(*moment))) : SqliteValue();
}

SqliteValue DateTimeText(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 0);
  if (!moment) return SqliteValue();
  const Fields fields = ToFields(*moment);
  return SqliteValue::MakeText(DateOf(fields) + " " + TimeOf(fields));
}

SqliteValue FormattedTime(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 1);
  if (!moment || arguments[0].is_null()) return SqliteValue();
  const std::string format = arguments[0].AsText();
  std::string text;
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%') {
      text.push_back(format[i]);
      continue;
    }
    const std::optional<std::string> field =
        i + 1 < format.size() ? FormatField(format[++i], *moment) : std::nullopt;
    if (!field) return SqliteValue();
    text += *field;
  }
  return SqliteValue::MakeText(text);
}

SqliteValue JulianDay(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 0);
  return moment ? SqliteValue(JulianOf(*moment)) : SqliteValue();
}

SqliteValue UnixEpoch(const std::vector<SqliteValue>& arguments) {
  const Moment moment = ReadMoment(arguments, 0);
  if (!moment) return SqliteValue();
  return SqliteValue(*moment >= 0 ? *moment / 1000 : -((999 - *moment) / 1000));
}

}  // namespace scaup::sqlite
