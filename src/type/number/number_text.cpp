// Parses and formats integers, floating-point numbers and booleans.
#include "type/number/number_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <fast_float/fast_float.h>

#include "common/throw.hpp"
#include "type/number/digits.hpp"
#include "type/number/int128.hpp"
#include "type/text/ascii.hpp"

namespace scaup {

namespace {

template <typename T>
bool ParseIntegerAs(std::string_view text, T& result) {
  const char* cursor = text.data();
  const char* const end = cursor + text.size();
  while (cursor != end && IsSpace(*cursor)) cursor++;
  const bool negative = cursor != end && *cursor == '-';
  if (cursor != end && (*cursor == '-' || *cursor == '+')) cursor++;
  const char* const digits = cursor;
  uint64_t value = 0;
  bool overflow = false;
  for (; cursor != end; cursor++) {
    const unsigned digit = static_cast<unsigned char>(*cursor) - unsigned{'0'};
    if (digit > 9) break;
    // 18 digits cannot overflow, so the check is made only beyond them.
    if (cursor - digits >= 18) overflow |= value > (std::numeric_limits<uint64_t>::max() - digit) / 10;
    value = value * 10 + digit;
  }
  if (cursor == digits) return false;
  while (cursor != end && IsSpace(*cursor)) cursor++;
  constexpr auto kGreatest = static_cast<uint64_t>(std::numeric_limits<T>::max());
  const uint64_t limit = !negative ? kGreatest : std::is_signed_v<T> ? kGreatest + 1 : 0;
  if (cursor != end || overflow || value > limit) return false;
  result = static_cast<T>(negative ? 0 - value : value);
  return true;
}

// Whether the mantissa has a non-zero digit; a zero result is then an underflow.
bool HasNonZeroDigit(std::string_view text) {
  for (const char c : text) {
    if (c == 'e' || c == 'E') return false;
    if (c >= '1' && c <= '9') return true;
  }
  return false;
}

template <typename T>
bool ParseFloatingAs(std::string_view text, T& result) {
  text = TrimSpace(text);
  std::string_view magnitude = text;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) magnitude.remove_prefix(1);
  if (magnitude.empty()) return false;
  const char first = magnitude[0];
  if (first != '.' && (first < '0' || first > '9')) {
    if (EqualsIgnoringCase(magnitude, "infinity") || EqualsIgnoringCase(magnitude, "inf")) {
      result = negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
      return true;
    }
    if (!EqualsIgnoringCase(text, "nan")) return false;
    result = std::numeric_limits<T>::quiet_NaN();
    return true;
  }
  T value = 0;
  const char* const end = magnitude.data() + magnitude.size();
  const auto [stop, error] = fast_float::from_chars(magnitude.data(), end, value);
  if (error != std::errc() || stop != end || std::isinf(value)) return false;
  if (value == 0 && HasNonZeroDigit(magnitude)) return false;
  result = negative ? -value : value;
  return true;
}

void StoreWord(uint64_t word, char* out) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(out, &word, sizeof(word));
}

/// Writes `value` without leading zeros and returns the end. May overwrite up to 8 bytes after the end.
char* PutDigits(uint64_t value, char* out) {
  if (value >= kEightDigits) {
    out = PutDigits(value / kEightDigits, out);
    StoreWord(EightDigits(static_cast<uint32_t>(value % kEightDigits)) | kZeros, out);
    return out + 8;
  }
  const uint64_t digits = EightDigits(static_cast<uint32_t>(value));
  const unsigned leading = LeadingZeros(digits);
  StoreWord((digits | kZeros) >> (8 * leading), out);
  return out + 8 - leading;
}

/// The fast path for whole millionths of at most 15 digits: most numbers that people enter or round to.
/// Distinct decimals of 15 digits are distinct doubles, so one that equals the value is its shortest text.
/// Returns 0 for other numbers.
size_t FormatMillionths(double value, char* out) {
  const double magnitude = std::fabs(value);
  if (!(magnitude >= 1e-4 && magnitude < 1e9)) return 0;
  const auto millionths = static_cast<uint64_t>(magnitude * 1e6 + 0.5);
  if (static_cast<double>(millionths) / 1e6 != magnitude) return 0;
  char* cursor = out;
  if (value < 0) *cursor++ = '-';
  cursor = PutDigits(millionths / 1000000, cursor);
  const uint64_t fraction = millionths % 1000000;
  if (fraction == 0) return static_cast<size_t>(cursor - out);
  *cursor++ = '.';
  const uint64_t digits = EightDigits(static_cast<uint32_t>(fraction * 100));
  StoreWord(digits | kZeros, cursor);
  const auto trailing = static_cast<unsigned>(std::countl_zero(digits)) / 8;
  return static_cast<size_t>(cursor + 8 - trailing - out);
}

// PostgreSQL prints no exponent for at most `fixed_digits` integer digits and down to 1e-4.
template <typename T>
size_t FormatFloating(T value, int fixed_digits, char* out) {
  const auto put = [out](std::string_view text) {
    std::memcpy(out, text.data(), text.size());
    return text.size();
  };
  if (std::isnan(value)) return put("NaN");
  if (std::isinf(value)) return put(value > 0 ? "Infinity" : "-Infinity");
  if (value == 0) return put(std::signbit(value) ? "-0" : "0");

  char scientific[40];  // d.ddde±xx, the shortest digits that parse to the value
  const char* const end =
      std::to_chars(scientific, scientific + sizeof(scientific), value, std::chars_format::scientific).ptr;
  const char* mark = end;
  while (*--mark != 'e') {
  }
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  if (exponent < -4 || exponent >= fixed_digits)
    return put({scientific, static_cast<size_t>(end - scientific)});

  char* cursor = out;
  const char* digit = scientific;
  if (*digit == '-') *cursor++ = *digit++;
  if (exponent < 0) {
    *cursor++ = '0';
    *cursor++ = '.';
    for (int i = -1; i > exponent; i--) *cursor++ = '0';
  }
  int left_of_point = exponent + 1;  // digits remaining before the point
  for (; digit != mark; digit++) {
    if (*digit == '.') continue;
    if (left_of_point == 0 && exponent >= 0) *cursor++ = '.';
    *cursor++ = *digit;
    left_of_point--;
  }
  for (; left_of_point > 0; left_of_point--) *cursor++ = '0';
  return static_cast<size_t>(cursor - out);
}

}  // namespace

std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  SCAUP_ASSERT(std::none_of(lower.begin(), lower.end(), [](char c) { return ToLower(c) != c; }));
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); i++) {
    if (ToLower(text[i]) != lower[i]) return false;
  }
  return true;
}

bool ParseInteger(std::string_view text, int8_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, int16_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, int32_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, int64_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, uint8_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, uint16_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, uint32_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, uint64_t& result) { return ParseIntegerAs(text, result); }
bool ParseInteger(std::string_view text, int128_t& result) { return ParseInt128(TrimSpace(text), result); }
bool ParseDouble(std::string_view text, double& result) { return ParseFloatingAs(text, result); }
bool ParseFloat(std::string_view text, float& result) { return ParseFloatingAs(text, result); }

bool ParseBoolean(std::string_view text, bool& result) {
  text = TrimSpace(text);
  // The shortest prefix that distinguishes a word from the others: "o" alone could be on or off.
  static constexpr struct {
    std::string_view word;
    size_t shortest;
    bool value;
  } kWords[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true}, {"no", 1, false},
                {"on", 2, true},   {"off", 2, false},   {"1", 1, true},   {"0", 1, false}};
  for (const auto& [word, shortest, value] : kWords) {
    if (text.size() >= shortest && text.size() <= word.size() &&
        EqualsIgnoringCase(text, word.substr(0, text.size()))) {
      result = value;
      return true;
    }
  }
  return false;
}

size_t FormatInteger(int64_t value, char* out) {
  char* cursor = out;
  if (value < 0) *cursor++ = '-';
  const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return static_cast<size_t>(PutDigits(magnitude, cursor) - out);
}

size_t FormatUnsigned(uint64_t value, char* out) { return static_cast<size_t>(PutDigits(value, out) - out); }

size_t FormatDouble(double value, char* out) {
  const size_t size = FormatMillionths(value, out);
  return size != 0 ? size : FormatFloating(value, 15, out);
}
size_t FormatFloat(float value, char* out) { return FormatFloating(value, 6, out); }

size_t FormatBoolean(bool value, char* out) {
  std::memcpy(out, value ? "true" : "false", value ? 4 : 5);
  return value ? 4 : 5;
}

}  // namespace scaup
