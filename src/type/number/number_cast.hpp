// The arithmetic of numeric casts, one value at a time. Casts of columns and of single values share it, so
// both agree. Every function is defined for every input, because kernels also run it over the garbage under
// NULLs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/check.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"

namespace scaup {

template <typename T>
constexpr T LowestInteger() {
  if constexpr (sizeof(T) == 16) {
    return kInt128Min;
  } else {
    return std::numeric_limits<T>::min();
  }
}
template <typename T>
constexpr T HighestInteger() {
  if constexpr (sizeof(T) == 16) {
    return kInt128Max;
  } else {
    return std::numeric_limits<T>::max();
  }
}

/// Not std::is_signed_v, which does not know 128-bit integers in strict mode.
template <typename T>
inline constexpr bool kIsSignedInteger = static_cast<T>(-1) < T{1};

/// Whether To holds every value of From.
template <typename From, typename To>
inline constexpr bool kHoldsAll = kIsSignedInteger<From> == kIsSignedInteger<To>
                                      ? sizeof(To) >= sizeof(From)
                                      : kIsSignedInteger<To> && sizeof(To) > sizeof(From);

/// Returns false if `value` is out of To's range.
template <typename From, typename To>
inline bool IntegerToInteger(From value, To& result) {
  result = static_cast<To>(value);
  if constexpr (kHoldsAll<From, To>) {
    return true;
  } else if constexpr (kIsSignedInteger<From> != kIsSignedInteger<To>) {
    // The bits may come back unchanged although the number did not.
    return (static_cast<From>(result) == value) & ((result < To{1}) == (value < From{1}));
  } else {
    return static_cast<From>(result) == value;
  }
}

/// Rounds to the nearest integer, halves to even. Not std::rint, which is a call on the baseline instruction
/// set.
inline double RoundHalfEven(double value) {
  constexpr double kTwoTo52 = 4503599627370496.0;
  if (!(std::fabs(value) < kTwoTo52)) return value;  // an integer already, or NaN
  const double shift = std::copysign(kTwoTo52, value);
  return (value + shift) - shift;
}

/// Rounds half to even. Returns false for NaN and for numbers out of To's range.
template <typename To>
inline bool DoubleToInteger(double value, To& result) {
  // The lowest value and the one above the highest are powers of two, or zero, and exact in a double; the
  // highest value is not.
  constexpr double kLowest = static_cast<double>(LowestInteger<To>());
  constexpr double kEnd = 2.0 * static_cast<double>(HighestInteger<To>() / 2 + 1);
  const double rounded = RoundHalfEven(value);
  const bool fits = rounded >= kLowest && rounded < kEnd;
  result = static_cast<To>(fits ? rounded : 0.0);
  return fits;
}

/// Returns false on overflow, and if a number other than zero would become zero.
inline bool DoubleToFloat(double value, float& result) {
  result = static_cast<float>(value);
  return !(std::isinf(result) && !std::isinf(value)) && !(result == 0 && value != 0);
}

/// Increases the scale of a DECIMAL, or retains it: multiplies by 10^(digits added). Integers are decimals of
/// scale 0.
template <typename From, typename To>
class DecimalScaleUp {
 public:
  /// REQUIRES: added_digits <= to_width.
  DecimalScaleUp(uint8_t to_width, uint8_t added_digits)
      : factor_(static_cast<Wide>(PowerOfTen(added_digits))) {
    SCAUP_ASSERT(added_digits <= to_width);
    const int128_t limit = PowerOfTen(static_cast<uint8_t>(to_width - added_digits));
    is_checked_ = limit <= static_cast<int128_t>(HighestInteger<From>());
    limit_ = is_checked_ ? static_cast<From>(limit) : HighestInteger<From>();
  }
  /// Whether every value of From fits, so that the cast cannot fail.
  bool always_fits() const { return !is_checked_; }
  /// Returns false if the result has more than to_width digits.
  bool operator()(From value, To& result) const {
    result = static_cast<To>(static_cast<Wide>(static_cast<To>(value)) * factor_);
    if constexpr (!kIsSignedInteger<From>) {
      return (!is_checked_) | (value < limit_);
    } else {
      return (!is_checked_) | ((value < limit_) & (value > -limit_));
    }
  }

 private:
  // Unsigned, so that garbage may wrap; and not narrower than int, to which it would be promoted.
  using Wide = std::conditional_t<sizeof(To) == 16, uint128_t,
                                  std::conditional_t<sizeof(To) == 8, uint64_t, uint32_t>>;
  Wide factor_;
  From limit_;
  bool is_checked_;
};

/// Reduces the scale of a DECIMAL: divides by 10^(digits removed), rounding half away from zero.
template <typename From>
class DecimalScaleDown {
 public:
  /// REQUIRES: 10^removed_digits fits From. That holds for every scale of a decimal stored in From.
  explicit DecimalScaleDown(uint8_t removed_digits)
      : divisor_(static_cast<From>(PowerOfTen(removed_digits))), half_(static_cast<From>(divisor_ / 2)) {
    SCAUP_ASSERT(PowerOfTen(removed_digits) <= static_cast<int128_t>(HighestInteger<From>()));
  }
  From operator()(From value) const {
    // A decimal plus half of its own power of ten fits its type; only garbage wraps.
    const Unsigned shifted = static_cast<Unsigned>(value) + static_cast<Unsigned>(value < 0 ? -half_ : half_);
    return static_cast<From>(static_cast<From>(shifted) / divisor_);
  }

 private:
  using Unsigned = std::conditional_t<sizeof(From) == 16, uint128_t,
                                      std::conditional_t<sizeof(From) == 8, uint64_t, uint32_t>>;
  From divisor_;
  From half_;
};

/// Checks |value| < 10^width. From may be so narrow that every value passes.
template <typename From>
class DecimalWidthCheck {
 public:
  explicit DecimalWidthCheck(uint8_t width) {
    const int128_t limit = PowerOfTen(width);
    is_checked_ = limit <= static_cast<int128_t>(HighestInteger<From>());
    limit_ = is_checked_ ? static_cast<From>(limit) : HighestInteger<From>();
  }
  bool operator()(From value) const { return (!is_checked_) | ((value < limit_) & (value > -limit_)); }

 private:
  From limit_;
  bool is_checked_;
};

/// The floating-point number nearest to a decimal.
double DecimalToDouble(int128_t unscaled, uint8_t scale);
float DecimalToFloat(int128_t unscaled, uint8_t scale);
/// Converts by PostgreSQL's rule: formats 15 (REAL: 6) significant decimal digits, then rounds half away from
/// zero. Returns false for NaN, infinities, and results of more than `width` digits.
bool DoubleToDecimal(double value, uint8_t width, uint8_t scale, int128_t& unscaled);
bool FloatToDecimal(float value, uint8_t width, uint8_t scale, int128_t& unscaled);

}  // namespace scaup
