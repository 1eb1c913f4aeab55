// Checks that row counts are not negative.
#include "function/scalar/misc/checked_row_count.hpp"

#include "common/throw.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <bool kIsLimit>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, int64_t>(arguments.column(0), arguments.size(), result, [](int64_t count) {
    if (count < 0) {
      ThrowError(ErrorKind::kOutOfRange, kIsLimit ? "2201W" : "2201X",
                 kIsLimit ? "LIMIT must not be negative" : "OFFSET must not be negative");
    }
    return count;
  });
}

void PercentKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<int64_t, double, int64_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result, [](int64_t count, double percent) {
        // NaN is outside, too.
        if (!(percent >= 0 && percent <= 100)) {
          ThrowError(ErrorKind::kOutOfRange, "2201W", "LIMIT in percent must be between 0% and 100%");
        }
        return static_cast<int64_t>(static_cast<double>(count) * (percent / 100));
      });
}

}  // namespace

ScalarFunction PercentOfRows() {
  return {.name = "percent_of_rows",
          .argument_types = {TypeId::kBigInt, TypeId::kDouble},
          .return_type = TypeId::kBigInt,
          .kernel = &PercentKernel,
          .description = "A percentage of a number of rows, rounded down.",
          .example = ""};
}

ScalarFunction CheckedRowCount(bool is_limit) {
  return {.name = is_limit ? "limit" : "offset",
          .argument_types = {TypeId::kBigInt},
          .return_type = TypeId::kBigInt,
          .kernel = is_limit ? &Kernel<true> : &Kernel<false>,
          .description = "The number, which must not be negative.",
          .example = ""};
}

}  // namespace scaup
