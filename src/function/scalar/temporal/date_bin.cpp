// date_bin: the start of the fixed-length bin, counted from an origin, that contains a timestamp.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The stride in microseconds. Months are refused, because they have no fixed length.
int64_t StrideMicros(const Interval& stride) {
  int64_t micros;
  if (stride.months != 0) {
    ThrowNotSupported("timestamps cannot be binned into intervals containing months or years");
  }
  if (__builtin_mul_overflow(int64_t{stride.days}, kMicrosPerDay, &micros) ||
      __builtin_add_overflow(micros, stride.micros, &micros)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "interval out of range");
  }
  if (micros <= 0) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "stride must be greater than zero");
  }
  return micros;
}

int64_t BinOf(const Interval& stride, int64_t timestamp, int64_t origin) {
  if (!IsFiniteTimestamp(timestamp)) return timestamp;
  if (!IsFiniteTimestamp(origin)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "origin out of range");
  }
  const int64_t length = StrideMicros(stride);
  int64_t distance;
  if (__builtin_sub_overflow(timestamp, origin, &distance)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "interval out of range");
  }
  const int64_t rest = distance % length;
  const int64_t start = timestamp - rest - (rest < 0 ? length : 0);
  if (!IsTimestampInRange(start)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
  }
  return start;
}

void DateBinKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<Interval, int64_t, int64_t, int64_t>(arguments.column(0), arguments.column(1),
                                                  arguments.column(2), arguments.size(), result, BinOf);
}

}  // namespace

ScalarFunctionList DateBinFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, const char* example) {
    list.push_back(
        {.name = "date_bin",
         .argument_types = {TypeId::kInterval, type, type},
         .return_type = type,
         .kernel = &DateBinKernel,
         .description =
             "The start of the span of this length, counted from an origin, that holds a timestamp.",
         .example = example});
  };
  add(TypeId::kTimestamp, "date_bin('15 minutes', TIMESTAMP '2024-02-29 12:34:56', TIMESTAMP '2001-01-01')");
  // A bin of moments has a fixed length, whatever the clocks of the session's zone do.
  add(TypeId::kTimestampTz,
      "date_bin('15 minutes', TIMESTAMPTZ '2024-02-29 12:34:56+00', TIMESTAMPTZ '2001-01-01 00:00:00+00')");
  return list;
}

}  // namespace scaup
