// nextafter, signbit, even and round_even: floating point numbers and their neighbours.
#include <cmath>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

template <typename T>
void NextAfter(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<T, T, T>(arguments.column(0), arguments.column(1), arguments.size(), result,
                     [](T from, T to) { return std::nextafter(from, to); });
}

void SignBit(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, uint8_t>(arguments.column(0), arguments.size(), result,
                            [](double value) { return static_cast<uint8_t>(std::signbit(value)); });
}

void Even(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, [](double value) {
    return std::copysign(2 * std::ceil(std::fabs(value) / 2), value);
  });
}

void RoundEven(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<double, int32_t, double>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                     [](double value, int32_t digits) {
                                       const double power = std::pow(10.0, std::abs(digits));
                                       const double scaled = digits < 0 ? value / power : value * power;
                                       // A number too large for the power has no such digits.
                                       if (!std::isfinite(scaled)) return value;
                                       const double rounded = std::nearbyint(scaled);
                                       return digits < 0 ? rounded * power : rounded / power;
                                     });
}

}  // namespace

ScalarFunctionList FloatingFunctions() {
  ScalarFunctionList list;
  const LogicalType number = TypeId::kDouble;
  const auto add = [&](const char* name, std::vector<LogicalType> types, LogicalType type,
                       ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  const char* next = "The number next to the first one, in the direction of the second.";
  add("nextafter", {number, number}, number, &NextAfter<double>, next, "nextafter(1::float8, 2::float8)");
  add("nextafter", {TypeId::kReal, TypeId::kReal}, TypeId::kReal, &NextAfter<float>, next,
      "nextafter(1::real, 2::real)");
  add("signbit", {number}, TypeId::kBoolean, &SignBit, "Whether the sign is that of a negative number.",
      "signbit(-0.0::float8)");
  add("even", {number}, number, &Even, "The next even number, away from zero.", "even(2.1)");
  for (const char* name : {"round_even", "roundbankers"}) {
    add(name, {number, TypeId::kInteger}, number, &RoundEven,
        "A number rounded to so many digits, half to even.", "round_even(2.5, 0)");
  }
  return list;
}

}  // namespace scaup
