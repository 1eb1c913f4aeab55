// ALP (Afroozeh, Kuffo, Boncz, SIGMOD 2023): represents floating-point numbers as decimal integers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scaup {

/// How a number becomes an integer: number * 10^exponent / 10^factor, rounded. A larger exponent reduces the
/// error of the inexact inverse power; the factor removes the trailing zeros again.
struct DecimalShape {
  uint8_t exponent = 0;
  uint8_t factor = 0;  ///< at most `exponent`

  static constexpr uint8_t kMaxExponent = 18;
  friend bool operator==(const DecimalShape&, const DecimalShape&) = default;
};

/// Return 10^power and 10^-power as doubles, for powers up to DecimalShape::kMaxExponent.
double ScaleOf(uint8_t power);
double InverseScaleOf(uint8_t power);

/// Integers stay below this in magnitude, so that double arithmetic on them is exact.
inline constexpr double kMaxDecimalDigits = 2251799813685248.0;  // 2^51
/// Adding and subtracting this rounds numbers below kMaxDecimalDigits to integers.
inline constexpr double kDecimalRounding = 6755399441055744.0;  // 2^52 + 2^51

/// Returns the bits of a number, for comparison: they tell apart NaN payloads and signs of zero.
inline uint64_t BitsOf(double value) { return std::bit_cast<uint64_t>(value); }
inline uint32_t BitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// The constants of a shape, precomputed for loops.
struct DecimalScale {
  double to_power, to_inverse, from_power, from_inverse;

  explicit DecimalScale(DecimalShape shape)
      : to_power(ScaleOf(shape.exponent)),
        to_inverse(InverseScaleOf(shape.factor)),
        from_power(ScaleOf(shape.factor)),
        from_inverse(InverseScaleOf(shape.exponent)) {}

  /// Returns the integer for `value`, as a double. IsExact tells whether decoding restores every bit.
  template <typename T>
  double Digits(T value) const {
    const double scaled = static_cast<double>(value) * to_power * to_inverse;
    const double rounded = scaled + kDecimalRounding;
    return rounded - kDecimalRounding;
  }
  template <typename T>
  bool IsExact(T value, double digits) const {
    const double product = digits * from_power;
    const auto decoded = static_cast<T>(product * from_inverse);
    return (BitsOf(decoded) == BitsOf(value)) & (digits > -kMaxDecimalDigits) & (digits < kMaxDecimalDigits);
  }
};

/// Returns the bits that `values` would take in a shape, including exceptions.
template <typename T>
size_t EstimateDecimalBits(std::span<const T> values, DecimalShape shape);

/// Returns the shape that takes the fewest bits for `values`, among all shapes or among `candidates`.
template <typename T>
DecimalShape BestShape(std::span<const T> values);
template <typename T>
DecimalShape BestShape(std::span<const T> values, std::span<const DecimalShape> candidates);

}  // namespace scaup
