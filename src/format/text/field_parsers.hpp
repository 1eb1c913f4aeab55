// Fast parsers for common spellings of values in text files; other texts go to the type's own parser.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "type/text/string_ref.hpp"
#include "type/time/date_time.hpp"

namespace scaup::field {

// All parsers may read up to 16 bytes from `text` on, whatever the size (see kTextPadding), and never write.
// They return false for text not in their form, which may still be a valid value of the type.

inline uint64_t LoadBytes(const char* text) {
  uint64_t word;
  std::memcpy(&word, text, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// Combines eight digits, each 0 .. 9 in its own byte, the first in the lowest. Returns false if one is above
/// 9.
inline bool CombineDigits(uint64_t digits, uint64_t& value) {
  if ((((digits + 0x7676767676767676ULL) | digits) & 0x8080808080808080ULL) != 0) return false;
  digits = digits * 10 + (digits >> 8);
  value = (((digits & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
           (((digits >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
          32;
  return true;
}

/// Parses exactly `size` digits, 1 <= size <= 8, in one register.
inline bool ParseEightDigits(const char* text, size_t size, uint64_t& value) {
  const unsigned shift = static_cast<unsigned>(64 - 8 * size);
  // The bytes shifted in are leading zeros.
  return CombineDigits((LoadBytes(text) ^ 0x3030303030303030ULL) << shift, value);
}

/// Parses exactly `size` digits, 1 <= size <= 18.
inline bool ParseDigits(const char* text, size_t size, uint64_t& value) {
  if (size <= 8) return size != 0 && ParseEightDigits(text, size, value);
  if (size > 18) return false;
  uint64_t high, low;
  if (size <= 16) {
    if (!ParseEightDigits(text, size - 8, high) || !ParseEightDigits(text + size - 8, 8, low)) return false;
    value = high * 100'000'000 + low;
    return true;
  }
  uint64_t middle;
  if (!ParseEightDigits(text, size - 16, high) || !ParseEightDigits(text + size - 16, 8, middle) ||
      !ParseEightDigits(text + size - 8, 8, low)) {
    return false;
  }
  value = (high * 100'000'000 + middle) * 100'000'000 + low;
  return true;
}

template <typename T>
struct IntegerParser {
  bool operator()(const char* text, size_t size, T& result) const {
    if (size == 0) return false;
    const bool negative = *text == '-';
    uint64_t magnitude;
    if (!ParseDigits(text + negative, size - negative, magnitude)) return false;
    const int64_t value = negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
    if constexpr (std::is_unsigned_v<T>) {
      if (value < 0) return false;
    }
    if constexpr (sizeof(T) < 8) {
      if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return false;
    }
    result = static_cast<T>(value);
    return true;
  }
};

inline constexpr int64_t kPowersOfTen[19] = {1,
                                             10,
                                             100,
                                             1000,
                                             10000,
                                             100000,
                                             1000000,
                                             10000000,
                                             100000000,
                                             1000000000,
                                             10000000000,
                                             100000000000,
                                             1000000000000,
                                             10000000000000,
                                             100000000000000,
                                             1000000000000000,
                                             10000000000000000,
                                             100000000000000000,
                                             1000000000000000000};

/// Parses decimals of up to 18 digits with at most `scale` fraction digits.
template <typename T>
struct DecimalParser {
  uint8_t width;
  uint8_t scale;

  bool operator()(const char* text, size_t size, T& result) const {
    if (size == 0) return false;
    const bool negative = *text == '-';
    text += negative;
    size -= negative;
    // Most fields have exactly `scale` digits after the point.
    size_t whole_digits = size, fraction_digits = 0;
    if (size > scale && scale != 0 && text[size - scale - 1] == '.') {
      fraction_digits = scale;
      whole_digits = size - scale - 1;
    } else if (const void* point = std::memchr(text, '.', size)) {
      whole_digits = static_cast<size_t>(static_cast<const char*>(point) - text);
      fraction_digits = size - whole_digits - 1;
      if (fraction_digits > scale) return false;
    }
    if (whole_digits + scale > 18 || whole_digits + fraction_digits == 0) return false;
    uint64_t whole = 0, fraction = 0;
    if (whole_digits != 0 && !ParseDigits(text, whole_digits, whole)) return false;
    if (fraction_digits != 0 && !ParseDigits(text + whole_digits + 1, fraction_digits, fraction))
      return false;
    const int64_t value = static_cast<int64_t>(whole) * kPowersOfTen[scale] +
                          static_cast<int64_t>(fraction) * kPowersOfTen[scale - fraction_digits];
    if (width < 18 && value >= kPowersOfTen[width]) return false;
    result = static_cast<T>(negative ? -value : value);
    return true;
  }
};

/// Parses 'YYYY-MM-DD'.
struct DateParser {
  bool operator()(const char* text, size_t size, int32_t& days) const {
    if (size != 10 || text[4] != '-' || text[7] != '-') return false;
    // Rearranges "YYYY-MM-" and "DD" into the eight digits YYYYMMDD.
    const uint64_t head = LoadBytes(text);
    uint16_t day_bytes;
    std::memcpy(&day_bytes, text + 8, 2);
    if constexpr (std::endian::native == std::endian::big) day_bytes = __builtin_bswap16(day_bytes);
    const uint64_t packed = (head & 0xFFFFFFFFULL) | ((head >> 8) & 0x0000FFFF00000000ULL) |
                            (static_cast<uint64_t>(day_bytes) << 48);
    uint64_t number;
    if (!CombineDigits(packed ^ 0x3030303030303030ULL, number)) return false;
    const uint32_t date = static_cast<uint32_t>(number);
    const uint32_t year = date / 10000, month = date / 100 % 100, day = date % 100;
    if (year == 0 || month - 1 > 11 || day - 1 > 30) return false;
    if (day > 28 &&
        day > static_cast<uint32_t>(DaysInMonth(static_cast<int32_t>(year), static_cast<int32_t>(month))))
      return false;
    // Years begin on 1 March, so that the leap day is the last.
    const uint32_t shifted_year = year - (month <= 2);
    const uint32_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    days = static_cast<int32_t>(shifted_year * 365 + shifted_year / 4 - shifted_year / 100 +
                                shifted_year / 400 + day_of_year) -
           719468;
    return true;
  }
};

/// Parses 'HH:MM:SS' with up to six digits after a decimal point.
struct TimeParser {
  bool operator()(const char* text, size_t size, int64_t& micros) const {
    if (size < 8 || size > 15 || text[2] != ':' || text[5] != ':') return false;
    uint64_t hours, minutes, seconds, fraction = 0;
    if (!ParseEightDigits(text, 2, hours) || !ParseEightDigits(text + 3, 2, minutes) ||
        !ParseEightDigits(text + 6, 2, seconds))
      return false;
    if (hours > 23 || minutes > 59 || seconds > 59) return false;
    if (size > 8) {
      if (text[8] != '.' || size == 9 || !ParseEightDigits(text + 9, size - 9, fraction)) return false;
      fraction *= static_cast<uint64_t>(kPowersOfTen[15 - size]);
    }
    micros = static_cast<int64_t>(((hours * 60 + minutes) * 60 + seconds) * 1'000'000 + fraction);
    return true;
  }
};

/// Parses 'YYYY-MM-DD', optionally followed by 'T' or a space and a time.
struct TimestampParser {
  bool operator()(const char* text, size_t size, int64_t& micros) const {
    int32_t days;
    int64_t time = 0;
    if (size < 10 || !DateParser()(text, 10, days)) return false;
    if (size > 10) {
      if ((text[10] != ' ' && text[10] != 'T') || !TimeParser()(text + 11, size - 11, time)) return false;
    }
    micros = days * kMicrosPerDay + time;
    return true;
  }
};

struct BooleanParser {
  bool operator()(const char* text, size_t size, uint8_t& result) const {
    if (size == 4 && std::memcmp(text, "true", 4) == 0) return result = 1, true;
    if (size == 5 && std::memcmp(text, "false", 5) == 0) return result = 0, true;
    if (size == 1 && (*text == 't' || *text == 'f')) return result = *text == 't', true;
    return false;
  }
};

/// Makes a StringRef, which refers to `text` if it is not inline. Inline ones need no memcpy call.
inline StringRef MakeStringRef(const char* text, size_t size) {
  if constexpr (std::endian::native == std::endian::little) {
    if (size <= StringRef::kInlineBytes) {
      const uint64_t head = LoadBytes(text);
      const uint64_t tail = LoadBytes(text + 4) >> 32;
      const uint64_t head_mask = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * size)) - 1;
      const uint64_t tail_mask = size <= 8 ? 0 : (uint64_t{1} << (8 * (size - 8))) - 1;
      const uint64_t bytes = head & head_mask;
      const uint64_t words[2] = {size | bytes << 32, bytes >> 32 | (tail & tail_mask) << 32};
      StringRef result;
      std::memcpy(static_cast<void*>(&result), words, sizeof(result));
      return result;
    }
  }
  return StringRef(text, static_cast<uint32_t>(size));
}

}  // namespace scaup::field
