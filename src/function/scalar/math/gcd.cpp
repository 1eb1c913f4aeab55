// gcd and lcm of integers and decimals.
#include <algorithm>

#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/number/decimal.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The greatest common divisor, without sign. Computed in 128 bits, where the smallest 64-bit integer can be
/// negated.
int128_t Gcd(int128_t a, int128_t b) {
  while (b != 0) {
    const int128_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/// Decimals of one scale, as their unscaled integers.
template <bool kMultiple>
void DecimalKernel(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const int128_t limit = PowerOfTen(LogicalType::kMaxDecimalWidth);
  MapBinary<int128_t, int128_t, int128_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                          [&](int128_t a, int128_t b) {
                                            int128_t value = Gcd(a, b);
                                            if (kMultiple && value != 0) {
                                              int128_t product;
                                              if (__builtin_mul_overflow(a / value, b, &product))
                                                ThrowNumberOutOfRange(call.return_type);
                                              value = product < 0 ? -product : product;
                                            }
                                            if (value >= limit) ThrowNumberOutOfRange(call.return_type);
                                            return value;
                                          });
}

std::unique_ptr<FunctionData> BindDecimals(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  const int scale =
      std::max(DecimalOfArgument(arguments[0]).scale(), DecimalOfArgument(arguments[1]).scale());
  const LogicalType type = MakeDecimal(LogicalType::kMaxDecimalWidth - scale, scale);
  function.argument_types = {type, type};
  function.return_type = type;
  return nullptr;
}

template <typename T, bool kMultiple>
void Kernel(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  MapBinary<T, T, T>(arguments.column(0), arguments.column(1), arguments.size(), result, [&](T a, T b) {
    int128_t value = Gcd(a, b);
    if (kMultiple && value != 0) {
      const int128_t product = static_cast<int128_t>(a) / value * b;
      value = product < 0 ? -product : product;
    }
    if (value != static_cast<T>(value)) ThrowNumberOutOfRange(call.return_type);
    return static_cast<T>(value);
  });
}

}  // namespace

ScalarFunctionList GcdFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, ScalarKernel kernel, const char* description,
                       const char* example) {
    list.push_back({.name = name,
                    .argument_types = {type, type},
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  const char* divisor = "Greatest common divisor.";
  const char* multiple = "Least common multiple.";
  add("gcd", TypeId::kInteger, &Kernel<int32_t, false>, divisor, "gcd(12, 18)");
  add("gcd", TypeId::kBigInt, &Kernel<int64_t, false>, divisor, "gcd(12, 18)");
  add("lcm", TypeId::kInteger, &Kernel<int32_t, true>, multiple, "lcm(4, 6)");
  add("lcm", TypeId::kBigInt, &Kernel<int64_t, true>, multiple, "lcm(4, 6)");
  const auto add_decimal = [&](const char* name, ScalarKernel kernel, const char* description,
                               const char* example) {
    add(name, TypeId::kDecimal, kernel, description, example);
    list.back().argument_types = {kAnyDecimal, kAnyDecimal};
    list.back().return_type = kAnyDecimal;
    list.back().bind = &BindDecimals;
  };
  add_decimal("gcd", &DecimalKernel<false>, divisor, "gcd(1.2, 1.8)");
  add_decimal("lcm", &DecimalKernel<true>, multiple, "lcm(0.4, 0.6)");
  return list;
}

}  // namespace scaup
