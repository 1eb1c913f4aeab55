// pi, radians, degrees, and trigonometric and hyperbolic functions, in radians and in degrees.
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
// As in PostgreSQL, these overflow to infinity.
double Sinh(double x) { return std::sinh(x); }
double Cosh(double x) { return std::cosh(x); }
double Tanh(double x) { return std::tanh(x); }
double Asinh(double x) { return std::asinh(x); }
double Acosh(double x) {
  if (x < 1) ThrowInputRange();
  return std::acosh(x);
}
double Atanh(double x) { return std::atanh(CheckUnit(x)); }
double Cot(double x) { return 1 / std::tan(CheckFinite(x)); }
double Radians(double x) { return x * (std::numbers::pi / 180); }
double Degrees(double x) { return CheckOverflow(x / (std::numbers::pi / 180), x); }

// Functions of degrees fold the angle into the first quadrant, which is exact, and compute with more digits
// than the result has. Thus sind(30) is 0.5 and tand(45) is 1.
constexpr long double kRadiansPerDegree = std::numbers::pi_v<long double> / 180;

/// The sine of an angle from 0 to 90 degrees.
double SinOfQuadrant(double x) { return static_cast<double>(std::sin(x * kRadiansPerDegree)); }

/// Folds a finite angle into 0 .. 90. Negates `vertical` where the fold changes the sign of the sine, and
/// `horizontal` where it changes that of the cosine.
double FoldDegrees(double x, double& vertical, double& horizontal) {
  x = std::fmod(CheckFinite(x), 360.0);
  if (x < 0) {
    x = -x;
    vertical = -vertical;
  }
  if (x > 180) {
    x = 360 - x;
    vertical = -vertical;
  }
  if (x > 90) {
    x = 180 - x;
    horizontal = -horizontal;
  }
  return x;
}

/// Removes the sign of a zero.
double Unsigned(double value) { return value == 0 ? 0 : value; }

double Sind(double x) {
  double vertical = 1, horizontal = 1;
  const double folded = FoldDegrees(x, vertical, horizontal);
  return Unsigned(vertical * SinOfQuadrant(folded));
}
double Cosd(double x) {
  double vertical = 1, horizontal = 1;
  const double folded = FoldDegrees(x, vertical, horizontal);
  return Unsigned(horizontal * SinOfQuadrant(90 - folded));
}
double Tand(double x) {
  double vertical = 1, horizontal = 1;
  const double folded = FoldDegrees(x, vertical, horizontal);
  if (folded == 45) return vertical * horizontal;
  return Unsigned(vertical * horizontal * (SinOfQuadrant(folded) / SinOfQuadrant(90 - folded)));
}
double Cotd(double x) {
  double vertical = 1, horizontal = 1;
  const double folded = FoldDegrees(x, vertical, horizontal);
  if (folded == 45) return vertical * horizontal;
  return Unsigned(vertical * horizontal * (SinOfQuadrant(90 - folded) / SinOfQuadrant(folded)));
}

double ToDegrees(long double radians) { return static_cast<double>(radians / kRadiansPerDegree); }
double Asind(double x) { return ToDegrees(std::asin(static_cast<long double>(CheckUnit(x)))); }
double Acosd(double x) { return ToDegrees(std::acos(static_cast<long double>(CheckUnit(x)))); }
double Atand(double x) { return ToDegrees(std::atan(static_cast<long double>(x))); }
double Atan2d(double y, double x) { return ToDegrees(std::atan2(static_cast<long double>(y), x)); }

template <double (*kFunction)(double)>
void Unary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<double, double>(arguments.column(0), arguments.size(), result, kFunction);
}

template <double (*kFunction)(double, double)>
void Binary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<double, double, double>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                    kFunction);
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
  add("atan2", 2, &Binary<&Atan2>, "Inverse tangent of y / x in the right quadrant.", "atan2(1, 1)", false);
  add("sinh", 1, &Unary<&Sinh>, "Hyperbolic sine.", "sinh(1)", false);
  add("cosh", 1, &Unary<&Cosh>, "Hyperbolic cosine.", "cosh(1)", false);
  add("tanh", 1, &Unary<&Tanh>, "Hyperbolic tangent.", "tanh(1)", false);
  add("cot", 1, &Unary<&Cot>, "Cotangent.", "cot(1)", true);
  add("asinh", 1, &Unary<&Asinh>, "Inverse hyperbolic sine.", "asinh(0)", false);
  add("acosh", 1, &Unary<&Acosh>, "Inverse hyperbolic cosine.", "acosh(1)", true);
  add("atanh", 1, &Unary<&Atanh>, "Inverse hyperbolic tangent.", "atanh(0)", true);
  add("sind", 1, &Unary<&Sind>, "Sine of degrees.", "sind(30)", true);
  add("cosd", 1, &Unary<&Cosd>, "Cosine of degrees.", "cosd(60)", true);
  add("tand", 1, &Unary<&Tand>, "Tangent of degrees.", "tand(45)", true);
  add("cotd", 1, &Unary<&Cotd>, "Cotangent of degrees.", "cotd(45)", true);
  add("asind", 1, &Unary<&Asind>, "Inverse sine in degrees.", "asind(0.5)", true);
  add("acosd", 1, &Unary<&Acosd>, "Inverse cosine in degrees.", "acosd(0.5)", true);
  add("atand", 1, &Unary<&Atand>, "Inverse tangent in degrees.", "atand(1)", false);
  add("atan2d", 2, &Binary<&Atan2d>, "Inverse tangent of y / x in the right quadrant, in degrees.",
      "atan2d(1, 1)", false);
  return list;
}

}  // namespace scaup
