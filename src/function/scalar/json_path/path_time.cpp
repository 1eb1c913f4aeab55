// Dates and times in SQL/JSON paths: text, conversion and comparison.
#include "function/scalar/json_path/path_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_zone.hpp"

namespace scaup::json_path {
namespace {

bool IsTimeOfDay(PathTimeKind kind) { return kind == PathTimeKind::kTime || kind == PathTimeKind::kTimeTz; }
bool HasZone(PathTimeKind kind) {
  return kind == PathTimeKind::kTimeTz || kind == PathTimeKind::kTimestampTz;
}
PathTimeKind KindOf(bool has_date, bool has_time, bool has_zone) {
  if (!has_time) return PathTimeKind::kDate;
  if (!has_date) return has_zone ? PathTimeKind::kTimeTz : PathTimeKind::kTime;
  return has_zone ? PathTimeKind::kTimestampTz : PathTimeKind::kTimestamp;
}

int64_t OffsetMicros(const PathTime& time) { return time.offset_seconds * kMicrosPerSecond; }
int64_t MomentOf(const PathTime& time) { return time.micros - OffsetMicros(time); }

bool TakeCharacter(std::string_view& rest, char character) {
  if (!rest.starts_with(character)) return false;
  rest.remove_prefix(1);
  return true;
}

/// Takes all digits that come next. Returns how many; 0 also if there are too many for a number.
size_t TakeNumber(std::string_view& rest, int32_t& number) {
  constexpr size_t kMostDigits = 9;
  size_t count = 0;
  number = 0;
  for (; count < rest.size() && IsDigit(rest[count]); count++) {
    if (count == kMostDigits) return 0;
    number = number * 10 + (rest[count] - '0');
  }
  rest.remove_prefix(count);
  return count;
}

bool TakeDate(std::string_view& rest, int64_t& micros) {
  int32_t year, month, day, days;
  return TakeNumber(rest, year) > 0 && TakeCharacter(rest, '-') && TakeNumber(rest, month) > 0 &&
         TakeCharacter(rest, '-') && TakeNumber(rest, day) > 0 && MakeDate(year, month, day, days) &&
         DateToTimestamp(days, micros);
}

bool TakeClock(std::string_view& rest, int64_t& micros) {
  int32_t hour, minute, second, fraction = 0;
  const bool is_found = TakeNumber(rest, hour) > 0 && TakeCharacter(rest, ':') &&
                        TakeNumber(rest, minute) > 0 && TakeCharacter(rest, ':') &&
                        TakeNumber(rest, second) > 0;
  if (!is_found || hour > 23 || minute > 59 || second > 59) return false;
  if (TakeCharacter(rest, '.')) {
    constexpr size_t kMostDigits = 6;
    size_t digits = TakeNumber(rest, fraction);
    if (digits == 0 || digits > kMostDigits) return false;
    for (; digits < kMostDigits; digits++) fraction *= 10;
  }
  micros = hour * kMicrosPerHour + minute * kMicrosPerMinute + second * kMicrosPerSecond + fraction;
  return true;
}

bool TakeOffset(std::string_view& rest, int32_t& seconds) {
  const bool has_blank = TakeCharacter(rest, ' ');
  const bool is_west = TakeCharacter(rest, '-');
  if (!is_west && !TakeCharacter(rest, '+') && !has_blank) return false;
  int32_t hours, minutes = 0;
  if (TakeNumber(rest, hours) == 0) return false;
  if (TakeCharacter(rest, ':') && TakeNumber(rest, minutes) == 0) return false;
  constexpr int32_t kMostHours = 15;
  if (hours > kMostHours || minutes > 59) return false;
  seconds = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
  return true;
}

/// Puts a local time that belongs to no zone into the session's.
bool EnterZone(const PathZone& zone, PathTime& time) {
  int64_t moment;
  if (!zone.converter->ToMoment(time.micros, moment)) return false;
  time.offset_seconds = static_cast<int32_t>((time.micros - moment) / kMicrosPerSecond);
  return true;
}

/// Moves a moment to the clocks of the session's zone.
bool MoveToZone(const PathZone& zone, PathTime& time) {
  const int64_t moment = MomentOf(time);
  if (!zone.converter->ToLocal(moment, time.micros)) return false;
  time.offset_seconds = static_cast<int32_t>((time.micros - moment) / kMicrosPerSecond);
  return true;
}

[[noreturn]] void RefuseWithoutZone(PathTimeKind from, PathTimeKind to) {
  ThrowNotSupported(
      fmt::format("cannot convert value from {} to {} without time zone usage; call the function that ends "
                  "with _tz, as jsonb_path_query_tz",
                  PathTimeName(from), PathTimeName(to)));
}

}  // namespace

std::string_view PathTimeName(PathTimeKind kind) {
  switch (kind) {
    case PathTimeKind::kDate: return "date";
    case PathTimeKind::kTime: return "time without time zone";
    case PathTimeKind::kTimeTz: return "time with time zone";
    case PathTimeKind::kTimestamp: return "timestamp without time zone";
    case PathTimeKind::kTimestampTz: return "timestamp with time zone";
  }
  return "";
}

std::string PathTimeJson(const PathTime& time) {
  std::string text;
  if (time.kind == PathTimeKind::kDate) {
    text = DateToString(TimestampToDate(time.micros));
  } else if (IsTimeOfDay(time.kind)) {
    text = TimeToString(time.micros);
  } else {
    text = TimestampToString(time.micros);
    if (const size_t blank = text.find(' '); blank != std::string::npos) text[blank] = 'T';
  }
  if (HasZone(time.kind)) {
    const int32_t seconds = std::abs(time.offset_seconds);
    std::string offset =
        fmt::format("{}{:02}:{:02}", time.offset_seconds < 0 ? '-' : '+', seconds / 3600, seconds / 60 % 60);
    if (seconds % 60 != 0) offset += fmt::format(":{:02}", seconds % 60);
    text.insert(std::min(text.find(" BC"), text.size()), offset);
  }
  return '"' + text + '"';
}

bool ParsePathTime(std::string_view text, PathTime& time) {
  text = TrimSpace(text);
  int64_t date = 0, clock = 0;
  std::string_view rest = text;
  const bool has_date = TakeDate(rest, date);
  if (!has_date) rest = text;
  bool has_time = false, has_zone = false;
  if (!has_date || !rest.empty()) {
    if (has_date && !TakeCharacter(rest, ' ') && !TakeCharacter(rest, 'T')) return false;
    has_time = TakeClock(rest, clock);
    if (!has_time) return false;
    has_zone = !rest.empty();
    if (has_zone && (!TakeOffset(rest, time.offset_seconds) || !rest.empty())) return false;
  }
  time.kind = KindOf(has_date, has_time, has_zone);
  time.micros = date + clock;
  return IsTimeOfDay(time.kind) || IsTimestampInRange(time.micros);
}

PathTime ReadPathTime(std::string_view text, const DateFormat& format) {
  const DateFormat::Shape shape = format.shape();
  const auto refuse = [](const char* message) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat, message);
  };
  if (!shape.has_date && !shape.has_time) refuse("datetime format is not dated and not timed");
  if (shape.has_zone && !shape.has_time) refuse("datetime format is zoned but not timed");
  const FormattedTime read = format.ParseStrictly(text);
  if (shape.has_zone && !read.has_offset)
    refuse("missing time zone in input string for a time with time zone");
  PathTime time{KindOf(shape.has_date, shape.has_time, shape.has_zone), 0,
                shape.has_zone ? read.offset_seconds : 0};
  if (shape.has_date && !DateToTimestamp(read.days, time.micros))
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "date out of range");
  if (shape.has_time) time.micros += read.micros;
  RoundPathTime(read.digits, time);
  return time;
}

void RoundPathTime(int32_t digits, PathTime& time) {
  SCAUP_ASSERT(digits >= 0 && digits <= 6);
  int64_t unit = 1;
  for (; digits < 6; digits++) unit *= 10;
  const int64_t rest = (time.micros % unit + unit) % unit;
  time.micros += rest * 2 >= unit ? unit - rest : -rest;
}

bool ConvertPathTime(const PathZone& zone, PathTimeKind kind, PathTime& time) {
  const PathTimeKind from = time.kind;
  if (from == kind) return true;
  // A moment has a time of day, but a time of day has no date; a date has no time of day.
  if (IsTimeOfDay(kind) ? from == PathTimeKind::kDate : IsTimeOfDay(from)) return false;
  if (HasZone(from) != HasZone(kind) && zone.converter == nullptr) RefuseWithoutZone(from, kind);
  time.kind = kind;
  if (from == PathTimeKind::kTime) {
    time.offset_seconds = zone.converter->PeriodAt(zone.now_micros).offset_seconds;
    return true;
  }
  if (from == PathTimeKind::kTimestampTz) {
    if (zone.converter != nullptr && !MoveToZone(zone, time)) return false;
  } else if (kind == PathTimeKind::kTimestampTz && !EnterZone(zone, time)) {
    return false;
  }
  if (kind == PathTimeKind::kDate) time.micros -= TimeOfTimestamp(time.micros);
  if (IsTimeOfDay(kind) && !IsTimeOfDay(from)) time.micros = TimeOfTimestamp(time.micros);
  if (!HasZone(kind)) time.offset_seconds = 0;
  return IsTimeOfDay(kind) || IsTimestampInRange(time.micros);
}

std::optional<int> ComparePathTimes(const PathZone& zone, PathTime left, PathTime right) {
  if (IsTimeOfDay(left.kind) != IsTimeOfDay(right.kind)) return std::nullopt;
  // The kinds of a group are in the order in which they say more.
  const PathTimeKind kind = std::max(left.kind, right.kind);
  if (!ConvertPathTime(zone, kind, left) || !ConvertPathTime(zone, kind, right)) return std::nullopt;
  const int64_t a = MomentOf(left), b = MomentOf(right);
  if (a != b) return a < b ? -1 : 1;
  if (kind != PathTimeKind::kTimeTz || left.offset_seconds == right.offset_seconds) return 0;
  return left.offset_seconds > right.offset_seconds ? -1 : 1;
}

}  // namespace scaup::json_path
