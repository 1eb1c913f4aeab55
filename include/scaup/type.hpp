// SQL types as values: LogicalType is small, copyable and comparable.
#pragma once

#include <cstdint>
#include <string>

#include "scaup/export.hpp"

namespace scaup {

__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;

/// SQL's types. Numbers are persisted and public: they never change and are never reused.
enum class TypeId : uint8_t {
  kNull = 0,  ///< The type of a bare NULL and of a parameter not yet given one.
  kBoolean = 1,
  kTinyInt = 2,
  kSmallInt = 3,
  kInteger = 4,
  kBigInt = 5,
  kHugeInt = 6,  ///< 128-bit integer.
  kReal = 7,
  kDouble = 8,
  kDecimal = 9,   ///< Scaled integer of 16, 32, 64 or 128 bits by its width.
  kVarchar = 10,  ///< UTF-8.
  kBlob = 11,
  kDate = 12,       ///< int32 days since 1970-01-01.
  kTime = 13,       ///< int64 microseconds since midnight.
  kTimestamp = 14,  ///< int64 microseconds since 1970-01-01 00:00:00.
  kInterval = 15,   ///< Months, days and microseconds.
  kUuid = 16,  ///< 128 bits, the highest inverted, so that the order of signed integers is that of UUIDs.
  kTimestampTz = 17,  ///< TIMESTAMP WITH TIME ZONE: int64 microseconds since 1970-01-01 00:00:00 UTC.
  kJson = 18,         ///< The text of a JSON value, as it was written.
  kJsonb = 19,  ///< The same in a normal form: equal values have equal texts, up to how numbers are written.
};

/// Months, days and microseconds, kept apart as PostgreSQL does. 16 bytes.
struct Interval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t micros = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};
static_assert(sizeof(Interval) == 16);

/// A SQL type with its parameters. Immutable, cheap to copy, usable from any thread.
class SCAUP_API LogicalType {
 public:
  static constexpr uint8_t kMaxDecimalWidth = 38;

  constexpr LogicalType() = default;
  // Implicit on purpose: TypeId::kInteger is a whole type for all but DECIMAL.
  constexpr LogicalType(TypeId id) : id_(id) {}  // NOLINT(google-explicit-constructor)
  /// REQUIRES: 1 <= width <= 38, scale <= width.
  static constexpr LogicalType Decimal(uint8_t width, uint8_t scale) {
    LogicalType type(TypeId::kDecimal);
    type.width_ = width;
    type.scale_ = scale;
    return type;
  }

  constexpr TypeId id() const { return id_; }
  /// Total digits and digits after the point of a DECIMAL; 0 for other types.
  constexpr uint8_t width() const { return width_; }
  constexpr uint8_t scale() const { return scale_; }

  /// TINYINT .. HUGEINT.
  constexpr bool IsInteger() const { return id_ >= TypeId::kTinyInt && id_ <= TypeId::kHugeInt; }
  constexpr bool IsFloating() const { return id_ == TypeId::kReal || id_ == TypeId::kDouble; }
  constexpr bool IsNumeric() const { return id_ >= TypeId::kTinyInt && id_ <= TypeId::kDecimal; }

  /// SQL's name for it: "INTEGER", "DECIMAL(15,2)".
  std::string ToString() const;

  friend constexpr bool operator==(const LogicalType&, const LogicalType&) = default;

 private:
  TypeId id_ = TypeId::kNull;
  uint8_t width_ = 0;
  uint8_t scale_ = 0;
};

}  // namespace scaup
