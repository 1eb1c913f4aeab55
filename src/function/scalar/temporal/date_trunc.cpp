// date_trunc truncates a timestamp to a field; last_day returns the end of its month.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/field_argument.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "function/scalar/temporal/time_zone_argument.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

int32_t FloorTo(int32_t year, int32_t step) { return year - ((year % step) + step) % step; }

/// The first day of the period that contains `days`; nullopt if the field does not consist of whole days.
[[gnu::always_inline]] inline std::optional<int32_t> TruncateDays(DateField field, int32_t days) {
  if (field == DateField::kDay) return days;
  if (field == DateField::kWeek) return MondayOf(days);
  const CivilDate date = CivilFromDays(days);
  switch (field) {
    // Centuries and millennia begin with a year 1, decades with a year 0.
    case DateField::kMillennium: return DaysFromCivil({FloorTo(date.year - 1, 1000) + 1, 1, 1});
    case DateField::kCentury: return DaysFromCivil({FloorTo(date.year - 1, 100) + 1, 1, 1});
    case DateField::kDecade: return DaysFromCivil({FloorTo(date.year, 10), 1, 1});
    case DateField::kYear: return DaysFromCivil({date.year, 1, 1});
    case DateField::kQuarter: return DaysFromCivil({date.year, (date.month - 1) / 3 * 3 + 1, 1});
    case DateField::kMonth: return days - date.day + 1;
    default: return std::nullopt;
  }
}

/// The length of a field of the time of day; 0 for other fields.
[[gnu::always_inline]] inline int64_t MicrosOfField(DateField field) {
  switch (field) {
    case DateField::kHour: return kMicrosPerHour;
    case DateField::kMinute: return kMicrosPerMinute;
    case DateField::kSecond: return kMicrosPerSecond;
    case DateField::kMillisecond: return 1000;
    case DateField::kMicrosecond: return 1;
    default: return 0;
  }
}

[[gnu::always_inline]] inline bool Truncate(DateField field, int64_t timestamp, int64_t& result) {
  result = timestamp;
  if (!IsFiniteTimestamp(timestamp)) return true;
  const int32_t days = DayOfTimestamp(timestamp);
  if (const int64_t unit = MicrosOfField(field); unit != 0) {
    const int64_t micros = MicrosOfDay(timestamp);
    result = timestamp - micros % unit;
    return true;
  }
  const auto first = TruncateDays(field, days);
  if (!first) return false;
  result = TimestampOfDay(*first);
  return true;
}

bool TruncateInterval(DateField field, const Interval& value, Interval& result) {
  if (const int64_t unit = MicrosOfField(field); unit != 0) {
    result = value;
    result.micros -= value.micros % unit;
    return true;
  }
  int32_t months = 0;
  switch (field) {
    case DateField::kMillennium: months = 12000; break;
    case DateField::kCentury: months = 1200; break;
    case DateField::kDecade: months = 120; break;
    case DateField::kYear: months = 12; break;
    case DateField::kQuarter: months = 3; break;
    case DateField::kMonth: months = 1; break;
    case DateField::kDay: result = {value.months, value.days, 0}; return true;
    default: return false;
  }
  result = {value.months - value.months % months, 0, 0};
  return true;
}

[[gnu::always_inline]] inline bool TruncateDate(DateField field, int32_t days, int64_t& result) {
  return Truncate(field, TimestampOfDay(days), result);
}

// Flattened, so that a loop for one field contains no calls.
template <typename T, typename R, bool (*kTruncate)(DateField, T, R&)>
[[gnu::flatten]] void DateTrunc(const ScalarCall& call, DataChunk& arguments, Vector& result,
                                const char* type_name) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, type_name);
  const auto values = arguments.column(1).ViewAs<std::remove_cvref_t<T>>(count);
  R* out = result.MutableData<R>();
  const auto work = [&](const auto& field_of_row) {
    for (size_t row = 0; row < count; row++) {
      if (!fields.IsValid(row) || !values.IsValid(row)) {
        result.SetNull(row);
      } else if (!kTruncate(field_of_row(row), values[row], out[row])) {
        // An interval has no weeks, although there is such a field.
        const bool is_of_interval = std::is_same_v<R, Interval>;
        if (is_of_interval && field_of_row(row) == DateField::kWeek) fields.ThrowUnsupported(row);
        fields.ThrowUnknown(row);
      }
    }
  };
  const auto work_at_field = [&]<DateField kField>() { work([](size_t) { return kField; }); };
  if (!fields.constant() || !VisitCommonField(*fields.constant(), work_at_field))
    work([&](size_t row) { return fields[row]; });
}

void TruncTimestamp(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  DateTrunc<int64_t, int64_t, &Truncate>(call, arguments, result, "timestamp without time zone");
}
/// Truncates a moment in a zone's local time. For hours and shorter fields, the UTC offset does not change.
int64_t TruncateMoment(const FieldReader& fields, size_t row, int64_t moment, TimeZoneConverter& zone) {
  int64_t local, truncated;
  const DateField field = fields[row];
  if (!zone.ToLocal(moment, local)) ThrowOutOfRange("timestamp out of range");
  if (!Truncate(field, local, truncated)) fields.ThrowUnknown(row);
  if (MicrosOfField(field) != 0) return moment - (local - truncated);
  if (!zone.ToMoment(truncated, moment)) ThrowOutOfRange("timestamp out of range");
  return moment;
}

/// The local time is the session's.
void TruncMoment(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, "timestamp with time zone");
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  TimeZoneConverter zone(call.context.Zone());
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    if (fields.IsValid(row) && values.IsValid(row)) {
      out[row] = TruncateMoment(fields, row, values[row], zone);
    } else {
      result.SetNull(row);
    }
  }
}
/// The local time is that of the zone that the third argument names.
void TruncMomentInZone(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const FieldReader fields(call, arguments.column(0), count, "timestamp with time zone");
  const auto values = arguments.column(1).ViewAs<int64_t>(count);
  ZoneReader zones(call.context, arguments.column(2), count);
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    if (fields.IsValid(row) && values.IsValid(row) && zones.IsValid(row)) {
      out[row] = TruncateMoment(fields, row, values[row], zones[row]);
    } else {
      result.SetNull(row);
    }
  }
}
void TruncDate(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  DateTrunc<int32_t, int64_t, &TruncateDate>(call, arguments, result, "date");
}
void TruncInterval(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  DateTrunc<const Interval&, Interval, &TruncateInterval>(call, arguments, result, "interval");
}

int32_t LastDayOfMonth(int32_t days) {
  if (!IsFiniteDate(days)) return days;
  const CivilDate date = CivilFromDays(days);
  return days + DaysInMonth(date.year, date.month) - date.day;
}

void LastDay(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int32_t, int32_t>(arguments.column(0), arguments.size(), result, LastDayOfMonth);
}

void LastDayOfTimestamp(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, int32_t>(arguments.column(0), arguments.size(), result, [](int64_t timestamp) {
    if (timestamp == kTimestampInfinity) return kDateInfinity;
    if (timestamp == kTimestampMinusInfinity) return kDateMinusInfinity;
    return LastDayOfMonth(DayOfTimestamp(timestamp));
  });
}

}  // namespace

ScalarFunctionList DateTruncFunctions() {
  const char* description = "The value with everything finer than a field set to its start.";
  const char* example = "date_trunc('month', TIMESTAMP '2024-02-29 12:34:56')";
  const LogicalType text = TypeId::kVarchar, timestamp = TypeId::kTimestamp, date = TypeId::kDate;
  ScalarFunctionList list = {
      {.name = "date_trunc",
       .argument_types = {text, timestamp},
       .return_type = timestamp,
       .kernel = &TruncTimestamp,
       .description = description,
       .example = example,
       .bind = &BindField},
      {.name = "date_trunc",
       .argument_types = {text, date},
       .return_type = timestamp,
       .kernel = &TruncDate,
       .description = description,
       .example = example,
       .bind = &BindField},
      {.name = "date_trunc",
       .argument_types = {text, TypeId::kInterval},
       .return_type = TypeId::kInterval,
       .kernel = &TruncInterval,
       .description = description,
       .example = example,
       .bind = &BindField},
      {.name = "date_trunc",
       .argument_types = {text, TypeId::kTimestampTz},
       .return_type = TypeId::kTimestampTz,
       .kernel = &TruncMoment,
       .description = description,
       .example = example,
       .bind = &BindField},
      {.name = "date_trunc",
       .argument_types = {text, TypeId::kTimestampTz, text},
       .return_type = TypeId::kTimestampTz,
       .kernel = &TruncMomentInZone,
       .description = "The same by the clocks of a time zone.",
       .example = "date_trunc('day', TIMESTAMPTZ '2024-02-29 20:00:00+00', 'Asia/Tokyo')",
       .bind = &BindField},
      {.name = "last_day",
       .argument_types = {date},
       .return_type = date,
       .kernel = &LastDay,
       .description = "The last day of the month.",
       .example = "last_day(DATE '2024-02-10')",
       .can_fail = false},
      {.name = "last_day",
       .argument_types = {timestamp},
       .return_type = date,
       .kernel = &LastDayOfTimestamp,
       .description = "The last day of the month.",
       .example = "last_day(TIMESTAMP '2024-02-10 12:00:00')",
       .can_fail = false}};
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
