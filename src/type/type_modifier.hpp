// Modifiers of types: the length of VARCHAR(n), CHAR(n) and BIT(n), the precision of TIMESTAMP(p) and its
// kin, the fields of INTERVAL, the objects that numbers stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scaup/type.hpp"

namespace scaup {

// A modifier limits the values of a column or cast. Types that differ only in it are equal, and no function
// sees it: it belongs to columns and to casts that have just limited a value, as in PostgreSQL.

/// PostgreSQL's limit of the length of VARCHAR(n) and CHAR(n).
inline constexpr int64_t kMaxTextLength = 10'485'760;
/// And that of BIT(n) and BIT VARYING(n).
inline constexpr int64_t kMaxBitLength = 8 * kMaxTextLength;
/// The digits of seconds of all types of times.
inline constexpr int64_t kMaxPrecision = 6;

// PostgreSQL's bits of the fields of INTERVAL.
inline constexpr uint32_t kIntervalMonth = 1 << 1, kIntervalYear = 1 << 2, kIntervalDay = 1 << 3,
                          kIntervalHour = 1 << 10, kIntervalMinute = 1 << 11, kIntervalSecond = 1 << 12;
inline constexpr uint32_t kAllIntervalFields = 0x7FFF;

/// Returns VARCHAR(length). REQUIRES: 1 <= length <= kMaxTextLength.
LogicalType VarcharWithLength(int64_t length);
/// Returns CHAR(length). Its values are stored without the spaces that fill them up, as these count neither
/// in comparisons nor in functions. REQUIRES: as above.
LogicalType CharWithLength(int64_t length);
/// Returns BIT(length), all of whose values have that length. REQUIRES: 1 <= length <= kMaxBitLength.
LogicalType BitWithLength(int64_t length);
/// The modifier of BIT VARYING, to which a length may be added.
inline constexpr uint32_t kVaryingBit = uint32_t{1} << 31;
/// Returns BIT VARYING(length). REQUIRES: as above.
LogicalType VaryingBitWithLength(int64_t length);
/// Returns a time type with a precision, and INTERVAL with fields. REQUIRES: 0 <= precision <= kMaxPrecision.
LogicalType WithPrecision(TypeId id, std::optional<int64_t> precision,
                          uint32_t interval_fields = kAllIntervalFields);
inline LogicalType WithoutModifier(const LogicalType& type) {
  return ModifierBits(type) == 0 ? type : WithModifierBits(type, 0);
}

/// Returns whether types are equal and have the same modifier.
inline bool IsSameDeclaration(const LogicalType& a, const LogicalType& b) {
  return a == b && ModifierBits(a) == ModifierBits(b);
}

/// Returns the length of VARCHAR(n) and CHAR(n); nullopt if there is no limit.
std::optional<uint32_t> TextLengthOf(const LogicalType& type);
/// Returns whether the type is CHAR(n).
bool IsChar(const LogicalType& type);
/// Returns the length of BIT(n) and BIT VARYING(n); nullopt if there is no limit.
std::optional<uint32_t> BitLengthOf(const LogicalType& type);
/// Returns whether the type was declared as BIT VARYING.
bool IsVaryingBit(const LogicalType& type);
std::optional<uint32_t> PrecisionOf(const LogicalType& type);
/// Returns the fields of an INTERVAL as PostgreSQL's bits.
uint32_t IntervalFieldsOf(const LogicalType& type);
/// Returns the fields as in SQL, such as "hour to minute"; "" for all.
std::string IntervalFieldsText(uint32_t fields);
/// Returns the bits of such a text; nullopt if it is none.
std::optional<uint32_t> IntervalFieldsFromText(std::string_view text);

/// The kinds of catalog objects whose OIDs have a type of their own. Such types are BIGINT with the kind as
/// modifier: they compare as numbers, and are written as the object's name.
enum class ObjectNumber : uint32_t { kNone, kClass, kProcedure, kType, kNamespace, kRole };
constexpr LogicalType ObjectNumberType(ObjectNumber kind) {
  return WithModifierBits(TypeId::kBigInt, static_cast<uint32_t>(kind));
}
/// Returns the kind of such a type; kNone for all others.
constexpr ObjectNumber ObjectNumberOf(const LogicalType& type) {
  return type.id() == TypeId::kBigInt ? static_cast<ObjectNumber>(ModifierBits(type)) : ObjectNumber::kNone;
}
/// Returns the type's name, such as "regclass". REQUIRES: not kNone.
const char* ObjectNumberName(ObjectNumber kind);

/// Returns the type's SQL name with its modifier: "VARCHAR(10)", "TIMESTAMP(3) WITH TIME ZONE".
std::string DeclaredTypeName(const LogicalType& type);

/// Rounds microseconds to a precision, half away from zero.
int64_t RoundMicros(int64_t micros, uint32_t precision);

/// Checks the number of a type from a file.
bool IsValidModifier(TypeId id, uint32_t bits);

}  // namespace scaup
