// random: a number in [0, 1) for every row.
#include <random>

#include "common/hash.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {
namespace {

/// Each call of the kernel is seeded by the system, so no state is shared between queries or threads; within
/// the call the mixed numbers of a counter follow.
void Random(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::random_device device;
  const uint64_t seed = (uint64_t{device()} << 32) | device();
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint64_t bits = HashInteger(seed + 0x9e3779b97f4a7c15ULL * (row + 1));
    out[row] = static_cast<double>(bits >> 11) * 0x1.0p-53;
  }
}

}  // namespace

ScalarFunctionList RandomFunctions() {
  return {{.name = "random",
           .return_type = TypeId::kDouble,
           .kernel = &Random,
           .description = "A random number from 0 up to, not including, 1; a new one for every row.",
           .example = "random()",
           .volatility = Volatility::kVolatile,
           .can_fail = false}};
}

}  // namespace scaup
