// The stored form of exact numbers, and conversions to and from other numbers.
#include "type/number/numeric_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/throw.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/number/numeric_arithmetic.hpp"

namespace scaup {

namespace {

/// Parses "-12.50" of at most 18 digits without allocation. Returns false for all other texts.
bool ParseShort(std::string_view text, int64_t& unscaled, int& scale) {
  constexpr int kMostDigits = 18;
  const bool is_negative = !text.empty() && text.front() == '-';
  if (is_negative) text.remove_prefix(1);
  int digits = 0;
  int point = -1;
  int64_t value = 0;
  for (const char c : text) {
    if (c == '.' && point < 0) {
      point = digits;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > kMostDigits) return false;
    value = value * 10 + (c - '0');
  }
  if (digits == 0) return false;
  unscaled = is_negative ? -value : value;
  scale = point < 0 ? 0 : digits - point;
  return true;
}

/// Multiplies by a power of ten up to 10^9 and adds. Returns false on overflow.
bool AppendLimb(uint128_t& value, uint32_t power, uint32_t digits) {
  return !__builtin_mul_overflow(value, uint128_t{power}, &value) &&
         !__builtin_add_overflow(value, uint128_t{digits}, &value);
}

/// Sets |number| * 10^scale. REQUIRES: a finite number that is rounded to the scale. Returns false if it does
/// not fit.
bool UnscaledOf(const Numeric& number, int scale, uint128_t& unscaled) {
  SCAUP_ASSERT(number.IsFinite() && MinNumericScale(number) <= std::max(scale, 0));
  unscaled = 0;
  for (size_t i = number.limbs.size(); i-- > 0;) {
    // The digits of this limb that count: the others are zeros.
    const int below = -(number.exponent + static_cast<int32_t>(i)) * kLimbDigits - scale;
    const int cut = below <= 0 ? 0 : below;
    if (cut >= kLimbDigits) break;
    if (!AppendLimb(unscaled, kPowersOfTen[kLimbDigits - cut], number.limbs[i] / kPowersOfTen[cut]))
      return false;
  }
  if (number.limbs.empty()) return true;
  // Zeros behind the lowest limb.
  int zeros = number.exponent * kLimbDigits + scale;
  for (; zeros > 0; zeros -= kLimbDigits) {
    if (!AppendLimb(unscaled, kPowersOfTen[std::min(zeros, kLimbDigits)], 0)) return false;
  }
  return true;
}

bool RoundToInteger(std::string_view bytes, uint8_t scale, int128_t& integer) {
  SmallNumeric small;
  if (LoadSmallNumeric(bytes, small) && small.exponent <= 0 && small.exponent >= -2) {
    const auto from_scale = static_cast<uint8_t>(-small.exponent * kLimbDigits);
    return RescaleDecimal(small.value, from_scale, static_cast<uint8_t>(scale), integer);
  }
  Numeric number;
  LoadNumeric(bytes, number);
  if (!number.IsFinite()) return false;
  RoundNumeric(number, scale);
  uint128_t magnitude;
  if (!UnscaledOf(number, scale, magnitude)) return false;
  const uint128_t limit = static_cast<uint128_t>(kInt128Max) + (number.is_negative ? 1 : 0);
  if (magnitude > limit) return false;
  integer = static_cast<int128_t>(number.is_negative ? 0 - magnitude : magnitude);
  return true;
}

void NumericOfReal(double real, int digits, std::string& bytes) {
  char text[48];
  const auto end =
      std::to_chars(text, text + sizeof(text), real, std::chars_format::scientific, digits - 1).ptr;
  const std::string_view finite(text, static_cast<size_t>(end - text));
  const std::string_view special = std::isnan(real) ? "NaN" : real > 0 ? "Infinity" : "-Infinity";
  if (ParseStoredNumeric(std::isfinite(real) ? finite : special, bytes) != NumericParse::kOk)
    ThrowInternal("a floating-point number has no NUMERIC");
}

}  // namespace

void StoreNumeric(Numeric& number, std::string& bytes) {
  if (number.IsFinite()) number.scale = static_cast<uint16_t>(MinNumericScale(number));
  bytes.clear();
  AppendNumericBytes(number, bytes);
}

void LoadNumeric(std::string_view bytes, Numeric& number) {
  if (!ReadNumericBytes(bytes, number)) ThrowInternal("bytes of a NUMERIC are none");
}

bool IsStoredNumeric(std::string_view bytes) {
  Numeric number;
  if (!ReadNumericBytes(bytes, number)) return false;
  return number.scale == (number.IsFinite() ? MinNumericScale(number) : 0);
}

NumericParse ParseStoredNumeric(std::string_view text, std::string& bytes) {
  int64_t unscaled;
  int scale;
  if (ParseShort(text, unscaled, scale)) {
    bytes = ShortNumeric(unscaled, scale).view();
    return NumericParse::kOk;
  }
  Numeric number;
  const NumericParse parsed = ParseNumeric(text, number);
  if (parsed == NumericParse::kOk) StoreNumeric(number, bytes);
  return parsed;
}

size_t NumericTextBound(std::string_view bytes) {
  namespace layout = numeric_layout;
  constexpr size_t kSpecial = 9;  // "-Infinity"
  if (bytes.size() <= layout::kLeastBytes) return kSpecial;
  const int32_t top = layout::TopOfHead(layout::ShortAt(bytes, 0));
  // The sign, the point and a zero before it.
  return static_cast<size_t>(std::max(top, 0)) * kLimbDigits + StoredScale(bytes) + 3;
}

void AppendNumericText(std::string_view bytes, std::string& text) {
  SmallNumeric small;
  if (LoadSmallNumeric(bytes, small) && small.exponent <= 0 && small.exponent >= -2) {
    const int scale = StoredScale(bytes);
    int zeros = -small.exponent * kLimbDigits - scale;
    for (; zeros > 0; zeros -= kLimbDigits) small.value /= kPowersOfTen[std::min(zeros, kLimbDigits)];
    char buffer[kFormatBufferBytes];
    text.append(buffer, FormatDecimal(small.value, static_cast<uint8_t>(scale), buffer));
    return;
  }
  Numeric number;
  LoadNumeric(bytes, number);
  text += NumericToString(number);
}

bool NumericToInteger(std::string_view bytes, int128_t& integer) { return RoundToInteger(bytes, 0, integer); }

bool NumericToDecimal(std::string_view bytes, uint8_t width, uint8_t scale, int128_t& unscaled) {
  if (!RoundToInteger(bytes, scale, unscaled)) return false;
  const int128_t limit = PowerOfTen(width);
  return unscaled < limit && unscaled > -limit;
}

bool NumericToDouble(std::string_view bytes, double& real) {
  constexpr int64_t kExact = int64_t{1} << 53;
  SmallNumeric small;
  // Both operands are exact, so that the quotient is rounded once.
  if (LoadSmallNumeric(bytes, small) && small.exponent <= 0 && small.exponent >= -2 &&
      small.value <= kExact && small.value >= -kExact) {
    constexpr double kPowers[] = {1, 1e9, 1e18};
    real = static_cast<double>(small.value) / kPowers[-small.exponent];
    return true;
  }
  std::string text;
  AppendNumericText(bytes, text);
  return ParseDouble(text, real);
}

bool NumericToFloat(std::string_view bytes, float& real) {
  std::string text;
  AppendNumericText(bytes, text);
  return ParseFloat(text, real);
}

void NumericOfDouble(double real, std::string& bytes) {
  constexpr int kDigits = 15;
  NumericOfReal(real, kDigits, bytes);
}

void NumericOfFloat(float real, std::string& bytes) {
  constexpr int kDigits = 6;
  NumericOfReal(static_cast<double>(real), kDigits, bytes);
}

}  // namespace scaup
