// age: the years, months, days and time between two timestamps, as people would express it.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The difference of two finite timestamps, `later` >= `earlier`. Fields borrow from the next larger one;
/// days borrow from the month of the earlier date.
Interval AgeOf(int64_t later, int64_t earlier) {
  const CivilDate a = CivilFromDays(DayOfTimestamp(later)), b = CivilFromDays(DayOfTimestamp(earlier));
  int64_t micros = MicrosOfDay(later) - MicrosOfDay(earlier);
  int32_t days = a.day - b.day, months = (a.year - b.year) * 12 + a.month - b.month;
  if (micros < 0) {
    micros += kMicrosPerDay;
    days--;
  }
  if (days < 0) {
    days += DaysInMonth(b.year, b.month);
    months--;
  }
  return {months, days, micros};
}

Interval Age(int64_t a, int64_t b) {
  if (!IsFiniteTimestamp(a) || !IsFiniteTimestamp(b)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
               "cannot tell the age of infinite timestamps");
  }
  if (a >= b) return AgeOf(a, b);
  const Interval age = AgeOf(b, a);
  return {-age.months, -age.days, -age.micros};
}

void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<int64_t, int64_t, Interval>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        Age);
}

/// The age at the beginning of the current day.
void AgeToday(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const int64_t today = TimestampOfDay(LocalDay(call.context));
  MapUnary<int64_t, Interval>(arguments.column(0), arguments.size(), result,
                              [today](int64_t birth) { return Age(today, birth); });
}

}  // namespace

ScalarFunctionList AgeFunctions() {
  const LogicalType timestamp = TypeId::kTimestamp, interval = TypeId::kInterval;
  ScalarFunctionList list = {
      {.name = "age",
       .argument_types = {timestamp, timestamp},
       .return_type = interval,
       .kernel = &Kernel,
       .description = "Years, months, days and time from the second timestamp to the first.",
       .example = "age(TIMESTAMP '2024-04-10', TIMESTAMP '1957-06-13')"},
      {.name = "age",
       .argument_types = {timestamp},
       .return_type = interval,
       .kernel = &AgeToday,
       .description = "Years, months, days and time from a timestamp to the beginning of today.",
       .example = "age(TIMESTAMP '1957-06-13')",
       .volatility = Volatility::kStable}};
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
