// random: a number in [0, 1) per row; setseed; is_sampled: whether a row belongs to a sample.
#include <bit>
#include <random>

#include "common/hash.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr uint64_t kStep = 0x9e3779b97f4a7c15ULL;

/// The position in the sequence of hashed positions at which a call of the kernel begins. It is given by the
/// system, so that queries and threads share no state, or after setseed() by the session.
uint64_t BeginSequence(const FunctionContext& context, size_t count) {
  std::atomic<uint64_t>* const position = context.random_position;
  if (position != nullptr && position->load(std::memory_order_relaxed) != 0)
    return position->fetch_add(kStep * count, std::memory_order_relaxed);
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

void Random(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const uint64_t begin = BeginSequence(call.context, arguments.size());
  double* out = result.MutableData<double>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint64_t bits = HashInteger(begin + kStep * (row + 1));
    out[row] = static_cast<double>(bits >> 11) * 0x1.0p-53;
  }
}

/// Returns an empty text, as PostgreSQL shows what its function without a result gives.
void SetSeed(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  MapUnary<double, StringRef>(arguments.column(0), arguments.size(), result, [&](double seed) {
    if (!(seed >= -1 && seed <= 1)) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "setseed parameter is out of allowed range [-1,1]");
    }
    const double unified = seed == 0 ? 0 : seed;  // one zero
    // Never 0, which stands for no seed.
    if (call.context.random_position != nullptr)
      call.context.random_position->store(HashInteger(std::bit_cast<uint64_t>(unified)) | 1);
    return StringRef();
  });
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
          {.name = "setseed",
           .argument_types = {TypeId::kDouble},
           .return_type = TypeId::kVarchar,
           .kernel = &SetSeed,
           .description =
               "Makes random() return the same numbers again in this session; the seed is from -1 to 1. "
               "With several threads their order differs.",
           .example = "setseed(0.5)",
           .volatility = Volatility::kVolatile},
          {.name = "is_sampled",
           .argument_types = {TypeId::kBigInt, TypeId::kDouble, TypeId::kDouble},
           .return_type = TypeId::kBoolean,
           .kernel = &IsSampled,
           .description = "True for a percentage of all x, which the seed chooses; TABLESAMPLE asks it.",
           .example = "is_sampled(7, 100, 42)",
           .can_fail = false}};
}

}  // namespace scaup
