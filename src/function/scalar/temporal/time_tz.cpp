// Functions of TIME WITH TIME ZONE: arithmetic, AT TIME ZONE, fields, current_time.
#include "type/time/time_tz.hpp"

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/field_argument.hpp"
#include "function/scalar/temporal/time_zone_argument.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr const char* kTimeTzName = "time with time zone";

[[noreturn]] void ThrowTimeTzRange(const char* what) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, std::string(what) + " out of range");
}

/// Months and days of an interval are ignored, and midnight is passed, as with TIME.
template <size_t kTimes, bool kSubtract>
void AddToTimeTz(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<int64_t, Interval, int64_t>(
      arguments.column(kTimes), arguments.column(1 - kTimes), arguments.size(), result,
      [](int64_t stored, const Interval& interval) {
        TimeTz time = LoadTimeTz(stored);
        const int64_t micros = interval.micros % kMicrosPerDay;
        time.micros = (time.micros + (kSubtract ? -micros : micros)) % kMicrosPerDay;
        if (time.micros < 0) time.micros += kMicrosPerDay;
        return StoreTimeTz(time);
      });
}

template <size_t kDates>
void MomentOfDateAndTime(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<int32_t, int64_t, int64_t>(
      arguments.column(kDates), arguments.column(1 - kDates), arguments.size(), result,
      [](int32_t days, int64_t stored) {
        if (!IsFiniteDate(days)) return TimestampOfDay(days);
        const TimeTz time = LoadTimeTz(stored);
        int64_t moment;
        if (!DateToTimestamp(days, moment))
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "date out of range for timestamp");
        moment += time.micros - int64_t{time.offset_seconds} * kMicrosPerSecond;
        if (!IsTimestampInRange(moment)) ThrowTimeTzRange("timestamp");
        return moment;
      });
}

int64_t ShiftedTo(int64_t stored, int32_t offset_seconds) {
  if (!ShiftTimeTz(stored, offset_seconds)) ThrowTimeTzRange(kTimeTzName);
  return stored;
}

/// A zone has the offset of the moment when the transaction began, as in PostgreSQL.
void TimeTzInZone(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  ZoneReader zones(call.context, arguments.column(0), count);
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  const FunctionContext& context = call.context;
  const int64_t now = context.transaction_micros != 0 ? context.transaction_micros : context.now_micros;
  auto* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    if (zones.IsValid(row) && values.IsValid(row)) {
      out[row] = ShiftedTo(values[row], zones[row].PeriodAt(now).offset_seconds);
    } else {
      result.SetNull(row);
    }
  }
}

void TimeTzAtOffset(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, int64_t, int64_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        [](const Interval& offset, int64_t stored) {
                                          if (offset.months != 0 || offset.days != 0) {
                                            ThrowError(ErrorKind::kOutOfRange,
                                                       sqlstate::kInvalidParameterValue,
                                                       "interval time zone \"" + IntervalToString(offset) +
                                                           "\" must not include months or days");
                                          }
                                          const int64_t seconds = offset.micros / kMicrosPerSecond;
                                          if (seconds > kMaxTimeTzOffset || seconds < -kMaxTimeTzOffset)
                                            ThrowTimeTzRange(kTimeTzName);
                                          return ShiftedTo(stored, static_cast<int32_t>(seconds));
                                        });
}

/// The epoch counts from midnight UTC, all other fields are of the clocks.
void PartOfTimeTz(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, kTimeTzName);
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  auto* out = result.MutableData<double>();
  for (size_t row = 0; row < count; row++) {
    if (!fields.IsValid(row) || !values.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const DateField field = fields[row];
    const TimeTz time = LoadTimeTz(values[row]);
    const int32_t offset = time.offset_seconds;
    const auto part = FieldOfTime(field, time.micros);
    if (!part && !IsTimeZoneField(field)) fields.ThrowUnsupported(row);
    out[row] = field == DateField::kEpoch            ? *part - offset
               : field == DateField::kTimeZone       ? offset
               : field == DateField::kTimeZoneHour   ? offset / 3600
               : field == DateField::kTimeZoneMinute ? offset / 60 % 60
                                                     : *part;
  }
}

void CurrentTimeTz(const ScalarCall& call, DataChunk&, Vector& result) {
  const FunctionContext& context = call.context;
  const int64_t now = context.transaction_micros != 0 ? context.transaction_micros : context.now_micros;
  TimeZoneConverter zone(context.Zone());
  if (!TimeTzOfMoment(now, zone, result.MutableData<int64_t>()[0])) ThrowTimeTzRange(kTimeTzName);
  result.SetConstant();
}

}  // namespace

ScalarFunctionList TimeTzFunctions() {
  const LogicalType time = TypeId::kTimeTz, interval = TypeId::kInterval, date = TypeId::kDate,
                    moment = TypeId::kTimestampTz, text = TypeId::kVarchar;
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, const LogicalType& returned,
                       ScalarKernel kernel, const char* description, const char* example, bool can_fail) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = returned,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  const char* later = "A later (or earlier) time on the same clocks.";
  add("+", {time, interval}, time, &AddToTimeTz<0, false>, later, "TIMETZ '23:00:00+02' + INTERVAL '2 hours'",
      false);
  add("+", {interval, time}, time, &AddToTimeTz<1, false>, later, "INTERVAL '2 hours' + TIMETZ '23:00:00+02'",
      false);
  add("-", {time, interval}, time, &AddToTimeTz<0, true>, later, "TIMETZ '01:00:00+02' - INTERVAL '2 hours'",
      false);
  const char* of_day = "The moment of a time on a day.";
  add("+", {date, time}, moment, &MomentOfDateAndTime<0>, of_day,
      "DATE '2024-02-29' + TIMETZ '12:00:00+02' = TIMESTAMPTZ '2024-02-29 10:00:00+00'", true);
  add("+", {time, date}, moment, &MomentOfDateAndTime<1>, of_day,
      "TIMETZ '12:00:00+02' + DATE '2024-02-29' = TIMESTAMPTZ '2024-02-29 10:00:00+00'", true);
  const char* shifted = "A time on the clocks of a time zone; x AT TIME ZONE zone is the same.";
  add("timezone", {text, time}, time, &TimeTzInZone, shifted, "timezone('JST', TIMETZ '12:00:00+00')", true);
  list.back().volatility = Volatility::kStable;
  add("timezone", {interval, time}, time, &TimeTzAtOffset, shifted,
      "timezone(INTERVAL '9 hours', TIMETZ '12:00:00+00')", true);
  add("date_part", {text, time}, TypeId::kDouble, &PartOfTimeTz,
      "A field of a time; EXTRACT(field FROM x) is the same.", "date_part('timezone', TIMETZ '12:00:00+02')",
      true);
  list.back().bind = &BindField;
  add("current_time", {}, time, &CurrentTimeTz,
      "The time of day when the transaction began, by the session's clocks.", "current_time", false);
  list.back().volatility = Volatility::kStable;
  return list;
}

}  // namespace scaup
