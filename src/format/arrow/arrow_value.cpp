// Conversions of values that may be out of Arrow's range.
#include "format/arrow/arrow_value.hpp"

#include <fmt/format.h>

#include "type/number/int128.hpp"

namespace scaup {

ArrowInterval ToArrow(const Interval& value) {
  ArrowInterval result{value.months, value.days, 0};
  if (__builtin_mul_overflow(value.micros, int64_t{1000}, &result.nanos)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kDatetimeOverflow,
               "an interval has more microseconds than Arrow has nanoseconds for");
  }
  return result;
}

int128_t HugeIntToArrow(int128_t value) {
  constexpr int128_t kEnd =
      static_cast<int128_t>(10'000'000'000'000'000'000ULL) * 10'000'000'000'000'000'000ULL;
  if (value >= kEnd || value <= -kEnd) {
    ThrowError(
        ErrorKind::kConversion, sqlstate::kNumericOutOfRange,
        fmt::format("{} has more than the 38 digits of Arrow's decimal128: cast it to DOUBLE or VARCHAR",
                    ToString(value)));
  }
  return value;
}

}  // namespace scaup
