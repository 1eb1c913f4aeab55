// ALP (Afroozeh, Kuffo, Boncz, SIGMOD 2023): floating-point numbers that began as decimals, as integers
// again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scaup {

/// How a number becomes an integer: number * 10^exponent / 10^factor, rounded. The larger exponent makes
/// the inverse power, which is not exact, hurt less; the factor takes the zeros away again.
struct DecimalShape {
  uint8_t exponent = 0;
  uint8_t factor = 0;  ///< at most `exponent`

  static constexpr uint8_t kMaxExponent = 18;
  friend bool operator==(const DecimalShape&, const DecimalShape&) = default;
};

/// 10^power and 10^-power as doubles, for up to DecimalShape::kMaxExponent.
double ScaleOf(uint8_t power);
double InverseScaleOf(uint8_t power);

/// Integers are kept below this in magnitude, so that all that is done to them as doubles is exact.
inline constexpr double kMaxDecimalDigits = 2251799813685248.0;  // 2^51
/// Adding and subtracting it rounds to an integer what is smaller than kMaxDecimalDigits.
inline constexpr double kDecimalRounding = 6755399441055744.0;  // 2^52 + 2^51

/// The bits of a number, to compare: NaNs have payloads, zeros signs.
inline uint64_t BitsOf(double value) { return std::bit_cast<uint64_t>(value); }
inline uint32_t BitsOf(float value) { return std::bit_cast<uint32_t>(value); }

/// The constants of a shape, ready for a loop.
struct DecimalScale {
  double to_power, to_inverse, from_power, from_inverse;

  explicit DecimalScale(DecimalShape shape)
      : to_power(ScaleOf(shape.exponent)),
        to_inverse(InverseScaleOf(shape.factor)),
        from_power(ScaleOf(shape.factor)),
        from_inverse(InverseScaleOf(shape.exponent)) {}

  /// The integer for `value`, as a double; whether decoding gives back every bit is for IsExact to say.
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

/// The bits that `values` would take in a shape, exceptions included.
template <typename T>
size_t EstimateDecimalBits(std::span<const T> values, DecimalShape shape);

/// The shape that takes the fewest bits for `values`, among all of them, or among `candidates`.
template <typename T>
DecimalShape BestShape(std::span<const T> values);
template <typename T>
DecimalShape BestShape(std::span<const T> values, std::span<const DecimalShape> candidates);

}  // namespace scaup
