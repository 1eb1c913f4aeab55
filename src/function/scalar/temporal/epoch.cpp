// epoch_ms, epoch_us, epoch_ns and make_timestamp(n): timestamps as counts since 1970.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowRange() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
}

/// Counts whole units since 1970, truncated towards zero as in DuckDB: of `kMicros` microseconds each, or
/// `kPerMicro` of them per microsecond.
template <int64_t kMicros, int64_t kPerMicro>
void CountUnits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, int64_t>(arguments.column(0), arguments.size(), result, [](int64_t timestamp) {
    if (!IsFiniteTimestamp(timestamp)) ThrowRange();
    int64_t count;
    if (__builtin_mul_overflow(timestamp, kPerMicro, &count)) ThrowRange();
    return count / kMicros;
  });
}

template <int64_t kMicros>
void FromUnits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, int64_t>(arguments.column(0), arguments.size(), result, [](int64_t count) {
    int64_t timestamp;
    if (__builtin_mul_overflow(count, kMicros, &timestamp) || !IsTimestampInRange(timestamp)) ThrowRange();
    return timestamp;
  });
}

}  // namespace

ScalarFunctionList EpochFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId from, TypeId to, ScalarKernel kernel, const char* description,
                       const char* example) {
    list.push_back({.name = name,
                    .argument_types = {from},
                    .return_type = to,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  for (const TypeId type : {TypeId::kTimestamp, TypeId::kTimestampTz}) {
    add("epoch_ms", type, TypeId::kBigInt, &CountUnits<1000, 1>, "Milliseconds since 1970.",
        "epoch_ms(TIMESTAMP '2024-02-29 12:34:56.789')");
    add("epoch_us", type, TypeId::kBigInt, &CountUnits<1, 1>, "Microseconds since 1970.",
        "epoch_us(TIMESTAMP '2024-02-29 12:34:56.789')");
    add("epoch_ns", type, TypeId::kBigInt, &CountUnits<1, 1000>, "Nanoseconds since 1970.",
        "epoch_ns(TIMESTAMP '2024-02-29 12:34:56.789')");
  }
  add("epoch_ms", TypeId::kBigInt, TypeId::kTimestamp, &FromUnits<1000>,
      "The timestamp so many milliseconds after 1970.", "epoch_ms(1709210096789)");
  add("make_timestamp", TypeId::kBigInt, TypeId::kTimestamp, &FromUnits<1>,
      "The timestamp so many microseconds after 1970.", "make_timestamp(1709210096789000)");
  add("make_timestamp_ms", TypeId::kBigInt, TypeId::kTimestamp, &FromUnits<1000>,
      "The timestamp so many milliseconds after 1970.", "make_timestamp_ms(1709210096789)");
  return list;
}

}  // namespace scaup
