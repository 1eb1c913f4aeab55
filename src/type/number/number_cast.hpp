// The arithmetic of casts between numeric types, one value at a time: shared by the casts of columns and of
// single values, so that both agree. Every function is defined for every input (kernels run it over the
// garbage under NULLs).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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

/// False when `value` is out of To's range.
template <typename From, typename To>
inline bool IntegerToInteger(From value, To& result) {
  result = static_cast<To>(value);
  if constexpr (sizeof(To) >= sizeof(From)) {
    return true;
  } else {
    return static_cast<From>(result) == value;
  }
}

/// The nearest whole number, halves to even. Not std::rint, which is a call on the baseline instruction set.
inline double RoundHalfEven(double value) {
  constexpr double kTwoTo52 = 4503599627370496.0;
  if (!(std::fabs(value) < kTwoTo52)) return value;  // Whole already, or NaN.
  const double shift = std::copysign(kTwoTo52, value);
  return (value + shift) - shift;
}

/// Rounds half to even. False for NaN and for numbers out of To's range.
template <typename To>
inline bool DoubleToInteger(double value, To& result) {
  // -2^(bits-1), exact in a double; the highest value itself is not.
  constexpr double kLowest = static_cast<double>(LowestInteger<To>());
  const double rounded = RoundHalfEven(value);
  const bool fits = rounded >= kLowest && rounded < -kLowest;
  result = static_cast<To>(fits ? rounded : 0.0);
  return fits;
}

/// False on overflow, and when a number other than zero would turn to zero.
inline bool DoubleToFloat(double value, float& result) {
  result = static_cast<float>(value);
  return !(std::isinf(result) && !std::isinf(value)) && !(result == 0 && value != 0);
}

/// Multiplies by 10^(digits added): a DECIMAL's scale grows or stays. Integers are decimals of scale 0.
template <typename From, typename To>
class DecimalScaleUp {
 public:
  /// REQUIRES: added_digits <= to_width.
  DecimalScaleUp(uint8_t to_width, uint8_t added_digits)
      : factor_(static_cast<Wide>(PowerOfTen(added_digits))) {
    const int128_t limit = PowerOfTen(static_cast<uint8_t>(to_width - added_digits));
    is_checked_ = limit <= static_cast<int128_t>(HighestInteger<From>());
    limit_ = is_checked_ ? static_cast<From>(limit) : HighestInteger<From>();
  }
  /// True if every From fits, so that the cast cannot fail whatever the source's width.
  bool always_fits() const { return !is_checked_; }
  /// False when the result has more than to_width digits.
  bool operator()(From value, To& result) const {
    result = static_cast<To>(static_cast<Wide>(static_cast<To>(value)) * factor_);
    return (!is_checked_) | ((value < limit_) & (value > -limit_));
  }

 private:
  // Unsigned, so that garbage may wrap, and not narrower than int, to which it would be promoted.
  using Wide = std::conditional_t<sizeof(To) == 16, uint128_t,
                                  std::conditional_t<sizeof(To) == 8, uint64_t, uint32_t>>;
  Wide factor_;
  From limit_;
  bool is_checked_;
};

/// Divides by 10^(digits removed), rounding half away from zero: a DECIMAL's scale shrinks.
template <typename From>
class DecimalScaleDown {
 public:
  /// REQUIRES: 10^removed_digits fits From, as it does for every scale that a decimal in From can have.
  explicit DecimalScaleDown(uint8_t removed_digits)
      : divisor_(static_cast<From>(PowerOfTen(removed_digits))), half_(static_cast<From>(divisor_ / 2)) {}
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

/// |value| < 10^width, for a value of a type that may be narrower than that.
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

/// The nearest floating-point number to a decimal.
double DecimalToDouble(int128_t unscaled, uint8_t scale);
float DecimalToFloat(int128_t unscaled, uint8_t scale);
/// PostgreSQL's rule: the number as 15 (REAL: 6) significant decimal digits, then rounded half away from
/// zero. False for NaN, infinities, and results of more than `width` digits.
bool DoubleToDecimal(double value, uint8_t width, uint8_t scale, int128_t& unscaled);
bool FloatToDecimal(float value, uint8_t width, uint8_t scale, int128_t& unscaled);

}  // namespace scaup
