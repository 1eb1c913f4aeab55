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

}  // namespace

ScalarFunction CheckedRowCount(bool is_limit) {
  return {.name = is_limit ? "limit" : "offset",
          .argument_types = {TypeId::kBigInt},
          .return_type = TypeId::kBigInt,
          .kernel = is_limit ? &Kernel<true> : &Kernel<false>,
          .description = "The number, which must not be negative.",
          .example = ""};
}

}  // namespace scaup
