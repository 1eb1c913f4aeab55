// Parses JSON numbers.
#include "document/json/json_number.hpp"

#include <cstdint>
#include <cstring>

#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"

namespace scaup {

namespace {

/// Up to here every integer is exact in a double.
constexpr uint64_t kLargestExact = uint64_t{1} << 53;

bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

bool EndsToken(const char* at, const char* end) {
  if (at == end) return true;
  switch (*at) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case ',':
    case ':':
    case ']':
    case '}': return true;
    default: return false;
  }
}

void ReadLongInteger(std::string_view text, JsonNumber& number) {
  int128_t value = 0;
  if (!ParseInt128(text, value)) return;  // it remains a kNumber
  number.integer = value;
  number.type = TypeOfInteger(value);
}

/// Whether a fraction's text is the shortest text of its double, judged by its digits. Doubles distinguish
/// all numbers of up to 15 digits, and from 0.0001 on no exponent is printed.
bool IsPlainFraction(const char* digits, const char* point, const char* end) {
  if (end - digits > 16 || end[-1] == '0') return false;
  return *digits != '0' || end - point < 5 || std::memcmp(point + 1, "0000", 4) != 0;
}

/// Computes a number of up to 15 digits with a decimal point. Both operands are exact doubles, so the
/// quotient is rounded only once.
double PlainFraction(const char* digits, const char* point, const char* end) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  int64_t mantissa = 0;
  for (const char* c = digits; c != end; c++) {
    if (c != point) mantissa = mantissa * 10 + (*c - '0');
  }
  return static_cast<double>(mantissa) / kPowers[end - point - 1];
}

void ReadFraction(std::string_view text, JsonNumber& number) {
  double value = 0;
  if (!ParseDouble(text, value)) return;
  char shortest[kFormatBufferBytes];
  if (std::string_view(shortest, FormatDouble(value, shortest)) != text) return;
  number.type = AttributeType::kDouble;
  number.number = value;
}

}  // namespace

bool ReadJsonNumber(const char* begin, const char* end, JsonNumber& number) {
  const char* at = begin;
  const bool is_negative = at != end && *at == '-';
  at += is_negative ? 1 : 0;
  const char* const digits = at;
  uint64_t magnitude = 0;  // correct for up to 18 digits
  for (; at != end && IsDigit(*at); at++) magnitude = magnitude * 10 + static_cast<uint64_t>(*at - '0');
  if (at == digits || (*digits == '0' && at - digits > 1)) return false;
  const char* const point = at;
  const bool has_fraction = at != end && *at == '.';
  if (has_fraction) {
    at++;
    while (at != end && IsDigit(*at)) at++;
    if (at == point + 1) return false;
  }
  const bool has_exponent = at != end && (*at == 'e' || *at == 'E');
  if (has_exponent) {
    at++;
    if (at != end && (*at == '+' || *at == '-')) at++;
    const char* const exponent = at;
    while (at != end && IsDigit(*at)) at++;
    if (at == exponent) return false;
  }
  if (!EndsToken(at, end)) return false;
  number.end = at;
  number.type = AttributeType::kNumber;
  const std::string_view text(begin, static_cast<size_t>(at - begin));
  if (!has_fraction && !has_exponent) {
    if (is_negative && magnitude == 0 && point - digits == 1) {
      number.type = AttributeType::kDouble;  // -0 is not an integer
      number.number = -0.0;
    } else if (point - digits <= 18) {
      number.integer = is_negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
      number.type = magnitude <= kLargestExact ? AttributeType::kInteger : AttributeType::kLongInteger;
    } else {
      ReadLongInteger(text, number);
    }
  } else if (!has_exponent && IsPlainFraction(digits, point, at)) {
    const double value = PlainFraction(digits, point, at);
    number.type = AttributeType::kDouble;
    number.number = is_negative ? -value : value;
  } else {
    ReadFraction(text, number);
  }
  return true;
}

AttributeType TypeOfInteger(int128_t integer) {
  if (integer < INT64_MIN || integer > INT64_MAX) return AttributeType::kHugeInteger;
  const bool is_exact = integer >= -int128_t{kLargestExact} && integer <= int128_t{kLargestExact};
  return is_exact ? AttributeType::kInteger : AttributeType::kLongInteger;
}

bool IsWrittenAsDouble(int128_t integer) {
  constexpr int64_t kFirstWithExponent = 1'000'000'000'000'000;
  return integer > -kFirstWithExponent && integer < kFirstWithExponent;
}

}  // namespace scaup
