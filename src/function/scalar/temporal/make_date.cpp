// make_date, make_time, make_timestamp and make_interval: values from their fields.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/time_zone_argument.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowField(const char* what) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
             std::string(what) + " field value out of range");
}

/// A negative year is BC; there is no year 0.
int32_t CheckedDate(int32_t year, int32_t month, int32_t day) {
  int32_t days;
  if (year == 0 || year == INT32_MIN || !MakeDate(year < 0 ? year + 1 : year, month, day, days))
    ThrowField("date");
  return days;
}

int64_t CheckedTime(int32_t hour, int32_t minute, double seconds) {
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(seconds >= 0 && seconds <= 60))
    ThrowField("time");
  const int64_t micros =
      hour * kMicrosPerHour + minute * kMicrosPerMinute + static_cast<int64_t>(std::rint(seconds * 1e6));
  if (micros > kMicrosPerDay) ThrowField("time");
  return micros;
}

void MakeDateKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<int32_t, int32_t, int32_t, int32_t>(arguments.column(0), arguments.column(1),
                                                 arguments.column(2), arguments.size(), result, CheckedDate);
}

void MakeTime(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<int32_t, int32_t, double, int64_t>(arguments.column(0), arguments.column(1), arguments.column(2),
                                                arguments.size(), result, CheckedTime);
}

template <bool kIsMoment>
void MakeTimestamp(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::optional<TypedView<int32_t>> fields[5];
  for (size_t i = 0; i < 5; i++) fields[i] = arguments.column(i).ViewAs<int32_t>(count);
  const auto seconds = arguments.column(5).ViewAs<double>(count);
  int64_t* out = result.MutableData<int64_t>();
  TimeZoneConverter session_zone(call.context.Zone());
  std::optional<ZoneReader> zones;
  if (arguments.column_count() > 6) zones.emplace(call.context, arguments.column(6), count);
  for (size_t row = 0; row < count; row++) {
    bool is_valid = seconds.IsValid(row) && (!zones || zones->IsValid(row));
    for (const auto& field : fields) is_valid &= field->IsValid(row);
    if (!is_valid) {
      result.SetNull(row);
      continue;
    }
    const int32_t days = CheckedDate((*fields[0])[row], (*fields[1])[row], (*fields[2])[row]);
    const int64_t time = CheckedTime((*fields[3])[row], (*fields[4])[row], seconds[row]);
    if (!AddInterval(0, {0, days, time}, out[row])) ThrowField("timestamp");
    if constexpr (kIsMoment) {
      TimeZoneConverter& zone = zones ? (*zones)[row] : session_zone;
      if (!zone.ToMoment(out[row], out[row])) ThrowField("timestamp");
    }
  }
}

[[noreturn]] void ThrowInterval() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "interval out of range");
}

int32_t CheckedField(int64_t value) {
  if (value != static_cast<int32_t>(value)) ThrowInterval();
  return static_cast<int32_t>(value);
}

/// The arguments are years, months, weeks, days, hours, mins, secs, or a prefix of these.
void MakeInterval(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size(), given = arguments.column_count();
  std::vector<UnifiedView> views;
  for (size_t i = 0; i < given; i++) views.push_back(arguments.column(i).View(count));
  Interval* out = result.MutableData<Interval>();
  for (size_t row = 0; row < count; row++) {
    bool is_valid = true;
    for (const UnifiedView& view : views) is_valid &= view.IsValid(row);
    if (!is_valid) {
      result.SetNull(row);
      continue;
    }
    const auto field = [&](size_t i) { return i < given ? int64_t{views[i].As<int32_t>()[row]} : 0; };
    const double seconds = given > 6 ? views[6].As<double>()[row] : 0;
    if (!std::isfinite(seconds)) ThrowInterval();
    const double micros = static_cast<double>(field(4) * kMicrosPerHour + field(5) * kMicrosPerMinute) +
                          std::rint(seconds * 1e6);
    if (!(micros > -9.2233720368547e18 && micros < 9.2233720368547e18)) ThrowInterval();
    out[row] = {CheckedField(field(0) * 12 + field(1)), CheckedField(field(2) * 7 + field(3)),
                field(4) * kMicrosPerHour + field(5) * kMicrosPerMinute +
                    static_cast<int64_t>(std::rint(seconds * 1e6))};
  }
}

ScalarFunctionList MakeIntervalFunctions() {
  ScalarFunctionList list;
  const char* const examples[] = {"make_interval()",
                                  "make_interval(1)",
                                  "make_interval(1, 2)",
                                  "make_interval(weeks => 2)",
                                  "make_interval(days => 10)",
                                  "make_interval(hours => 30)",
                                  "make_interval(hours => 1, mins => 30)",
                                  "make_interval(secs => 90.5)"};
  for (size_t given = 0; given <= 7; given++) {
    std::vector<LogicalType> types(given, TypeId::kInteger);
    if (given == 7) types[6] = TypeId::kDouble;
    list.push_back({.name = "make_interval",
                    .argument_types = std::move(types),
                    .return_type = TypeId::kInterval,
                    .kernel = &MakeInterval,
                    .description = "An interval from years, months, weeks, days, hours, mins and secs.",
                    .example = examples[given]});
  }
  list.back().argument_names = {"years", "months", "weeks", "days", "hours", "mins", "secs"};
  return list;
}

}  // namespace

ScalarFunctionList MakeDateFunctions() {
  const LogicalType number = TypeId::kInteger, seconds = TypeId::kDouble;
  ScalarFunctionList list = {{.name = "make_date",
                              .argument_types = {number, number, number},
                              .return_type = TypeId::kDate,
                              .kernel = &MakeDateKernel,
                              .description = "A date from year, month and day.",
                              .example = "make_date(2024, 2, 29)"},
                             {.name = "make_time",
                              .argument_types = {number, number, seconds},
                              .return_type = TypeId::kTime,
                              .kernel = &MakeTime,
                              .description = "A time from hour, minute and seconds.",
                              .example = "make_time(12, 34, 56.5)"},
                             {.name = "make_timestamp",
                              .argument_types = {number, number, number, number, number, seconds},
                              .return_type = TypeId::kTimestamp,
                              .kernel = &MakeTimestamp<false>,
                              .description = "A timestamp from year, month, day, hour, minute and seconds.",
                              .example = "make_timestamp(2024, 2, 29, 12, 34, 56.5)"},
                             {.name = "make_timestamptz",
                              .argument_types = {number, number, number, number, number, seconds},
                              .return_type = TypeId::kTimestampTz,
                              .kernel = &MakeTimestamp<true>,
                              .description = "The moment when the session's clocks show these fields.",
                              .example = "make_timestamptz(2024, 2, 29, 12, 34, 56.5)"}};
  list.push_back(list.back());
  list.back().argument_types.push_back(TypeId::kVarchar);
  list.back().description = "The moment when the clocks of a time zone show these fields.";
  list.back().example = "make_timestamptz(2024, 2, 29, 12, 34, 56.5, 'Asia/Tokyo')";
  for (ScalarFunction& function : MakeIntervalFunctions()) list.push_back(std::move(function));
  return list;
}

}  // namespace scaup
