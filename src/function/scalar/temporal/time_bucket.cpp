// time_bucket: the start of the span of a given width that contains a date or timestamp.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Buckets of days and less begin at a Monday, those of months at the beginning of a year: 2000-01-03 and
/// 2000-01-01, as in DuckDB.
constexpr int64_t kMondayOrigin = 10959 * kMicrosPerDay;
constexpr int32_t kOriginYear = 2000;

[[noreturn]] void ThrowRange(const char* what) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, std::string(what) + " out of range");
}

int64_t FloorMultiple(int64_t value, int64_t width) {
  const int64_t rest = value % width;
  return value - rest - (rest < 0 ? width : 0);
}

int64_t MonthBucket(int32_t width, int64_t timestamp) {
  const CivilDate date = CivilFromDays(DayOfTimestamp(timestamp));
  const int64_t months = (int64_t{date.year} - kOriginYear) * 12 + date.month - 1;
  const int64_t start = FloorMultiple(months, width);
  const int64_t first_of_year = FloorMultiple(start, 12);
  int32_t days;
  if (!MakeDate(static_cast<int32_t>(kOriginYear + first_of_year / 12),
                static_cast<int32_t>(start - first_of_year + 1), 1, days))
    ThrowRange("timestamp");
  return TimestampOfDay(days);
}

int64_t BucketOf(const Interval& width, int64_t timestamp) {
  const bool has_days = width.days != 0 || width.micros != 0;
  if (width.months != 0 && has_days)
    ThrowNotSupported("the width of time_bucket has either months or days and times, not both");
  int64_t micros = 0;
  if (__builtin_mul_overflow(int64_t{width.days}, kMicrosPerDay, &micros) ||
      __builtin_add_overflow(micros, width.micros, &micros))
    ThrowRange("interval");
  if (width.months < 0 || micros < 0 || (width.months == 0 && micros == 0)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               "the width of time_bucket must be greater than zero");
  }
  if (!IsFiniteTimestamp(timestamp)) return timestamp;
  if (width.months != 0) return MonthBucket(width.months, timestamp);
  const int64_t start = FloorMultiple(timestamp - kMondayOrigin, micros) + kMondayOrigin;
  if (!IsTimestampInRange(start)) ThrowRange("timestamp");
  return start;
}

void BucketTimestamps(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, int64_t, int64_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        BucketOf);
}

void BucketDates(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, int32_t, int32_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        [](const Interval& width, int32_t days) {
                                          return TimestampToDate(BucketOf(width, TimestampOfDay(days)));
                                        });
}

}  // namespace

ScalarFunctionList TimeBucketFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, ScalarKernel kernel, const char* example) {
    list.push_back({.name = "time_bucket",
                    .argument_types = {TypeId::kInterval, type},
                    .return_type = type,
                    .kernel = kernel,
                    .description =
                        "The start of the span of this width, counted from 2000-01-03, or 2000-01-01 "
                        "for months, that holds a date or timestamp.",
                    .example = example});
  };
  add(TypeId::kDate, &BucketDates, "time_bucket(INTERVAL '2 months', DATE '2024-02-29')");
  add(TypeId::kTimestamp, &BucketTimestamps,
      "time_bucket(INTERVAL '15 minutes', TIMESTAMP '2024-02-29 12:34:56')");
  add(TypeId::kTimestampTz, &BucketTimestamps,
      "time_bucket(INTERVAL '1 week', TIMESTAMPTZ '2024-02-29 12:34:56+00')");
  return list;
}

}  // namespace scaup
