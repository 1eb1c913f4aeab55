// Integers with range checks, decimals, times, texts and what is stored as bytes.
#include "format/parquet/value_converter.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "format/parquet/parquet_damage.hpp"
#include "format/parquet/value_decoder.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_cast.hpp"
#include "type/text/utf8_text.hpp"
#include "type/time/date_time.hpp"
#include "type/uuid.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

constexpr int64_t kNanosPerMicro = 1000;

[[noreturn]] void ThrowOutside(const ParquetLeaf& leaf) {
  ThrowParquetDamage(
      fmt::format("column \"{}\" has a value out of the range of {}", leaf.name, leaf.type.ToString()));
}

/// Converts each value by convert(from, to), which returns whether it fits.
template <typename From, typename To, typename Convert>
void ConvertEach(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values,
                 Convert&& convert) {
  auto* to = reinterpret_cast<To*>(values);
  bool fits = true;
  for (size_t i = 0; i < count; i++) {
    From value;
    std::memcpy(&value, raw + i * sizeof(From), sizeof(value));  // pages need not be aligned
    fits &= convert(value, to[i]);
  }
  if (!fits) ThrowOutside(leaf);
}

/// Integers of Parquet's types in a narrower type, by their range.
template <typename From, typename To>
void ConvertIntegers(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<From, To>(leaf, raw, count, values,
                        [](From value, To& result) { return IntegerToInteger(value, result); });
}

template <typename From, typename To>
void ConvertDecimals(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  const int128_t end = PowerOfTen(leaf.type.width());
  // Bounds in the type of the values, so that the loop has no wide numbers.
  const From most = end - 1 > std::numeric_limits<From>::max() ? std::numeric_limits<From>::max()
                                                               : static_cast<From>(end - 1);
  const From least = -(end - 1) < std::numeric_limits<From>::min() ? std::numeric_limits<From>::min()
                                                                   : static_cast<From>(-(end - 1));
  ConvertEach<From, To>(leaf, raw, count, values, [most, least](From value, To& result) {
    result = static_cast<To>(value);
    return (value <= most) & (value >= least);
  });
}

template <typename From>
ValueConverter FindDecimalConverter(const ParquetLeaf& leaf) {
  switch (PhysicalTypeOf(leaf.type)) {
    case PhysicalType::kInt16: return ConvertDecimals<From, int16_t>;
    case PhysicalType::kInt32: return ConvertDecimals<From, int32_t>;
    case PhysicalType::kInt64: return ConvertDecimals<From, int64_t>;
    default: return ConvertDecimals<From, int128_t>;
  }
}

/// Integers of any length, highest byte first. Returns false beyond 128 bits.
bool ReadBigEndian(const StringRef& bytes, int128_t& result) {
  const std::string_view text = bytes.view();
  const bool is_negative = !text.empty() && (text[0] & 0x80) != 0;
  const char sign = is_negative ? '\xff' : '\0';
  size_t begin = 0;
  while (text.size() - begin > sizeof(result)) {
    if (text[begin++] != sign) return false;
  }
  if (begin != 0 && ((text[begin] ^ sign) & 0x80) != 0) return false;
  auto number = static_cast<uint128_t>(is_negative ? int128_t{-1} : int128_t{0});
  for (size_t i = begin; i < text.size(); i++) number = number << 8 | static_cast<uint8_t>(text[i]);
  result = static_cast<int128_t>(number);
  return true;
}

template <typename To>
void ConvertDecimalBytes(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  const int128_t end = PowerOfTen(leaf.type.width());
  ConvertEach<StringRef, To>(leaf, raw, count, values, [end](const StringRef& bytes, To& result) {
    int128_t number = 0;
    const bool is_read = ReadBigEndian(bytes, number);
    result = static_cast<To>(number);
    return is_read && number < end && number > -end;
  });
}

/// Decimals of more digits than there are types for, as DOUBLE.
void ConvertLargeDecimals(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  const double scale = std::pow(10.0, leaf.annotation.scale);
  ConvertEach<StringRef, double>(leaf, raw, count, values, [scale](const StringRef& bytes, double& result) {
    const std::string_view text = bytes.view();
    double number = text.empty() || (text[0] & 0x80) == 0 ? 0 : -1;
    for (const char byte : text) number = number * 256 + static_cast<uint8_t>(byte);
    result = number / scale;
    return true;
  });
}

template <typename From, int64_t kFactor>
void ConvertTimes(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<From, int64_t>(leaf, raw, count, values, [](From value, int64_t& micros) {
    const int64_t wide = value;
    micros = kFactor > 0 ? wide * (wide > kMicrosPerDay ? 0 : kFactor) : wide / kNanosPerMicro;
    return wide >= 0 && wide <= kMicrosPerDay * kNanosPerMicro && micros <= kMicrosPerDay &&
           (kFactor <= 0 || wide <= kMicrosPerDay);
  });
}

/// DuckDB's and our infinities are the ends of the numbers; its negative one is one above ours.
bool ReadMicros(int64_t value, int64_t& micros) {
  micros = value == -INT64_MAX ? kTimestampMinusInfinity : value;
  return IsInfiniteTimestamp(micros) || IsTimestampInRange(micros);
}

void ConvertTimestamps(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  switch (leaf.annotation.unit) {
    case ParquetUnit::kMillis:
      return ConvertEach<int64_t, int64_t>(leaf, raw, count, values, [](int64_t value, int64_t& micros) {
        return !__builtin_mul_overflow(value, int64_t{1000}, &micros) && IsTimestampInRange(micros);
      });
    case ParquetUnit::kMicros: return ConvertEach<int64_t, int64_t>(leaf, raw, count, values, ReadMicros);
    case ParquetUnit::kNanos:
      return ConvertEach<int64_t, int64_t>(leaf, raw, count, values, [](int64_t value, int64_t& micros) {
        micros = value / kNanosPerMicro - (value % kNanosPerMicro < 0 ? 1 : 0);
        return true;
      });
  }
}

struct Int96 {
  uint32_t words[3];
};

/// Nanoseconds of a day and its Julian number.
void ConvertInt96(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  constexpr int64_t kJulianEpoch = 2440588;
  ConvertEach<Int96, int64_t>(leaf, raw, count, values, [](const Int96& value, int64_t& micros) {
    const auto nanos = static_cast<int64_t>(uint64_t{value.words[1]} << 32 | value.words[0]);
    const int128_t wide = int128_t{static_cast<int32_t>(value.words[2]) - kJulianEpoch} * kMicrosPerDay +
                          (nanos / kNanosPerMicro - (nanos % kNanosPerMicro < 0 ? 1 : 0));
    micros = static_cast<int64_t>(wide);
    return micros == wide && IsTimestampInRange(micros);
  });
}

void ConvertDates(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<int32_t, int32_t>(leaf, raw, count, values, [](int32_t value, int32_t& days) {
    days = value == -INT32_MAX ? kDateMinusInfinity : value;
    return IsInfiniteDate(days) || IsDateInRange(days);
  });
}

void ConvertFloat16(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<StringRef, float>(leaf, raw, count, values, [](const StringRef& bytes, float& result) {
    uint16_t half;
    std::memcpy(&half, bytes.data(), sizeof(half));
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                            : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                            : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    result = (half & 0x8000) != 0 ? -magnitude : magnitude;
    return true;
  });
}

void ConvertUuids(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<StringRef, int128_t>(leaf, raw, count, values, [](const StringRef& bytes, int128_t& result) {
    uint128_t bits = 0;
    for (const char byte : bytes.view()) bits = bits << 8 | static_cast<uint8_t>(byte);
    result = UuidFromBits(bits);
    return true;
  });
}

void ConvertIntervals(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  ConvertEach<StringRef, Interval>(leaf, raw, count, values, [](const StringRef& bytes, Interval& result) {
    uint32_t parts[3];
    std::memcpy(parts, bytes.data(), sizeof(parts));
    result = {static_cast<int32_t>(parts[0]), static_cast<int32_t>(parts[1]), int64_t{parts[2]} * 1000};
    return parts[0] <= INT32_MAX && parts[1] <= INT32_MAX;
  });
}

/// Whether all bytes are ASCII and none is NUL, which is so for most texts.
bool IsPlainText(const StringRef& string) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  const char* data = string.data();
  const size_t size = string.size();
  uint64_t bad = 0;
  const auto test = [&](const char* at) {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    bad |= word | (word - kOnes);
  };
  if (size < 8) {
    for (size_t i = 0; i < size; i++)
      bad |= static_cast<uint8_t>(data[i]) | (uint64_t{static_cast<uint8_t>(data[i])} - 1);
    return (bad & 0x80) == 0;
  }
  for (size_t i = 0; i + 8 < size; i += 8) test(data + i);
  test(data + size - 8);
  return (bad & kHighs) == 0;
}

void ConvertTexts(const ParquetLeaf& leaf, const std::byte* raw, size_t count, std::byte* values) {
  const auto* strings = reinterpret_cast<const StringRef*>(raw);
  for (size_t i = 0; i < count; i++) {
    if (!IsPlainText(strings[i]) && !IsText(strings[i].view()))
      ThrowParquetDamage(fmt::format("column \"{}\" has a text that is not valid UTF-8", leaf.name));
  }
  if (raw != values) std::memcpy(values, raw, count * sizeof(StringRef));
}

void ConvertJson(const ParquetLeaf&, const std::byte* raw, size_t count, std::byte* values) {
  const auto* strings = reinterpret_cast<const StringRef*>(raw);
  for (size_t i = 0; i < count; i++) CheckGivenValue(Value::FromBytes(TypeId::kJson, strings[i].ToString()));
  if (raw != values) std::memcpy(values, raw, count * sizeof(StringRef));
}

ValueConverter FindInt32Converter(const ParquetLeaf& leaf) {
  switch (leaf.annotation.meaning) {
    case ParquetMeaning::kDecimal: return FindDecimalConverter<int32_t>(leaf);
    case ParquetMeaning::kDate: return ConvertDates;
    case ParquetMeaning::kTime: return ConvertTimes<int32_t, 1000>;
    default: break;
  }
  switch (leaf.type.id()) {
    case TypeId::kTinyInt: return ConvertIntegers<int32_t, int8_t>;
    case TypeId::kSmallInt: return ConvertIntegers<int32_t, int16_t>;
    // Unsigned numbers of 8 and 16 bits are never negative as INT32 either; those of 32 bits are its bits.
    case TypeId::kUTinyInt: return ConvertIntegers<int32_t, uint8_t>;
    case TypeId::kUSmallInt: return ConvertIntegers<int32_t, uint16_t>;
    default: return nullptr;
  }
}

ValueConverter FindInt64Converter(const ParquetLeaf& leaf) {
  switch (leaf.annotation.meaning) {
    case ParquetMeaning::kDecimal: return FindDecimalConverter<int64_t>(leaf);
    case ParquetMeaning::kTime:
      return leaf.annotation.unit == ParquetUnit::kNanos ? ConvertTimes<int64_t, 0>
                                                         : ConvertTimes<int64_t, 1>;
    case ParquetMeaning::kTimestamp: return ConvertTimestamps;
    default: return nullptr;
  }
}

ValueConverter FindBytesConverter(const ParquetLeaf& leaf) {
  switch (leaf.type.id()) {
    case TypeId::kVarchar: return ConvertTexts;
    case TypeId::kJson: return ConvertJson;
    case TypeId::kDouble: return ConvertLargeDecimals;
    case TypeId::kReal: return ConvertFloat16;
    case TypeId::kUuid: return ConvertUuids;
    case TypeId::kInterval: return ConvertIntervals;
    case TypeId::kDecimal:
      switch (PhysicalTypeOf(leaf.type)) {
        case PhysicalType::kInt16: return ConvertDecimalBytes<int16_t>;
        case PhysicalType::kInt32: return ConvertDecimalBytes<int32_t>;
        case PhysicalType::kInt64: return ConvertDecimalBytes<int64_t>;
        default: return ConvertDecimalBytes<int128_t>;
      }
    default: return nullptr;
  }
}

}  // namespace

ValueConverter FindValueConverter(const ParquetLeaf& leaf) {
  switch (leaf.physical) {
    case ParquetType::kInt32: return FindInt32Converter(leaf);
    case ParquetType::kInt64: return FindInt64Converter(leaf);
    case ParquetType::kInt96: return ConvertInt96;
    case ParquetType::kByteArray:
    case ParquetType::kFixedBytes: return FindBytesConverter(leaf);
    case ParquetType::kBoolean:
    case ParquetType::kFloat:
    case ParquetType::kDouble: break;
  }
  return nullptr;
}

bool ReadParquetValue(const ParquetLeaf& leaf, std::string_view bytes, Vector& target) {
  try {
    alignas(16) std::byte raw[16] = {};
    const bool is_string =
        leaf.physical == ParquetType::kByteArray || leaf.physical == ParquetType::kFixedBytes;
    if (is_string) {
      if (leaf.physical == ParquetType::kFixedBytes && bytes.size() != static_cast<size_t>(leaf.length))
        return false;
      const StringRef string = target.AddString(bytes);
      std::memcpy(raw, &string, sizeof(string));
    } else {
      if (bytes.size() != RawValueBytes(leaf.physical)) return false;
      std::memcpy(raw, bytes.data(), bytes.size());
      if (leaf.physical == ParquetType::kBoolean && static_cast<uint8_t>(raw[0]) > 1) return false;
    }
    auto* values = target.MutableData<std::byte>();
    if (const ValueConverter convert = FindValueConverter(leaf)) {
      convert(leaf, raw, 1, values);
    } else {
      std::memcpy(values, raw, PhysicalSize(leaf.type));
    }
    return true;
  } catch (const ParquetDamage&) {
    return false;
  }
}

}  // namespace scaup
