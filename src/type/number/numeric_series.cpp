// Powers, exponentials and logarithms: special values, and the digits that PostgreSQL gives results.
#include "type/number/numeric_series.hpp"

#include <algorithm>
#include <cmath>

#include "common/check.hpp"
#include "common/running_call.hpp"
#include "type/number/fixed_number.hpp"

namespace scaup {

namespace {

constexpr int kSignificantDigits = 16;
constexpr int kMostScale = 1000;
/// The largest power of e that results may have, as PostgreSQL has it: 3 * 2000.
constexpr double kMostPower = 6000;
constexpr double kLn10 = 2.302585092994046;
constexpr double kLog10OfE = 0.434294481903252;

int Bounded(int scale) { return std::clamp(scale, 0, kMostScale); }

/// Returns log10 of |a|. REQUIRES: finite, not zero.
double ApproximateLog10(const Numeric& a) {
  SCAUP_ASSERT(a.IsFinite() && !a.IsZero());
  double digits = a.limbs.back();
  int32_t place = a.top() - 1;
  for (size_t i = 2; i <= 3 && i <= a.limbs.size(); i++, place--)
    digits = digits * kLimbBase + a.limbs[a.limbs.size() - i];
  return std::log10(digits) + static_cast<double>(place) * kLimbDigits;
}

double Approximate(const Numeric& a) {
  if (a.IsZero()) return 0;
  const double magnitude = std::pow(10, std::min(ApproximateLog10(a), 300.0));
  return a.is_negative ? -magnitude : magnitude;
}

/// Returns the decimal weight of ln a, by which PostgreSQL chooses scales.
int LogWeight(const Numeric& a) {
  const double digits = ApproximateLog10(a);
  constexpr double kNearOne = 0.0458;  // log10 of 0.9 and 1.1, about
  if (std::fabs(digits) < kNearOne) {
    Numeric one = NumericFromInteger(1), distance, low = one, high = one;
    low.limbs = {900'000'000};
    low.exponent = -1;
    high.limbs = {100'000'000, 1};
    high.exponent = -1;
    if (CompareNumeric(a, low) >= 0 && CompareNumeric(a, high) <= 0) {
      SubtractNumeric(a, one, distance);
      return distance.IsZero() ? 0 : FirstPlaceOf(distance);
    }
  }
  return static_cast<int>(std::log10(std::fabs(digits * kLn10)));
}

size_t PlacesFor(int digits) {
  constexpr int kGuardDigits = 28;
  return static_cast<size_t>((std::max(digits, 0) + kGuardDigits) / kLimbDigits + 1);
}

/// Returns e^a, not rounded, right to at least `scale` digits. REQUIRES: |a| <= kMostPower.
Numeric RawExponential(const Numeric& a, int scale) {
  SCAUP_ASSERT(std::fabs(Approximate(a)) <= kMostPower + 1);
  const auto whole_digits = static_cast<int>(std::fabs(Approximate(a)) * kLog10OfE) + 1;
  const FixedArithmetic fixed(PlacesFor(scale + whole_digits));
  Limbs power = fixed.Exponential(fixed.Of(a));
  if (a.is_negative) power = fixed.Divide(fixed.One(), power);
  return fixed.ToNumeric(std::move(power), false);
}

/// Returns ln a, not rounded, right to at least `scale` digits. REQUIRES: a is finite and above 0.
Numeric RawLogarithm(const Numeric& a, int scale) {
  SCAUP_ASSERT(a.IsFinite() && !a.IsZero() && !a.is_negative);
  const FixedArithmetic fixed(PlacesFor(scale));
  // Numbers far from 1 are first divided by a power of the base.
  const int32_t shift = a.top() - 1;
  const bool is_near = shift == 0 || shift == -1;
  Numeric near = a;
  if (!is_near) near.exponent -= shift;
  const Limbs digits = fixed.Of(near);
  const bool is_below = CompareLimbs(digits, fixed.One()) < 0;
  Numeric result = fixed.ToNumeric(fixed.Logarithm(digits), is_below);
  NormalizeNumeric(result);
  if (is_near) return result;
  Numeric base = fixed.ToNumeric(fixed.Logarithm(fixed.Whole(10)), false), scaled;
  NormalizeNumeric(base);
  MultiplyNumeric(base, NumericFromInteger(int64_t{shift} * kLimbDigits), scaled);
  AddNumeric(result, scaled, result);
  return result;
}

NumericFault LogFault(const Numeric& a) {
  if (a.kind == NumericKind::kNaN) return NumericFault::kNone;
  const int sign = SignOfNumeric(a);
  return sign < 0 ? NumericFault::kLogOfNegative : sign == 0 ? NumericFault::kLogOfZero : NumericFault::kNone;
}

/// A number as limbs * 10^(9 * exponent), of which the highest limbs are kept.
struct LeadingLimbs {
  Limbs limbs;
  int64_t exponent = 0;

  void Keep(size_t count) {
    if (limbs.size() <= count) return;
    const size_t cut = limbs.size() - count;
    limbs.erase(limbs.begin(), limbs.begin() + static_cast<ptrdiff_t>(cut));
    exponent += static_cast<int64_t>(cut);
  }
  void MultiplyBy(const LeadingLimbs& other, size_t kept) {
    RunningCall::CheckInterrupt();  // the longest take a second
    limbs = MultiplyLimbs(limbs, other.limbs);
    exponent += other.exponent;
    Keep(kept);
  }
  void Invert(size_t kept) {
    const size_t places = limbs.size() + kept;
    Limbs one(places + 1);
    one.back() = 1;
    limbs = DivideLimbs(one, limbs);
    exponent = -exponent - static_cast<int64_t>(places);
  }
};

bool IsOdd(const Numeric& a) { return a.exponent == 0 && !a.limbs.empty() && a.limbs.front() % 2 == 1; }

Numeric ZeroOfScale(int scale) {
  Numeric zero;
  zero.scale = static_cast<uint16_t>(scale);
  return zero;
}

/// Raises to a whole power. The result has 16 digits behind the point, or as many as the base.
NumericFault WholePower(const Numeric& base, int64_t exponent, Numeric& power) {
  double digits = base.IsZero() ? 0 : ApproximateLog10(base);
  digits *= static_cast<double>(exponent);
  if (digits > kMaxNumericIntegerDigits + 1) return NumericFault::kOutOfRange;
  const int scale = Bounded(std::max(kSignificantDigits, int{base.scale}));
  power = ZeroOfScale(scale);
  if (digits + 1 < -kMostScale) return NumericFault::kNone;
  if (base.IsZero() && exponent != 0) return NumericFault::kNone;
  constexpr size_t kGuardLimbs = 6;
  const size_t kept =
      static_cast<size_t>(std::max(scale + static_cast<int>(digits), 0)) / kLimbDigits + kGuardLimbs;
  LeadingLimbs product{{1}, 0}, square{base.limbs, base.exponent};
  for (auto left = static_cast<uint64_t>(std::abs(exponent)); left != 0; left /= 2) {
    if (left % 2 == 1) product.MultiplyBy(square, kept);
    if (left > 1) square.MultiplyBy(square, kept);
  }
  if (exponent < 0) product.Invert(kept);
  power = Numeric();
  power.is_negative = base.is_negative && exponent % 2 != 0;
  power.exponent = static_cast<int32_t>(product.exponent);
  power.limbs = std::move(product.limbs);
  RoundNumeric(power, scale);
  return IsInNumericRange(power) ? NumericFault::kNone : NumericFault::kOutOfRange;
}

/// Powers with NaN, infinities, zero and one. Returns whether the result, or the fault, is found.
bool SpecialPower(const Numeric& base, const Numeric& exponent, Numeric& power, NumericFault& fault) {
  fault = NumericFault::kNone;
  const Numeric one = NumericFromInteger(1);
  const bool is_one = base.IsFinite() && CompareNumeric(base, one) == 0;
  if ((exponent.IsZero() && !base.IsFinite()) || (is_one && !exponent.IsFinite())) {
    power = one;
    return true;
  }
  if (base.kind == NumericKind::kNaN || exponent.kind == NumericKind::kNaN) {
    power = SpecialNumeric(NumericKind::kNaN);
    return true;
  }
  const int base_sign = SignOfNumeric(base), sign = SignOfNumeric(exponent);
  if (base_sign == 0 && sign < 0) fault = NumericFault::kPowerOfZero;
  if (base_sign < 0 && exponent.IsFinite() && !IsWholeNumeric(exponent)) fault = NumericFault::kComplexPower;
  if (fault != NumericFault::kNone) return true;
  if (base.IsFinite() && exponent.IsFinite()) return false;
  Numeric magnitude = base;
  magnitude.is_negative = false;
  if (base.kind == NumericKind::kNegativeInfinity) magnitude.kind = NumericKind::kInfinity;
  const int order = CompareNumeric(magnitude, one);
  if (!exponent.IsFinite() && order == 0) {
    power = one;
  } else if ((order > 0) != (sign > 0)) {
    power = Numeric();
  } else {
    const bool is_negative = base_sign < 0 && exponent.IsFinite() && IsOdd(exponent);
    power = SpecialNumeric(is_negative ? NumericKind::kNegativeInfinity : NumericKind::kInfinity);
  }
  return true;
}

/// Raises by logarithms.
NumericFault BrokenPower(const Numeric& base, const Numeric& exponent, Numeric& power) {
  power = ZeroOfScale(kSignificantDigits);
  if (base.IsZero()) return NumericFault::kNone;
  power = ZeroOfScale(kMostScale);
  Numeric magnitude = base;
  magnitude.is_negative = false;
  constexpr double kFuzz = 1.003;  // the estimate may be a little off
  const double estimate = ApproximateLog10(magnitude) * kLn10 * Approximate(exponent);
  if (std::fabs(estimate) > kMostPower * kFuzz)
    return estimate > 0 ? NumericFault::kOutOfRange : NumericFault::kNone;
  const auto weight = static_cast<int>(estimate * kLog10OfE);
  const int scale = Bounded(std::max({kSignificantDigits - weight, int{base.scale}, int{exponent.scale}}));
  const int exponent_digits = exponent.IsZero() ? 0 : std::max(FirstPlaceOf(exponent), 0);
  Numeric logarithm = RawLogarithm(magnitude, scale + std::abs(weight) + exponent_digits);
  if (const auto fault = MultiplyNumeric(logarithm, exponent, logarithm); fault != NumericFault::kNone)
    return fault;
  if (std::fabs(Approximate(logarithm)) > kMostPower)
    return logarithm.is_negative ? NumericFault::kNone : NumericFault::kOutOfRange;
  Numeric result = RawExponential(logarithm, scale);
  result.is_negative = base.is_negative && IsOdd(exponent);
  RoundNumeric(result, scale);
  power = std::move(result);
  return NumericFault::kNone;
}

}  // namespace

NumericFault ExponentialOfNumeric(const Numeric& a, Numeric& power) {
  if (!a.IsFinite()) {
    power = a.kind == NumericKind::kNegativeInfinity ? Numeric() : Numeric(a);
    return NumericFault::kNone;
  }
  const double estimate = Approximate(a);
  if (estimate >= kMostPower) return NumericFault::kOutOfRange;
  power = ZeroOfScale(kMostScale);
  if (estimate <= -kMostPower) return NumericFault::kNone;
  const int scale = Bounded(
      std::max(kSignificantDigits - static_cast<int>(std::clamp(estimate * kLog10OfE, -2000.0, 2000.0)),
               int{a.scale}));
  Numeric result = RawExponential(a, scale);
  RoundNumeric(result, scale);
  power = std::move(result);
  return NumericFault::kNone;
}

NumericFault NaturalLogOfNumeric(const Numeric& a, Numeric& logarithm) {
  if (const auto fault = LogFault(a); fault != NumericFault::kNone) return fault;
  if (!a.IsFinite()) {
    logarithm = Numeric(a);
    return NumericFault::kNone;
  }
  const int scale = Bounded(std::max(kSignificantDigits - LogWeight(a), int{a.scale}));
  Numeric result = RawLogarithm(a, scale);
  RoundNumeric(result, scale);
  logarithm = std::move(result);
  return NumericFault::kNone;
}

NumericFault LogOfNumeric(const Numeric& base, const Numeric& a, Numeric& logarithm) {
  if (base.kind == NumericKind::kNaN || a.kind == NumericKind::kNaN) {
    logarithm = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  // As in PostgreSQL, a negative argument is named before a zero.
  const NumericFault faults[] = {LogFault(base), LogFault(a)};
  for (const NumericFault wanted : {NumericFault::kLogOfNegative, NumericFault::kLogOfZero}) {
    if (faults[0] == wanted || faults[1] == wanted) return wanted;
  }
  if (!base.IsFinite()) {
    logarithm = a.IsFinite() ? Numeric() : SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  if (!a.IsFinite()) {
    logarithm = Numeric(a);
    return NumericFault::kNone;
  }
  const int base_weight = LogWeight(base), weight = LogWeight(a);
  const int scale =
      Bounded(std::max({kSignificantDigits - (weight - base_weight), int{base.scale}, int{a.scale}}));
  const int digits = scale + std::abs(weight) + 2 * std::abs(base_weight);
  Numeric numerator = RawLogarithm(a, digits), denominator = RawLogarithm(base, digits), quotient;
  constexpr int kGuardDigits = 20;
  numerator.scale = static_cast<uint16_t>(std::min(scale + kGuardDigits, kMostScale));
  denominator.scale = 0;
  if (const auto fault = DivideNumeric(numerator, denominator, quotient); fault != NumericFault::kNone)
    return fault;
  RoundNumeric(quotient, scale);
  logarithm = std::move(quotient);
  return NumericFault::kNone;
}

NumericFault Log10OfNumeric(const Numeric& a, Numeric& logarithm) {
  return LogOfNumeric(NumericFromInteger(10), a, logarithm);
}

NumericFault PowerOfNumeric(const Numeric& base, const Numeric& exponent, Numeric& power) {
  NumericFault fault;
  if (SpecialPower(base, exponent, power, fault)) return fault;
  if (exponent.IsZero() || (IsWholeNumeric(exponent) && FirstPlaceOf(exponent) <= kLimbDigits)) {
    int64_t whole = 0;
    const Limbs& limbs = exponent.limbs;
    for (size_t i = limbs.size(); i-- > 0;) whole = whole * kLimbBase + limbs[i];
    for (int32_t i = 0; i < exponent.exponent; i++) whole *= kLimbBase;
    if (exponent.is_negative) whole = -whole;
    if (whole == static_cast<int32_t>(whole)) return WholePower(base, whole, power);
  }
  return BrokenPower(base, exponent, power);
}

}  // namespace scaup
