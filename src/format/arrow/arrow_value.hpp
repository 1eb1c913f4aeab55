// Conversion of single values to Arrow's layouts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/throw.hpp"
#include "format/arrow/arrow_schema.hpp"
#include "scaup/time_tz.hpp"
#include "type/physical_type.hpp"
#include "type/uuid.hpp"

namespace scaup {

/// Arrow's month_day_nano interval.
struct ArrowInterval {
  int32_t months;
  int32_t days;
  int64_t nanos;
};

/// Converts an offset to 32 bits. Throws Error(54000) beyond 31 bits.
inline int32_t ArrowOffset(size_t place) {
  if (place > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               "an Arrow array has at most 2147483647 elements, and bytes of strings: take fewer rows");
  }
  return static_cast<int32_t>(place);
}

/// Whether Arrow stores values of the type as byte strings of variable length.
inline bool IsArrowText(const LogicalType& type, const ArrowLayout& layout) {
  if (IsPacked(type.id())) return false;
  return PhysicalTypeOf(type) == PhysicalType::kString ||
         (type.id() == TypeId::kEnum && !layout.dictionaries);
}

/// Whether Arrow's values have the same layout as ours.
inline bool IsSameLayout(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kReal:
    case TypeId::kDouble:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kEnum: return true;
    case TypeId::kDecimal: return PhysicalTypeOf(type) == PhysicalType::kInt128;
    default: return false;
  }
}

/// The bytes per value in Arrow; 0 for BOOLEAN and for types of variable size.
inline size_t ArrowValueBytes(const LogicalType& type) {
  if (type.id() == TypeId::kBoolean || type.id() == TypeId::kNull) return 0;
  if (type.id() == TypeId::kDecimal) return sizeof(int128_t);
  return PhysicalTypeOf(type) == PhysicalType::kString ? 0 : PhysicalSize(type);
}

/// Throws Error(22008) if the value is out of range for nanoseconds.
ArrowInterval ToArrow(const Interval& value);
/// Throws Error(22003) for more than 38 digits, the limit of Arrow's 128-bit decimals.
int128_t HugeIntToArrow(int128_t value);

/// Converts to Arrow's UUID layout: 16 bytes in the order of the digits.
inline int128_t UuidToArrow(int128_t value) {
  const uint128_t bits = UuidBits(value);
  const uint64_t high = __builtin_bswap64(static_cast<uint64_t>(bits >> 64));
  const uint64_t low = __builtin_bswap64(static_cast<uint64_t>(bits));
  return static_cast<int128_t>(static_cast<uint128_t>(low) << 64 | high);
}

/// Converts to the time on its own clocks.
inline int64_t TimeTzToArrow(int64_t stored) { return LoadTimeTz(stored).micros; }

/// Calls visit.operator()<T>(convert) with our physical type and a function that converts to Arrow's value.
/// REQUIRES: a type of fixed width, not BOOLEAN.
template <typename Visit>
void VisitArrowValue(const LogicalType& type, Visit&& visit) {
  SCAUP_ASSERT(PhysicalTypeOf(type) != PhysicalType::kBool && PhysicalTypeOf(type) != PhysicalType::kString);
  const auto same = [](const auto& value) { return value; };
  const auto widen = [](const auto& value) { return static_cast<int128_t>(value); };
  const bool is_decimal = type.id() == TypeId::kDecimal;
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kInt8: return visit.template operator()<int8_t>(same);
    case PhysicalType::kInt16:
      return is_decimal ? visit.template operator()<int16_t>(widen)
                        : visit.template operator()<int16_t>(same);
    case PhysicalType::kInt32:
      return is_decimal ? visit.template operator()<int32_t>(widen)
                        : visit.template operator()<int32_t>(same);
    case PhysicalType::kInt64:
      if (type.id() == TypeId::kTimeTz) return visit.template operator()<int64_t>(&TimeTzToArrow);
      return is_decimal ? visit.template operator()<int64_t>(widen)
                        : visit.template operator()<int64_t>(same);
    case PhysicalType::kInt128:
      if (type.id() == TypeId::kHugeInt) return visit.template operator()<int128_t>(&HugeIntToArrow);
      if (type.id() == TypeId::kUuid) return visit.template operator()<int128_t>(&UuidToArrow);
      return visit.template operator()<int128_t>(same);
    case PhysicalType::kUInt8: return visit.template operator()<uint8_t>(same);
    case PhysicalType::kUInt16: return visit.template operator()<uint16_t>(same);
    case PhysicalType::kUInt32: return visit.template operator()<uint32_t>(same);
    case PhysicalType::kUInt64: return visit.template operator()<uint64_t>(same);
    case PhysicalType::kFloat: return visit.template operator()<float>(same);
    case PhysicalType::kDouble: return visit.template operator()<double>(same);
    case PhysicalType::kInterval: return visit.template operator()<Interval>(&ToArrow);
    case PhysicalType::kBool:
    case PhysicalType::kString: break;
  }
  ThrowInternal("no value of fixed width");
}

}  // namespace scaup
