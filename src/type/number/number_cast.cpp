// Casts between decimals and floating-point numbers.
#include "type/number/number_cast.hpp"

#include <array>
#include <charconv>

#include "type/number/number_text.hpp"

namespace scaup {

namespace {

// The powers of ten that a double represents exactly. A float represents the first eleven exactly.
constexpr std::array<double, 23> MakeExactPowers() {
  std::array<double, 23> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); i++) powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr auto kExactPowers = MakeExactPowers();
constexpr size_t kExactFloatPowers = 11;

constexpr int128_t Magnitude(int128_t value) { return value < 0 ? -value : value; }

// Converts through text with the given number of significant digits: slow, and the reference for the fast
// path below.
bool FloatingToDecimalByText(double value, int significant_digits, uint8_t width, uint8_t scale,
                             int128_t& unscaled) {
  char text[48];
  const auto [end, error] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific, significant_digits - 1);
  if (error != std::errc()) return false;
  return ParseDecimal({text, static_cast<size_t>(end - text)}, width, scale, unscaled);
}

}  // namespace

double DecimalToDouble(int128_t unscaled, uint8_t scale) {
  // Both operands are exact, so the single division rounds correctly.
  if (Magnitude(unscaled) <= int128_t{1} << 53 && scale < kExactPowers.size()) {
    return static_cast<double>(static_cast<int64_t>(unscaled)) / kExactPowers[scale];
  }
  char text[kFormatBufferBytes];
  double result = 0;
  ParseDouble({text, FormatDecimal(unscaled, scale, text)}, result);
  return result;
}

float DecimalToFloat(int128_t unscaled, uint8_t scale) {
  if (Magnitude(unscaled) <= int128_t{1} << 24 && scale < kExactFloatPowers) {
    return static_cast<float>(static_cast<int32_t>(unscaled)) / static_cast<float>(kExactPowers[scale]);
  }
  char text[kFormatBufferBytes];
  float result = 0;
  ParseFloat({text, FormatDecimal(unscaled, scale, text)}, result);
  return result;
}

bool DoubleToDecimal(double value, uint8_t width, uint8_t scale, int128_t& unscaled) {
  if (!std::isfinite(value)) return false;
  if (scale < kExactPowers.size()) {
    // Rounding to 15 digits and the multiplication change the product by less than `error`. If no half is
    // that near, both ways round alike.
    const double product = value * kExactPowers[scale];
    const double magnitude = std::fabs(product);
    if (magnitude < 1e13) {
      const double whole = static_cast<double>(static_cast<int64_t>(magnitude));
      const double error = magnitude * 2e-14;
      const double from_half = magnitude - whole - 0.5;
      if (std::fabs(from_half) > error) {
        const int64_t rounded = static_cast<int64_t>(whole) + (from_half > 0 ? 1 : 0);
        unscaled = product < 0 ? -rounded : rounded;
        return rounded < PowerOfTen(width);
      }
    }
  }
  return FloatingToDecimalByText(value, 15, width, scale, unscaled);
}

bool FloatToDecimal(float value, uint8_t width, uint8_t scale, int128_t& unscaled) {
  if (!std::isfinite(value)) return false;
  return FloatingToDecimalByText(static_cast<double>(value), 6, width, scale, unscaled);
}

}  // namespace scaup
