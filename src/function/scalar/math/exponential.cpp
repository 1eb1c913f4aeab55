// Roots, powers, exponentials and logarithms of DOUBLE.
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowLogarithm(double value) {
  ThrowError(ErrorKind::kOutOfRange, "2201E",
             value == 0 ? "cannot take logarithm of zero" : "cannot take logarithm of a negative number");
}

double CheckLogarithm(double value) {
  if (value <= 0) ThrowLogarithm(value);
  return value;
}

double Sqrt(double value) {
  if (value < 0) ThrowError(ErrorKind::kOutOfRange, "2201F", "cannot take square root of a negative number");
  return std::sqrt(value);
}
/// The cube root. The C library may miss exact roots by the last digit; one step of Newton's method corrects
/// that.
double Cbrt(double value) {
  const double root = std::cbrt(value);
  const double cube = root * root * root;
  if (value == 0 || !std::isfinite(cube)) return root;
  return root - (cube - value) / (3 * root * root);
}
double Exp(double value) {
  const double result = std::exp(value);
  if (std::isinf(result) && !std::isinf(value)) ThrowOutOfRange("value out of range: overflow");
  if (result == 0 && !std::isinf(value)) ThrowOutOfRange("value out of range: underflow");
  return result;
}
double Ln(double value) { return std::log(CheckLogarithm(value)); }
double Log10(double value) { return std::log10(CheckLogarithm(value)); }
double Log2(double value) { return std::log2(CheckLogarithm(value)); }
double LogBase(double base, double value) {
  const double divisor = std::log(CheckLogarithm(base));
  if (divisor == 0) ThrowDivisionByZero();
  return std::log(CheckLogarithm(value)) / divisor;
}

double Power(double base, double exponent) {
  if (base == 0 && exponent < 0) {
    ThrowError(ErrorKind::kOutOfRange, "2201F", "zero raised to a negative power is undefined");
  }
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) && exponent != std::floor(exponent)) {
    ThrowError(ErrorKind::kOutOfRange, "2201F",
               "a negative number raised to a non-integer power yields a complex result");
  }
  const double result = std::pow(base, exponent);
  if (!std::isfinite(base) || !std::isfinite(exponent)) return result;
  if (std::isinf(result)) ThrowOutOfRange("value out of range: overflow");
  if (result == 0 && base != 0) ThrowOutOfRange("value out of range: underflow");
  return result;
}

template <double (*kFunction)(double)>
void Unary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, kFunction);
}

template <double (*kFunction)(double, double)>
void Binary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<double, double, double>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                    kFunction);
}

}  // namespace

ScalarFunctionList ExponentialFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, ScalarKernel kernel, const char* description,
                       const char* example, bool can_fail = true) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, TypeId::kDouble),
                    .return_type = TypeId::kDouble,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  add("sqrt", 1, &Unary<&Sqrt>, "Square root.", "sqrt(2)");
  add("cbrt", 1, &Unary<&Cbrt>, "Cube root.", "cbrt(27)", false);
  add("exp", 1, &Unary<&Exp>, "e to the power of a number.", "exp(1)");
  add("ln", 1, &Unary<&Ln>, "Natural logarithm.", "ln(2.718281828)");
  add("log", 1, &Unary<&Log10>, "Logarithm to base 10.", "log(100)");
  add("log10", 1, &Unary<&Log10>, "Logarithm to base 10.", "log10(100)");
  add("log2", 1, &Unary<&Log2>, "Logarithm to base 2.", "log2(8)");
  add("log", 2, &Binary<&LogBase>, "Logarithm to a base.", "log(2, 8)");
  for (const char* name : {"^", "power", "pow"}) {
    add(name, 2, &Binary<&Power>, "A number to the power of another.", "power(2, 10)");
  }
  return list;
}

}  // namespace scaup
