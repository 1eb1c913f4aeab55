// The operators + and - on dates, times and timestamps.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowOverflow(const char* what) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, std::string(what) + " out of range");
}

/// PostgreSQL's dates range from 4714 BC to the year 5874897.
constexpr int32_t kFirstDay = -2440588, kLastDay = 2145031948;

int32_t AddDays(int32_t days, int32_t more) {
  if (!IsFiniteDate(days)) return days;
  const int64_t sum = int64_t{days} + more;
  if (sum < kFirstDay || sum > kLastDay) ThrowOverflow("date");
  return static_cast<int32_t>(sum);
}

int32_t SubtractDays(int32_t days, int32_t fewer) {
  if (!IsFiniteDate(days)) return days;
  const int64_t difference = int64_t{days} - fewer;
  if (difference < kFirstDay || difference > kLastDay) ThrowOverflow("date");
  return static_cast<int32_t>(difference);
}

int32_t DaysBetween(int32_t a, int32_t b) {
  if (!IsFiniteDate(a) || !IsFiniteDate(b))
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "cannot subtract infinite dates");
  const int64_t difference = int64_t{a} - b;
  if (difference != static_cast<int32_t>(difference)) ThrowOverflow("date");
  return static_cast<int32_t>(difference);
}

int64_t AddToTimestamp(int64_t timestamp, const Interval& interval) {
  if (!IsFiniteTimestamp(timestamp)) return timestamp;
  int64_t result;
  if (!AddInterval(timestamp, interval, result)) ThrowOverflow("timestamp");
  return result;
}

Interval Negated(const Interval& interval) {
  if (interval.months == INT32_MIN || interval.days == INT32_MIN || interval.micros == INT64_MIN) {
    ThrowOverflow("interval");
  }
  return {-interval.months, -interval.days, -interval.micros};
}

int64_t SubtractFromTimestamp(int64_t timestamp, const Interval& interval) {
  return AddToTimestamp(timestamp, Negated(interval));
}

int64_t CheckedAddToMoment(TimeZoneConverter& zone, int64_t moment, const Interval& interval) {
  int64_t result;
  if (!AddToMoment(zone, moment, interval, result)) ThrowOverflow("timestamp");
  return result;
}

template <size_t kMoments, size_t kIntervals, bool kSubtract>
void AddToMoments(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  MapBinary<int64_t, Interval, int64_t>(
      arguments.column(kMoments), arguments.column(kIntervals), arguments.size(), result,
      [&zone](int64_t moment, const Interval& interval) {
        return CheckedAddToMoment(zone, moment, kSubtract ? Negated(interval) : interval);
      });
}

int64_t CheckedTimestampOfDay(int32_t days) {
  int64_t micros;
  if (!IsFiniteDate(days)) return TimestampOfDay(days);
  if (__builtin_mul_overflow(int64_t{days}, kMicrosPerDay, &micros)) ThrowOverflow("date");
  return micros;
}

int64_t AddToDate(int32_t days, const Interval& interval) {
  return AddToTimestamp(CheckedTimestampOfDay(days), interval);
}
int64_t SubtractFromDate(int32_t days, const Interval& interval) {
  return SubtractFromTimestamp(CheckedTimestampOfDay(days), interval);
}

/// The difference in days and time, as PostgreSQL's timestamp - timestamp, which justifies hours but not
/// days.
Interval TimestampDifference(int64_t a, int64_t b) {
  int64_t micros;
  if (!IsFiniteTimestamp(a) || !IsFiniteTimestamp(b)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "cannot subtract infinite timestamps");
  }
  if (__builtin_sub_overflow(a, b, &micros)) ThrowOverflow("interval");
  return {0, static_cast<int32_t>(micros / kMicrosPerDay), micros % kMicrosPerDay};
}

/// Times of day wrap around at midnight; months and days of the interval are ignored.
int64_t AddToTime(int64_t time, const Interval& interval) {
  const int64_t sum = (time + interval.micros % kMicrosPerDay) % kMicrosPerDay;
  return sum < 0 ? sum + kMicrosPerDay : sum;
}
int64_t SubtractFromTime(int64_t time, const Interval& interval) {
  const int64_t sum = (time - interval.micros % kMicrosPerDay) % kMicrosPerDay;
  return sum < 0 ? sum + kMicrosPerDay : sum;
}
Interval TimeDifference(int64_t a, int64_t b) { return {0, 0, a - b}; }
int64_t DateAndTime(int32_t days, int64_t time) {
  return AddToTimestamp(CheckedTimestampOfDay(days), {0, 0, time});
}

template <typename A, typename B, typename R, R (*kFunction)(A, B)>
void Binary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<std::remove_cvref_t<A>, std::remove_cvref_t<B>, R>(arguments.column(0), arguments.column(1),
                                                               arguments.size(), result, kFunction);
}
/// Calls the function with swapped arguments.
template <typename A, typename B, typename R, R (*kFunction)(A, B)>
void Swapped(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<std::remove_cvref_t<A>, std::remove_cvref_t<B>, R>(arguments.column(1), arguments.column(0),
                                                               arguments.size(), result, kFunction);
}

void AddSum(ScalarFunctionList& list, TypeId a, TypeId b, TypeId result, ScalarKernel kernel,
            ScalarKernel swapped, const char* example, bool can_fail) {
  const char* description = "A later (or earlier) date or time.";
  list.push_back({.name = "+",
                  .argument_types = {a, b},
                  .return_type = result,
                  .kernel = kernel,
                  .description = description,
                  .example = example,
                  .can_fail = can_fail});
  list.push_back({.name = "+",
                  .argument_types = {b, a},
                  .return_type = result,
                  .kernel = swapped,
                  .description = description,
                  .example = example,
                  .can_fail = can_fail});
}

void AddDifference(ScalarFunctionList& list, TypeId a, TypeId b, TypeId result, ScalarKernel kernel,
                   const char* example, bool can_fail) {
  list.push_back({.name = "-",
                  .argument_types = {a, b},
                  .return_type = result,
                  .kernel = kernel,
                  .description = "An earlier date or time, or the distance between two.",
                  .example = example,
                  .can_fail = can_fail});
}

}  // namespace

ScalarFunctionList DateArithmeticFunctions() {
  constexpr TypeId kDate = TypeId::kDate, kTime = TypeId::kTime, kTimestamp = TypeId::kTimestamp;
  constexpr TypeId kTimestampTz = TypeId::kTimestampTz;
  constexpr TypeId kInterval = TypeId::kInterval, kInteger = TypeId::kInteger;
  ScalarFunctionList list;
  AddSum(list, kDate, kInteger, kDate, &Binary<int32_t, int32_t, int32_t, &AddDays>,
         &Swapped<int32_t, int32_t, int32_t, &AddDays>, "DATE '2024-02-28' + 2", true);
  AddSum(list, kDate, kInterval, kTimestamp, &Binary<int32_t, const Interval&, int64_t, &AddToDate>,
         &Swapped<int32_t, const Interval&, int64_t, &AddToDate>, "DATE '2024-01-31' + INTERVAL '1 month'",
         true);
  AddSum(list, kTimestamp, kInterval, kTimestamp, &Binary<int64_t, const Interval&, int64_t, &AddToTimestamp>,
         &Swapped<int64_t, const Interval&, int64_t, &AddToTimestamp>,
         "TIMESTAMP '2024-01-31 12:00:00' + INTERVAL '1 hour'", true);
  AddSum(list, kTime, kInterval, kTime, &Binary<int64_t, const Interval&, int64_t, &AddToTime>,
         &Swapped<int64_t, const Interval&, int64_t, &AddToTime>, "TIME '23:00:00' + INTERVAL '2 hours'",
         false);
  AddSum(list, kDate, kTime, kTimestamp, &Binary<int32_t, int64_t, int64_t, &DateAndTime>,
         &Swapped<int32_t, int64_t, int64_t, &DateAndTime>, "DATE '2024-02-29' + TIME '12:00:00'", true);
  AddDifference(list, kDate, kInteger, kDate, &Binary<int32_t, int32_t, int32_t, &SubtractDays>,
                "DATE '2024-03-01' - 1", true);
  AddDifference(list, kDate, kDate, kInteger, &Binary<int32_t, int32_t, int32_t, &DaysBetween>,
                "DATE '2024-03-01' - DATE '2024-02-01'", true);
  AddDifference(list, kDate, kInterval, kTimestamp,
                &Binary<int32_t, const Interval&, int64_t, &SubtractFromDate>,
                "DATE '1998-12-01' - INTERVAL '90 days'", true);
  AddDifference(list, kTimestamp, kInterval, kTimestamp,
                &Binary<int64_t, const Interval&, int64_t, &SubtractFromTimestamp>,
                "TIMESTAMP '2024-01-31 12:00:00' - INTERVAL '1 hour'", true);
  AddDifference(list, kTimestamp, kTimestamp, kInterval,
                &Binary<int64_t, int64_t, Interval, &TimestampDifference>,
                "TIMESTAMP '2024-01-31 12:00:00' - TIMESTAMP '2024-01-30 10:00:00'", true);
  AddSum(list, kTimestampTz, kInterval, kTimestampTz, &AddToMoments<0, 1, false>, &AddToMoments<1, 0, false>,
         "TIMESTAMPTZ '2024-01-31 12:00:00+00' + INTERVAL '1 hour'", true);
  AddDifference(list, kTimestampTz, kInterval, kTimestampTz, &AddToMoments<0, 1, true>,
                "TIMESTAMPTZ '2024-01-31 12:00:00+00' - INTERVAL '1 hour'", true);
  AddDifference(list, kTimestampTz, kTimestampTz, kInterval,
                &Binary<int64_t, int64_t, Interval, &TimestampDifference>,
                "TIMESTAMPTZ '2024-01-31 12:00:00+00' - TIMESTAMPTZ '2024-01-30 10:00:00+02'", true);
  AddDifference(list, kTime, kInterval, kTime, &Binary<int64_t, const Interval&, int64_t, &SubtractFromTime>,
                "TIME '01:00:00' - INTERVAL '2 hours'", false);
  AddDifference(list, kTime, kTime, kInterval, &Binary<int64_t, int64_t, Interval, &TimeDifference>,
                "TIME '12:00:00' - TIME '10:30:00'", false);
  return list;
}

}  // namespace scaup
