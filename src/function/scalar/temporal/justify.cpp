// justify_hours, justify_days and justify_interval: 24 hours become a day, 30 days a month.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/time/date_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

int32_t AddChecked(int32_t a, int64_t b) {
  const int64_t sum = a + b;
  if (sum != static_cast<int32_t>(sum)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "interval out of range");
  }
  return static_cast<int32_t>(sum);
}

Interval JustifyHours(const Interval& value) {
  Interval result{value.months, AddChecked(value.days, value.micros / kMicrosPerDay),
                  value.micros % kMicrosPerDay};
  if (result.days > 0 && result.micros < 0) {
    result.days--;
    result.micros += kMicrosPerDay;
  } else if (result.days < 0 && result.micros > 0) {
    result.days++;
    result.micros -= kMicrosPerDay;
  }
  return result;
}

Interval JustifyDays(const Interval& value) {
  Interval result{AddChecked(value.months, value.days / 30), value.days % 30, value.micros};
  if (result.months > 0 && result.days < 0) {
    result.months--;
    result.days += 30;
  } else if (result.months < 0 && result.days > 0) {
    result.months++;
    result.days -= 30;
  }
  return result;
}

/// Makes all fields have one sign.
Interval JustifyInterval(const Interval& value) {
  Interval result = JustifyDays(
      {value.months, AddChecked(value.days, value.micros / kMicrosPerDay), value.micros % kMicrosPerDay});
  const auto leans = [&](int sign) {
    return sign * result.months > 0 || (result.months == 0 && sign * result.days > 0);
  };
  for (const int sign : {1, -1}) {
    if (leans(sign) && sign * result.micros < 0) {
      result.days -= sign;
      result.micros += sign * kMicrosPerDay;
    }
    if (sign * result.months > 0 && sign * result.days < 0) {
      result.months -= sign;
      result.days += sign * 30;
    }
  }
  return result;
}

template <Interval (*kFunction)(const Interval&)>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<Interval, Interval>(arguments.column(0), arguments.size(), result, kFunction);
}

}  // namespace

ScalarFunctionList JustifyFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {TypeId::kInterval},
                    .return_type = TypeId::kInterval,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  add("justify_hours", &Kernel<&JustifyHours>, "Every 24 hours turned into a day.",
      "justify_hours(INTERVAL '27 hours')");
  add("justify_days", &Kernel<&JustifyDays>, "Every 30 days turned into a month.",
      "justify_days(INTERVAL '35 days')");
  add("justify_interval", &Kernel<&JustifyInterval>,
      "Hours into days, days into months, all fields of one sign.",
      "justify_interval(INTERVAL '1 month -1 hour')");
  return list;
}

}  // namespace scaup
