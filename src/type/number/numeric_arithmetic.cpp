// Arithmetic of exact numbers: special values by PostgreSQL's tables, digits by limbs.hpp.
#include "type/number/numeric_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "common/check.hpp"

namespace scaup {

namespace {

constexpr int kMinSignificantDigits = 16;
constexpr int kMaxComputedScale = 1000;
// PostgreSQL chooses scales by the places of its digits, which have base 10^4.
constexpr int kGroupDigits = 4;

Numeric Infinity(int sign) {
  return SpecialNumeric(sign < 0 ? NumericKind::kNegativeInfinity : NumericKind::kInfinity);
}

NumericFault Checked(const Numeric& result) {
  return IsInNumericRange(result) ? NumericFault::kNone : NumericFault::kOutOfRange;
}

// The limbs of a number from `exponent` on, which is not above its own.
Limbs LimbsFrom(const Numeric& a, int32_t exponent) {
  if (a.limbs.empty()) return {};
  Limbs limbs(static_cast<size_t>(a.exponent - exponent));
  limbs.insert(limbs.end(), a.limbs.begin(), a.limbs.end());
  return limbs;
}

// The place of the first group of kGroupDigits digits, and its value.
struct FirstGroup {
  int weight = 0;
  uint32_t value = 0;
};
FirstGroup FirstGroupOf(const Numeric& a) {
  if (a.limbs.empty()) return {};
  const int first = FirstPlaceOf(a);
  const int weight = first >= 0 ? first / kGroupDigits : -((-first + kGroupDigits - 1) / kGroupDigits);
  // The group's lowest digit may lie in the limb below the one of its first digit.
  uint32_t value = 0;
  for (int place = first; place >= weight * kGroupDigits; place--) {
    const int limb = place >= 0 ? place / kLimbDigits : -((-place + kLimbDigits - 1) / kLimbDigits);
    const int index = limb - a.exponent;
    const uint32_t digit = index < 0 ? 0 : a.limbs[index] / kPowersOfTen[place - limb * kLimbDigits] % 10;
    value = value * 10 + digit;
  }
  return {weight, value};
}

}  // namespace

int SignOfNumeric(const Numeric& a) {
  if (a.kind == NumericKind::kNegativeInfinity || a.is_negative) return -1;
  return a.IsZero() ? 0 : 1;
}

int FirstPlaceOf(const Numeric& a) {
  SCAUP_ASSERT(a.IsFinite() && !a.IsZero());
  int digits = 0;
  for (uint32_t limb = a.limbs.back(); limb >= 10; limb /= 10) digits++;
  return (a.top() - 1) * kLimbDigits + digits;
}

bool IsWholeNumeric(const Numeric& a) { return a.IsFinite() && a.exponent >= 0; }

int QuotientScale(const Numeric& a, const Numeric& b) {
  const FirstGroup left = FirstGroupOf(a), right = FirstGroupOf(b);
  const int weight = left.weight - right.weight - (left.value <= right.value ? 1 : 0);
  const int scale = std::max({kMinSignificantDigits - weight * kGroupDigits, int{a.scale}, int{b.scale}, 0});
  return std::min(scale, kMaxComputedScale);
}

namespace {

// Sets the quotient of two finite numbers, cut at or below `scale` and one more digit.
void CutQuotient(const Numeric& a, const Numeric& b, int scale, Numeric& quotient) {
  const int32_t places = scale / kLimbDigits + 1;
  quotient = Numeric();
  quotient.is_negative = a.is_negative != b.is_negative;
  quotient.exponent = -places;
  quotient.scale = static_cast<uint16_t>(scale);
  if (a.limbs.empty()) return;
  // a and b as integers of one unit, a times base^places.
  const int32_t unit = std::min(a.exponent + places, b.exponent);
  Limbs rest = a.limbs;
  rest.insert(rest.begin(), static_cast<size_t>(a.exponent + places - unit), 0);
  quotient.limbs = DivideLimbs(rest, LimbsFrom(b, unit));
}

NumericFault AddSigned(const Numeric& a, const Numeric& b, bool negates, Numeric& sum) {
  const int right_sign = negates ? -SignOfNumeric(b) : SignOfNumeric(b);
  if (a.kind == NumericKind::kNaN || b.kind == NumericKind::kNaN ||
      (!a.IsFinite() && !b.IsFinite() && SignOfNumeric(a) != right_sign)) {
    sum = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  if (!a.IsFinite() || !b.IsFinite()) {
    sum = Infinity(a.IsFinite() ? right_sign : SignOfNumeric(a));
    return NumericFault::kNone;
  }
  Numeric result;
  result.scale = std::max(a.scale, b.scale);
  result.exponent = std::min(a.exponent, b.exponent);
  if (a.limbs.empty()) result.exponent = b.exponent;
  if (b.limbs.empty()) result.exponent = a.exponent;
  result.limbs = LimbsFrom(a, result.exponent);
  result.is_negative = a.is_negative;
  const bool right_is_negative = b.is_negative != (negates && !b.limbs.empty());
  Limbs right = LimbsFrom(b, result.exponent);
  if (a.is_negative == right_is_negative) {
    AddLimbs(result.limbs, right, 0);
  } else {
    if (CompareLimbs(result.limbs, right) < 0) {
      std::swap(result.limbs, right);
      result.is_negative = right_is_negative;
    }
    SubtractLimbs(result.limbs, right);
  }
  NormalizeNumeric(result);
  sum = std::move(result);
  return Checked(sum);
}

// Quotients with NaN, infinities and zero. Returns whether the result is one of these.
bool DivideSpecial(const Numeric& a, const Numeric& b, Numeric& quotient, NumericFault& fault) {
  fault = NumericFault::kNone;
  if (a.kind == NumericKind::kNaN || b.kind == NumericKind::kNaN || (!a.IsFinite() && !b.IsFinite())) {
    quotient = SpecialNumeric(NumericKind::kNaN);
  } else if (b.IsZero()) {
    fault = NumericFault::kDivisionByZero;
  } else if (!a.IsFinite()) {
    quotient = Infinity(SignOfNumeric(a) * SignOfNumeric(b));
  } else if (!b.IsFinite()) {
    quotient = Numeric();
  } else {
    return false;
  }
  return true;
}

}  // namespace

NumericFault AddNumeric(const Numeric& a, const Numeric& b, Numeric& sum) {
  return AddSigned(a, b, false, sum);
}

NumericFault SubtractNumeric(const Numeric& a, const Numeric& b, Numeric& difference) {
  return AddSigned(a, b, true, difference);
}

NumericFault MultiplyNumeric(const Numeric& a, const Numeric& b, Numeric& product) {
  if (!a.IsFinite() || !b.IsFinite()) {
    const int sign = SignOfNumeric(a) * SignOfNumeric(b);
    const bool is_nan = a.kind == NumericKind::kNaN || b.kind == NumericKind::kNaN || sign == 0;
    product = is_nan ? SpecialNumeric(NumericKind::kNaN) : Infinity(sign);
    return NumericFault::kNone;
  }
  Numeric result;
  const int scale = a.scale + b.scale;
  result.is_negative = a.is_negative != b.is_negative;
  result.exponent = a.exponent + b.exponent;
  result.limbs = MultiplyLimbs(a.limbs, b.limbs);
  if (scale > kMaxNumericScale) RoundNumeric(result, kMaxNumericScale);
  NormalizeNumeric(result);
  result.scale = static_cast<uint16_t>(std::min(scale, kMaxNumericScale));
  product = std::move(result);
  return Checked(product);
}

NumericFault DivideNumeric(const Numeric& a, const Numeric& b, Numeric& quotient) {
  NumericFault fault;
  if (DivideSpecial(a, b, quotient, fault)) return fault;
  const int scale = QuotientScale(a, b);
  Numeric result;
  CutQuotient(a, b, scale, result);
  RoundNumeric(result, scale);
  quotient = std::move(result);
  return Checked(quotient);
}

NumericFault DivideNumericToInteger(const Numeric& a, const Numeric& b, Numeric& quotient) {
  NumericFault fault;
  if (DivideSpecial(a, b, quotient, fault)) return fault;
  Numeric result;
  CutQuotient(a, b, 0, result);
  TruncateNumeric(result, 0);
  quotient = std::move(result);
  return Checked(quotient);
}

NumericFault NumericRest(const Numeric& a, const Numeric& b, Numeric& rest) {
  if (a.kind == NumericKind::kNaN || b.kind == NumericKind::kNaN) {
    rest = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  if (b.IsZero()) return NumericFault::kDivisionByZero;
  if (!a.IsFinite()) {
    rest = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  if (!b.IsFinite()) {
    rest = Numeric(a);
    return NumericFault::kNone;
  }
  Numeric result;
  result.scale = std::max(a.scale, b.scale);
  result.is_negative = a.is_negative;
  result.exponent = a.limbs.empty() ? b.exponent : std::min(a.exponent, b.exponent);
  result.limbs = LimbsFrom(a, result.exponent);
  DivideLimbs(result.limbs, LimbsFrom(b, result.exponent));
  NormalizeNumeric(result);
  rest = std::move(result);
  return NumericFault::kNone;
}

NumericFault NumericSquareRoot(const Numeric& a, Numeric& root) {
  if (a.kind == NumericKind::kNaN || a.kind == NumericKind::kInfinity) {
    root = Numeric(a);
    return NumericFault::kNone;
  }
  if (SignOfNumeric(a) < 0) return NumericFault::kRootOfNegative;
  const int weight = (FirstGroupOf(a).weight + 1) * kGroupDigits / 2 - 1;
  const int scale = std::min(std::max({kMinSignificantDigits - weight, int{a.scale}, 0}), kMaxComputedScale);
  root = SquareRootToScale(a, scale);
  return NumericFault::kNone;
}

Numeric SquareRootToScale(const Numeric& a, int scale) {
  SCAUP_ASSERT(a.IsFinite() && !a.is_negative);
  Numeric result;
  // Limbs down to twice the places of the root, of which one is a guard.
  const int32_t places = std::max(scale / kLimbDigits + 1, -(a.exponent - 1) / 2);
  if (!a.limbs.empty()) result.limbs = SquareRootLimbs(LimbsFrom(a, -2 * places));
  result.exponent = -places;
  RoundNumeric(result, scale);
  return result;
}

NumericFault NumericCommonDivisor(const Numeric& a, const Numeric& b, Numeric& divisor) {
  if (!a.IsFinite() || !b.IsFinite()) {
    divisor = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  Numeric result;
  result.scale = std::max(a.scale, b.scale);
  result.exponent =
      std::min(a.limbs.empty() ? b.exponent : a.exponent, b.limbs.empty() ? a.exponent : b.exponent);
  result.limbs = LimbsFrom(a, result.exponent);
  Limbs other = LimbsFrom(b, result.exponent);
  while (!other.empty()) {
    DivideLimbs(result.limbs, other);
    std::swap(result.limbs, other);
  }
  NormalizeNumeric(result);
  divisor = std::move(result);
  return Checked(divisor);
}

NumericFault NumericCommonMultiple(const Numeric& a, const Numeric& b, Numeric& multiple) {
  if (!a.IsFinite() || !b.IsFinite()) {
    multiple = SpecialNumeric(NumericKind::kNaN);
    return NumericFault::kNone;
  }
  Numeric result;
  if (!a.IsZero() && !b.IsZero()) {
    Numeric divisor, quotient;
    NumericCommonDivisor(a, b, divisor);
    DivideNumericToInteger(a, divisor, quotient);  // beyond the range at times, though the multiple is not
    if (const auto fault = MultiplyNumeric(quotient, b, result); fault != NumericFault::kNone) return fault;
    result.is_negative = false;
  }
  result.scale = std::max(a.scale, b.scale);
  multiple = std::move(result);
  return NumericFault::kNone;
}

int MinNumericScale(const Numeric& a) {
  SCAUP_ASSERT(a.IsFinite());
  if (a.limbs.empty() || a.exponent >= 0) return 0;
  int zeros = 0;
  for (uint32_t limb = a.limbs.front(); limb % 10 == 0; limb /= 10) zeros++;
  return std::max(-a.exponent * kLimbDigits - zeros, 0);
}

}  // namespace scaup
