// make_date, make_time and make_timestamp: points in time from their fields.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowField(const char* what) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow,
             std::string(what) + " field value out of range");
}

/// Negative years are BC; there is no year 0.
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

void MakeTimestamp(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::optional<TypedView<int32_t>> fields[5];
  for (size_t i = 0; i < 5; i++) fields[i] = arguments.column(i).ViewAs<int32_t>(count);
  const auto seconds = arguments.column(5).ViewAs<double>(count);
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < count; row++) {
    bool is_valid = seconds.IsValid(row);
    for (const auto& field : fields) is_valid &= field->IsValid(row);
    if (!is_valid) {
      result.SetNull(row);
      continue;
    }
    const int32_t days = CheckedDate((*fields[0])[row], (*fields[1])[row], (*fields[2])[row]);
    const int64_t time = CheckedTime((*fields[3])[row], (*fields[4])[row], seconds[row]);
    if (!AddInterval(0, {0, days, time}, out[row])) ThrowField("timestamp");
  }
}

}  // namespace

ScalarFunctionList MakeDateFunctions() {
  const LogicalType number = TypeId::kInteger, seconds = TypeId::kDouble;
  return {{.name = "make_date",
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
           .kernel = &MakeTimestamp,
           .description = "A timestamp from year, month, day, hour, minute and seconds.",
           .example = "make_timestamp(2024, 2, 29, 12, 34, 56.5)"}};
}

}  // namespace scaup
