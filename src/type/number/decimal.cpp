// Decimal arithmetic on scaled integers, and their text forms.
#include "type/number/decimal.hpp"

#include <array>
#include <charconv>
#include <cstring>

#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"

namespace scaup {

namespace {

constexpr std::array<int128_t, LogicalType::kMaxDecimalWidth + 1> MakePowers() {
  std::array<int128_t, LogicalType::kMaxDecimalWidth + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); i++) powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr auto kPowers = MakePowers();

// A number text split into parts: value = 0.DIGITS * 10^point, where DIGITS are those of `mantissa` without
// its '.'.
struct NumberText {
  bool negative = false;
  std::string_view mantissa;  // begins with the first non-zero digit
  int64_t point = 0;
};

// Far beyond any exponent that matters, and small enough that adding a text's length cannot overflow.
constexpr int64_t kMaxExponent = 1'000'000'000;

bool SplitExponent(std::string_view text, int64_t& exponent) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  exponent = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
    if (exponent < kMaxExponent) exponent = exponent * 10 + (c - '0');
  }
  if (negative) exponent = -exponent;
  return true;
}

bool SplitNumber(std::string_view text, NumberText& number) {
  text = TrimSpace(text);
  number.negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  size_t length = 0, digits_before_point = 0, digit_count = 0;
  bool has_point = false;
  for (; length < text.size(); length++) {
    if (IsDigit(text[length])) {
      digit_count++;
      if (!has_point) digits_before_point++;
    } else if (text[length] == '.' && !has_point) {
      has_point = true;
    } else {
      break;
    }
  }
  if (digit_count == 0) return false;
  int64_t exponent = 0;
  if (length < text.size()) {
    if ((text[length] != 'e' && text[length] != 'E') || !SplitExponent(text.substr(length + 1), exponent))
      return false;
  }
  number.mantissa = text.substr(0, length);
  number.point = static_cast<int64_t>(digits_before_point) + exponent;
  while (!number.mantissa.empty() && (number.mantissa[0] == '0' || number.mantissa[0] == '.')) {
    if (number.mantissa[0] == '0') number.point--;
    number.mantissa.remove_prefix(1);
  }
  return true;
}

// The fast path for plain "[-]digits[.digits]" of at most 18 digits, with at most `scale` digits after the
// point: nearly all texts.
bool ParseShortDecimal(std::string_view text, uint8_t scale, int64_t& unscaled) {
  if (text.size() > 19) return false;
  const char* cursor = text.data();
  const char* const end = cursor + text.size();
  const bool negative = cursor != end && *cursor == '-';
  if (negative) cursor++;
  uint64_t value = 0;  // 19 digits may wrap, but are rejected below
  const char* const first = cursor;
  while (cursor != end && IsDigit(*cursor)) value = value * 10 + static_cast<uint64_t>(*cursor++ - '0');
  size_t digits = static_cast<size_t>(cursor - first);
  size_t missing = scale;
  if (cursor != end && *cursor == '.') {
    const char* const fraction = ++cursor;
    while (cursor != end && IsDigit(*cursor)) value = value * 10 + static_cast<uint64_t>(*cursor++ - '0');
    const size_t fraction_digits = static_cast<size_t>(cursor - fraction);
    if (fraction_digits > scale) return false;
    missing -= fraction_digits;
    digits += fraction_digits;
  }
  if (cursor != end || digits == 0 || digits + missing > 18) return false;
  const int64_t scaled = static_cast<int64_t>(value * static_cast<uint64_t>(kPowers[missing]));
  unscaled = negative ? -scaled : scaled;
  return true;
}

}  // namespace

int128_t PowerOfTen(uint8_t exponent) { return kPowers[exponent]; }

bool ParseDecimal(std::string_view text, uint8_t width, uint8_t scale, int128_t& unscaled) {
  int64_t short_value;
  if (ParseShortDecimal(text, scale, short_value)) {
    unscaled = short_value;
    return width >= 18 || (short_value < kPowers[width] && short_value > -kPowers[width]);
  }
  NumberText number;
  if (!SplitNumber(text, number)) return false;
  unscaled = 0;
  // The result consists of the first `wanted` digits; the digit after them decides about rounding.
  const int64_t wanted = number.point + scale;
  if (number.mantissa.empty() || wanted < 0) return true;
  if (wanted > width) return false;  // too large, because the first digit is not zero
  int128_t value = 0;
  int64_t taken = 0;
  size_t i = 0;
  for (; i < number.mantissa.size() && taken < wanted; i++) {
    if (number.mantissa[i] == '.') continue;
    value = value * 10 + (number.mantissa[i] - '0');
    taken++;
  }
  value *= kPowers[static_cast<size_t>(wanted - taken)];
  if (i < number.mantissa.size() && number.mantissa[i] == '.') i++;
  if (i < number.mantissa.size() && number.mantissa[i] >= '5') value++;
  unscaled = number.negative ? -value : value;
  return value < kPowers[width];
}

bool IsNumberText(std::string_view text) {
  NumberText number;
  return SplitNumber(text, number);
}

size_t FormatDecimal(int128_t unscaled, uint8_t scale, char* out) {
  char digits[48];
  const bool fits_64_bits = unscaled == static_cast<int64_t>(unscaled);
  const size_t length =
      fits_64_bits ? FormatInteger(static_cast<int64_t>(unscaled), digits) : FormatInt128(unscaled, digits);
  if (scale == 0) {
    std::memcpy(out, digits, length);
    return length;
  }
  const char* digit = digits;
  const char* const end = digits + length;
  char* cursor = out;
  if (*digit == '-') *cursor++ = *digit++;
  size_t digit_count = static_cast<size_t>(end - digit);
  if (digit_count <= scale) {
    *cursor++ = '0';
  } else {
    std::memcpy(cursor, digit, digit_count - scale);
    cursor += digit_count - scale;
    digit += digit_count - scale;
    digit_count = scale;
  }
  *cursor++ = '.';
  std::memset(cursor, '0', scale - digit_count);
  cursor += scale - digit_count;
  std::memcpy(cursor, digit, digit_count);
  return static_cast<size_t>(cursor + digit_count - out);
}

std::string DecimalToString(int128_t unscaled, uint8_t scale) {
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatDecimal(unscaled, scale, buffer));
}

bool RescaleDecimal(int128_t value, uint8_t from_scale, uint8_t to_scale, int128_t& result) {
  if (to_scale >= from_scale) return !__builtin_mul_overflow(value, kPowers[to_scale - from_scale], &result);
  const int128_t divisor = kPowers[from_scale - to_scale];
  const int128_t quotient = value / divisor;
  const int128_t remainder = value % divisor;
  const int128_t distance = remainder < 0 ? -remainder : remainder;
  // Comparing 2 * distance would overflow for the largest powers.
  result = distance >= divisor - distance ? quotient + (value < 0 ? -1 : 1) : quotient;
  return true;
}

}  // namespace scaup
