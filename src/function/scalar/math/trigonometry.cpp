// Angles: pi, radians, degrees and the trigonometric and hyperbolic functions.
#include <cmath>
#include <numbers>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowInputRange() { ThrowOutOfRange("input is out of range"); }

double CheckFinite(double value) {
  if (std::isinf(value)) ThrowInputRange();
  return value;
}
double CheckUnit(double value) {
  if (value < -1 || value > 1) ThrowInputRange();
  return value;
}
double CheckOverflow(double result, double input) {
  if (std::isinf(result) && !std::isinf(input)) ThrowOutOfRange("value out of range: overflow");
  return result;
}

double Sin(double x) { return std::sin(CheckFinite(x)); }
double Cos(double x) { return std::cos(CheckFinite(x)); }
double Tan(double x) { return std::tan(CheckFinite(x)); }
double Asin(double x) { return std::asin(CheckUnit(x)); }
double Acos(double x) { return std::acos(CheckUnit(x)); }
double Atan(double x) { return std::atan(x); }
double Atan2(double y, double x) { return std::atan2(y, x); }
double Sinh(double x) { return CheckOverflow(std::sinh(x), x); }
double Cosh(double x) { return CheckOverflow(std::cosh(x), x); }
double Tanh(double x) { return std::tanh(x); }
double Radians(double x) { return x * (std::numbers::pi / 180); }
double Degrees(double x) { return CheckOverflow(x / (std::numbers::pi / 180), x); }

template <double (*kFunction)(double)>
void Unary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, kFunction);
}

void Atan2Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<double, double, double>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                    Atan2);
}

void Pi(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<double>()[0] = std::numbers::pi;
  result.SetConstant();
}

}  // namespace

ScalarFunctionList TrigonometryFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, ScalarKernel kernel, const char* description,
                       const char* example, bool can_fail) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, TypeId::kDouble),
                    .return_type = TypeId::kDouble,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = can_fail});
  };
  add("pi", 0, &Pi, "The number pi.", "pi()", false);
  add("radians", 1, &Unary<&Radians>, "Degrees to radians.", "radians(180)", false);
  add("degrees", 1, &Unary<&Degrees>, "Radians to degrees.", "degrees(pi())", true);
  add("sin", 1, &Unary<&Sin>, "Sine.", "sin(1)", true);
  add("cos", 1, &Unary<&Cos>, "Cosine.", "cos(1)", true);
  add("tan", 1, &Unary<&Tan>, "Tangent.", "tan(1)", true);
  add("asin", 1, &Unary<&Asin>, "Inverse sine.", "asin(0.5)", true);
  add("acos", 1, &Unary<&Acos>, "Inverse cosine.", "acos(0.5)", true);
  add("atan", 1, &Unary<&Atan>, "Inverse tangent.", "atan(1)", false);
  add("atan2", 2, &Atan2Kernel, "Inverse tangent of y / x in the right quadrant.", "atan2(1, 1)", false);
  add("sinh", 1, &Unary<&Sinh>, "Hyperbolic sine.", "sinh(1)", true);
  add("cosh", 1, &Unary<&Cosh>, "Hyperbolic cosine.", "cosh(1)", true);
  add("tanh", 1, &Unary<&Tanh>, "Hyperbolic tangent.", "tanh(1)", false);
  return list;
}

}  // namespace scaup
