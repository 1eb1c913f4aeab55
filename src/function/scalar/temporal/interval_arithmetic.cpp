// The operators + - * / and unary minus on intervals.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/time/date_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowOverflow() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "interval out of range");
}

Interval Add(const Interval& a, const Interval& b) {
  Interval sum;
  if (__builtin_add_overflow(a.months, b.months, &sum.months) |
      __builtin_add_overflow(a.days, b.days, &sum.days) |
      __builtin_add_overflow(a.micros, b.micros, &sum.micros)) {
    ThrowOverflow();
  }
  return sum;
}

Interval Subtract(const Interval& a, const Interval& b) {
  Interval difference;
  if (__builtin_sub_overflow(a.months, b.months, &difference.months) |
      __builtin_sub_overflow(a.days, b.days, &difference.days) |
      __builtin_sub_overflow(a.micros, b.micros, &difference.micros)) {
    ThrowOverflow();
  }
  return difference;
}

Interval Negate(const Interval& value) { return Subtract({}, value); }

/// Rounds to microseconds, to remove the noise in fractions of months and days.
double RoundToMicros(double value) { return std::rint(value * 1e6) / 1e6; }

int32_t ToInt32(double value) {
  if (!(value > -2147483649.0 && value < 2147483648.0)) ThrowOverflow();
  return static_cast<int32_t>(value);
}

/// Scales every field. The fraction of a month is carried into days (30 per month), that of a day into the
/// time.
template <typename Apply>
Interval Scale(const Interval& value, Apply apply) {
  const double months = apply(static_cast<double>(value.months)),
               days = apply(static_cast<double>(value.days));
  Interval result{ToInt32(months), ToInt32(days), 0};
  const double days_of_months = RoundToMicros((months - result.months) * 30);
  double seconds = (days - result.days + days_of_months - std::trunc(days_of_months)) * 86400;
  seconds = RoundToMicros(seconds);
  if (std::fabs(seconds) >= 86400) {
    result.days = ToInt32(static_cast<double>(result.days) + std::trunc(seconds / 86400));
    seconds = std::fmod(seconds, 86400);
  }
  result.days = ToInt32(static_cast<double>(result.days) + std::trunc(days_of_months));
  const double micros = std::rint(apply(static_cast<double>(value.micros)) + seconds * 1e6);
  if (!(micros > -9.2233720368547e18 && micros < 9.2233720368547e18)) ThrowOverflow();
  result.micros = static_cast<int64_t>(micros);
  return result;
}

Interval Multiply(const Interval& value, double factor) {
  return Scale(value, [factor](double field) { return field * factor; });
}

Interval Divide(const Interval& value, double divisor) {
  if (divisor == 0) ThrowDivisionByZero();
  return Scale(value, [divisor](double field) { return field / divisor; });
}

void AddKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, Interval, Interval>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                          Add);
}
void SubtractKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, Interval, Interval>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                          Subtract);
}
void NegateKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<Interval, Interval>(arguments.column(0), arguments.size(), result, Negate);
}
void MultiplyKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, double, Interval>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        Multiply);
}
void MultiplySwapped(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, double, Interval>(arguments.column(1), arguments.column(0), arguments.size(), result,
                                        Multiply);
}
void DivideKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<Interval, double, Interval>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                        Divide);
}

}  // namespace

ScalarFunctionList IntervalArithmeticFunctions() {
  const LogicalType interval = TypeId::kInterval, number = TypeId::kDouble;
  return {{.name = "+",
           .argument_types = {interval, interval},
           .return_type = interval,
           .kernel = &AddKernel,
           .description = "Sum of two intervals, field by field.",
           .example = "INTERVAL '1 day' + INTERVAL '2 hours'"},
          {.name = "-",
           .argument_types = {interval, interval},
           .return_type = interval,
           .kernel = &SubtractKernel,
           .description = "Difference of two intervals, field by field.",
           .example = "INTERVAL '1 day' - INTERVAL '2 hours'"},
          {.name = "-",
           .argument_types = {interval},
           .return_type = interval,
           .kernel = &NegateKernel,
           .description = "The interval backwards.",
           .example = "- INTERVAL '1 day'"},
          {.name = "*",
           .argument_types = {interval, number},
           .return_type = interval,
           .kernel = &MultiplyKernel,
           .description = "An interval so many times.",
           .example = "INTERVAL '1 day' * 1.5"},
          {.name = "*",
           .argument_types = {number, interval},
           .return_type = interval,
           .kernel = &MultiplySwapped,
           .description = "An interval so many times.",
           .example = "1.5 * INTERVAL '1 day'"},
          {.name = "/",
           .argument_types = {interval, number},
           .return_type = interval,
           .kernel = &DivideKernel,
           .description = "A part of an interval.",
           .example = "INTERVAL '1 day' / 2"}};
}

}  // namespace scaup
