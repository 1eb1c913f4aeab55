// Reads single values of Arrow arrays.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "common/check.hpp"
#include "format/arrow/arrow_type.hpp"
#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/time/date_time.hpp"
#include "type/uuid.hpp"

namespace scaup {

/// A buffer of an array, without the array's offset applied.
template <typename T>
const T* ArrowBuffer(const ArrowArray& array, int64_t buffer) {
  return static_cast<const T*>(array.buffers[buffer]);
}

/// Loads a value of any type, which need not be aligned.
template <typename T>
T LoadArrowValue(const void* buffer, int64_t place) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + place * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

inline bool ArrowBit(const void* bits, int64_t place) {
  return (static_cast<const uint8_t*>(bits)[place / 8] >> (place % 8) & 1) != 0;
}

/// Whether the member that a row of a union has is NULL.
bool IsArrowUnionNull(const ArrowType& type, const ArrowArray& array, int64_t row);

inline bool IsArrowUnion(const ArrowType& type) {
  return type.kind == ArrowKind::kSparseUnion || type.kind == ArrowKind::kDenseUnion;
}

/// Whether a row is NULL in the array itself; a dictionary's values may be NULL in addition.
inline bool IsArrowNull(const ArrowType& type, const ArrowArray& array, int64_t row) {
  if (type.kind == ArrowKind::kNull) return true;
  if (IsArrowUnion(type)) return IsArrowUnionNull(type, array, row);
  if (type.kind == ArrowKind::kRunEnds || array.buffers[0] == nullptr || array.null_count == 0) return false;
  return !ArrowBit(array.buffers[0], array.offset + row);
}

float HalfToFloat(uint16_t half);
/// Converts a count of units, `unit` per second, to microseconds. Throws Error(22008) beyond SQL's range.
int64_t ArrowMicros(int64_t value, int64_t unit);
/// The string or blob at a row. Throws Error(22023) if its offsets are invalid.
std::string_view ArrowString(const ArrowType& type, const ArrowArray& array, int64_t row);
/// The first element of a list in the child array, and the number of elements. Throws Error(22023) if they
/// are not within the child.
std::pair<int64_t, int64_t> ArrowElements(const ArrowType& type, const ArrowArray& array, int64_t row);
/// The member that a row of a union has, and its row in the array of that member. Throws Error(22023).
std::pair<size_t, int64_t> ArrowMember(const ArrowType& type, const ArrowArray& array, int64_t row);
/// The row of the dictionary, or of the run values, to which a row refers. Throws Error(22023).
int64_t ArrowTarget(const ArrowType& type, const ArrowArray& array, int64_t row);
[[noreturn]] void ThrowMalformedArrow(std::string_view column, std::string_view why);

inline int128_t ArrowDecimal(ArrowKind kind, const void* buffer, int64_t place) {
  switch (kind) {
    case ArrowKind::kDecimal32: return LoadArrowValue<int32_t>(buffer, place);
    case ArrowKind::kDecimal64: return LoadArrowValue<int64_t>(buffer, place);
    case ArrowKind::kDecimal256: return LoadArrowValue<int128_t>(buffer, 2 * place);  // the lower half
    default: return LoadArrowValue<int128_t>(buffer, place);
  }
}

/// A time of a day in microseconds. Throws if it is none, as in damaged files, which have no checksums.
inline int64_t ArrowTime(int64_t value, int64_t unit, const ArrowType& type) {
  const int64_t micros = ArrowMicros(value, unit);
  if (micros < 0 || micros > kMicrosPerDay) ThrowMalformedArrow(type.name, "a time is not within a day");
  return micros;
}

/// Calls use(get), where get(row) returns the value in SQL's physical type of a row that is not NULL.
/// REQUIRES: a type of fixed width.
template <typename Use>
void WithArrowValues(const ArrowType& type, const ArrowArray& array, Use&& use) {
  SCAUP_ASSERT(PhysicalTypeOf(type.type) != PhysicalType::kString);
  const void* data = array.n_buffers > 1 ? array.buffers[1] : nullptr;
  const int64_t offset = array.offset;
  const int64_t unit = type.unit;
  const auto as = [&]<typename From, typename To>() {
    use([=](int64_t row) { return static_cast<To>(LoadArrowValue<From>(data, offset + row)); });
  };
  const auto decimal = [&]<typename To>() {
    use([=, kind = type.kind](int64_t row) {
      return static_cast<To>(ArrowDecimal(kind, data, offset + row));
    });
  };
  switch (type.kind) {
    case ArrowKind::kBits: return use([=](int64_t row) { return uint8_t{ArrowBit(data, offset + row)}; });
    case ArrowKind::kInt8:
      if (type.type.id() == TypeId::kBoolean)
        return use([=](int64_t row) { return uint8_t{LoadArrowValue<int8_t>(data, offset + row) != 0}; });
      return as.template operator()<int8_t, int8_t>();
    case ArrowKind::kInt16: return as.template operator()<int16_t, int16_t>();
    case ArrowKind::kInt32: return as.template operator()<int32_t, int32_t>();
    case ArrowKind::kInt64: return as.template operator()<int64_t, int64_t>();
    case ArrowKind::kUint8: return as.template operator()<uint8_t, uint8_t>();
    case ArrowKind::kUint16: return as.template operator()<uint16_t, uint16_t>();
    case ArrowKind::kUint32: return as.template operator()<uint32_t, uint32_t>();
    case ArrowKind::kUint64: return as.template operator()<uint64_t, uint64_t>();
    case ArrowKind::kHalf:
      return use([=](int64_t row) { return HalfToFloat(LoadArrowValue<uint16_t>(data, offset + row)); });
    case ArrowKind::kFloat: return as.template operator()<float, float>();
    case ArrowKind::kDouble: return as.template operator()<double, double>();
    case ArrowKind::kDecimal32:
    case ArrowKind::kDecimal64:
    case ArrowKind::kDecimal128:
    case ArrowKind::kDecimal256:
      switch (PhysicalTypeOf(type.type)) {
        case PhysicalType::kInt16: return decimal.template operator()<int16_t>();
        case PhysicalType::kInt32: return decimal.template operator()<int32_t>();
        case PhysicalType::kInt64: return decimal.template operator()<int64_t>();
        default: return decimal.template operator()<int128_t>();
      }
    case ArrowKind::kDate32: return as.template operator()<int32_t, int32_t>();
    case ArrowKind::kDate64:
      return use([=](int64_t row) {
        const auto millis = LoadArrowValue<int64_t>(data, offset + row);
        constexpr int64_t kMillisPerDay = kMicrosPerDay / 1000;
        const int64_t days = millis / kMillisPerDay - (millis % kMillisPerDay < 0 ? 1 : 0);
        return static_cast<int32_t>(days);
      });
    case ArrowKind::kTime32:
      return use([=, &type](int64_t row) {
        return ArrowTime(LoadArrowValue<int32_t>(data, offset + row), unit, type);
      });
    case ArrowKind::kTime64:
      return use([=, &type](int64_t row) {
        return ArrowTime(LoadArrowValue<int64_t>(data, offset + row), unit, type);
      });
    case ArrowKind::kTimestamp:
      return use([=](int64_t row) { return ArrowMicros(LoadArrowValue<int64_t>(data, offset + row), unit); });
    case ArrowKind::kDuration:
      return use([=](int64_t row) {
        return Interval{0, 0, ArrowMicros(LoadArrowValue<int64_t>(data, offset + row), unit)};
      });
    case ArrowKind::kMonths:
      return use([=](int64_t row) { return Interval{LoadArrowValue<int32_t>(data, offset + row), 0, 0}; });
    case ArrowKind::kDaysMillis:
      return use([=](int64_t row) {
        const int64_t at = 2 * (offset + row);
        return Interval{0, LoadArrowValue<int32_t>(data, at),
                        LoadArrowValue<int32_t>(data, at + 1) * int64_t{1000}};
      });
    case ArrowKind::kMonthsDaysNanos:
      return use([=](int64_t row) {
        const int64_t at = offset + row;
        return Interval{LoadArrowValue<int32_t>(data, 4 * at), LoadArrowValue<int32_t>(data, 4 * at + 1),
                        ArrowMicros(LoadArrowValue<int64_t>(data, 2 * at + 1), 1'000'000'000)};
      });
    case ArrowKind::kFixedBytes:  // a UUID, because blobs do not have fixed width here
      return use([=](int64_t row) {
        const auto low = __builtin_bswap64(LoadArrowValue<uint64_t>(data, 2 * (offset + row) + 1));
        const auto high = __builtin_bswap64(LoadArrowValue<uint64_t>(data, 2 * (offset + row)));
        return UuidFromBits(static_cast<uint128_t>(high) << 64 | low);
      });
    default: ThrowInternal("no values of fixed width");
  }
}

}  // namespace scaup
