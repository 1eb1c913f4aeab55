// random: a number in [0, 1) per row; is_sampled: whether a row belongs to a sample.
#include <bit>
#include <random>

#include "common/hash.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {
namespace {

/// Each call of the kernel is seeded by the system, so queries and threads share no state. Within the call, a
/// counter is hashed.
void Random(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::random_device device;
  const uint64_t seed = (uint64_t{device()} << 32) | device();
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint64_t bits = HashInteger(seed + 0x9e3779b97f4a7c15ULL * (row + 1));
    out[row] = static_cast<double>(bits >> 11) * 0x1.0p-53;
  }
}

/// 53 bits of the hash are the row's position in [0, 100).
void IsSampled(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<int64_t>(count);
  const auto percents = arguments.column(1).ViewAs<double>(count);
  const auto seeds = arguments.column(2).ViewAs<double>(count);
  uint8_t* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !percents.IsValid(row) || !seeds.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const double seed = seeds[row] == 0 ? 0 : seeds[row];  // unifies the two zeros
    const uint64_t hash = CombineHashes(HashInteger(std::bit_cast<uint64_t>(seed)),
                                        HashInteger(static_cast<uint64_t>(values[row])));
    const double place = static_cast<double>(HashInteger(hash) >> 11) * 0x1.0p-53 * 100;
    out[row] = static_cast<uint8_t>(place < percents[row]);
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
           .can_fail = false},
          {.name = "is_sampled",
           .argument_types = {TypeId::kBigInt, TypeId::kDouble, TypeId::kDouble},
           .return_type = TypeId::kBoolean,
           .kernel = &IsSampled,
           .description = "True for a percentage of all x, which the seed chooses; TABLESAMPLE asks it.",
           .example = "is_sampled(7, 100, 42)",
           .can_fail = false}};
}

}  // namespace scaup
