// SQL types: LogicalType is a small, copyable and comparable value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scaup/export.hpp"

namespace scaup {

__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;

/// The SQL types. The numbers are persisted and public: they never change and are never reused.
enum class TypeId : uint8_t {
  kNull = 0,  ///< The type of a bare NULL, and of a parameter whose type is not known yet.
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
  kJsonb = 19,     ///< JSON in a normal form: equal values have equal texts, up to how numbers are written.
  kList = 20,      ///< T[]: any number of values of one type, NULLs among them. Also MAP: see IsMap.
  kStruct = 21,    ///< Named fields, each with its own type. Also UNION: see IsUnion.
  kEnum = 22,      ///< One of the labels of CREATE TYPE ... AS ENUM: int16, the position of the label from 0.
  kNumeric = 23,   ///< NUMERIC without digits: an exact number of any length, NaN or an infinity.
  kUTinyInt = 24,  ///< Unsigned integer of 8 bits.
  kUSmallInt = 25,   ///< Unsigned integer of 16 bits.
  kUInteger = 26,    ///< Unsigned integer of 32 bits.
  kUBigInt = 27,     ///< Unsigned integer of 64 bits.
  kBit = 28,         ///< BIT and BIT VARYING: a string of bits, stored in a form whose bytes have its order.
  kTimeTz = 29,      ///< TIME WITH TIME ZONE: int64, see scaup/time_tz.hpp.
  kRange = 30,       ///< All values between two bounds: int4range, daterange and so on. See RangeType.
  kMultirange = 31,  ///< Ranges that neither overlap nor touch, in order: int4multirange and so on.
};

/// Returns whether the type is an unsigned integer, UTINYINT to UBIGINT.
constexpr bool IsUnsigned(TypeId id) { return id >= TypeId::kUTinyInt && id <= TypeId::kUBigInt; }

/// Returns whether the type is a range or a multirange.
constexpr bool IsRangeOrMultirange(TypeId id) { return id == TypeId::kRange || id == TypeId::kMultirange; }

/// Returns whether values consist of others, which Value::GetElements returns: lists, structs, ranges and
/// multiranges.
constexpr bool IsPacked(TypeId id) {
  return id == TypeId::kList || id == TypeId::kStruct || IsRangeOrMultirange(id);
}

/// An interval: months, days and microseconds, which are not converted into each other, as in PostgreSQL.
struct Interval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t micros = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};
static_assert(sizeof(Interval) == 16);

struct StructField;

/// A SQL type with its parameters. Cheap to copy: the element, fields or labels of a list, struct, range or
/// enum are immutable and shared by all copies. Const access from any thread.
class SCAUP_API LogicalType {
 public:
  static constexpr uint8_t kMaxDecimalWidth = 38;
  /// The maximum depth of nested lists and structs.
  static constexpr size_t kMaxNesting = 32;
  /// The maximum number of members of a union.
  static constexpr size_t kMaxMembers = 127;
  /// Limits of an enum: its number of labels, and the bytes of one label.
  static constexpr size_t kMaxLabels = 32767;
  static constexpr size_t kMaxLabelBytes = 63;

  constexpr LogicalType() = default;
  // Implicit on purpose: TypeId::kInteger is a whole type for all but DECIMAL, lists, structs, ranges and
  // enums.
  constexpr LogicalType(TypeId id) : id_(id) {}  // NOLINT(google-explicit-constructor)
  constexpr LogicalType(const LogicalType& other) noexcept { *this = other; }
  constexpr LogicalType& operator=(const LogicalType& other) noexcept {
    if (other.nested_ != nullptr) other.Retain();
    if (nested_ != nullptr) Release();
    id_ = other.id_;
    width_ = other.width_;
    scale_ = other.scale_;
    modifier_ = other.modifier_;
    nested_ = other.nested_;
    return *this;
  }
  constexpr ~LogicalType() {
    if (nested_ != nullptr) Release();
  }
  /// Returns the type `element`[]. Throws Error(kNotSupported) beyond kMaxNesting.
  static LogicalType List(const LogicalType& element);
  /// Returns the type MAP(`key`, `mapped`): a list of its entries, which are structs of `key` and `value`, in
  /// which no key is NULL or comes twice. Throws Error(kNotSupported) beyond kMaxNesting.
  static LogicalType Map(const LogicalType& key, const LogicalType& mapped);
  /// Returns a struct type. Throws Error(kNotSupported) beyond kMaxNesting. REQUIRES: at least one field.
  static LogicalType Struct(std::vector<StructField> fields);
  /// Returns an enum type. `name` is as SQL writes it, with schema and quotes if it needs them. Throws
  /// Error(kNotSupported) for more than kMaxLabels labels.
  static LogicalType Enum(std::string name, std::vector<std::string> labels);
  /// Returns a DECIMAL type. REQUIRES: 1 <= width <= 38, scale <= width.
  static constexpr LogicalType Decimal(uint8_t width, uint8_t scale) {
    LogicalType type(TypeId::kDecimal);
    type.width_ = width;
    type.scale_ = scale;
    return type;
  }

  constexpr TypeId id() const { return id_; }
  /// Returns the total digits of a DECIMAL, and its digits after the point; 0 for other types.
  constexpr uint8_t width() const { return width_; }
  constexpr uint8_t scale() const { return scale_; }

  // References are valid as long as any copy of this type.

  /// Returns the type of a list's elements, or of a multirange's ranges. REQUIRES: kList or kMultirange.
  const LogicalType& element() const;
  /// Returns the fields of a struct, in order; of a union, the tag and the members; of a range, its parts.
  /// REQUIRES: kStruct or kRange.
  const std::vector<StructField>& fields() const;
  // The four functions for enums. REQUIRES: kEnum; position < label_count().
  const std::string& enum_name() const;
  size_t label_count() const;
  const std::string& label(size_t position) const;
  /// Returns the position of a label; nullopt if there is none.
  std::optional<size_t> FindLabel(std::string_view label) const;
  /// Returns whether the type is a list or struct. A range is one value, though it has parts: see IsPacked.
  constexpr bool IsNested() const { return id_ == TypeId::kList || id_ == TypeId::kStruct; }

  /// Returns whether the type is an integer, TINYINT to HUGEINT or UTINYINT to UBIGINT. DECIMAL is not.
  constexpr bool IsInteger() const {
    return (id_ >= TypeId::kTinyInt && id_ <= TypeId::kHugeInt) || IsUnsigned(id_);
  }
  constexpr bool IsFloating() const { return id_ == TypeId::kReal || id_ == TypeId::kDouble; }
  constexpr bool IsNumeric() const {
    return (id_ >= TypeId::kTinyInt && id_ <= TypeId::kDecimal) || id_ == TypeId::kNumeric || IsUnsigned(id_);
  }

  /// Returns the type's SQL name, such as "INTEGER", "DECIMAL(15,2)", "NUMERIC", "VARCHAR[]", "STRUCT(a
  /// INTEGER, b VARCHAR)" or "mood" for an enum.
  std::string ToString() const;

  /// The bits of a modifier, such as the length of VARCHAR(n); 0 for none. Types that differ only in it are
  /// equal.
  friend constexpr uint32_t ModifierBits(const LogicalType& type);
  friend constexpr LogicalType WithModifierBits(LogicalType type, uint32_t bits);

  friend SCAUP_API bool IsMap(const LogicalType& type);
  friend SCAUP_API bool IsUnion(const LogicalType& type);
  friend SCAUP_API LogicalType UnionType(const std::vector<StructField>& members);
  friend SCAUP_API LogicalType RangeType(const LogicalType& bound);
  friend SCAUP_API LogicalType MultirangeType(const LogicalType& bound);

  /// A map is not equal to a list, nor a union to a struct. Structs are equal if the names and types of their
  /// fields are equal, enums if name and labels are.
  friend constexpr bool operator==(const LogicalType& a, const LogicalType& b) {
    return a.id_ == b.id_ && a.width_ == b.width_ && a.scale_ == b.scale_ &&
           (a.nested_ == b.nested_ || HaveEqualFields(a, b));
  }

 private:
  struct Nested;  // fields or labels, and the number of types that share them
  static LogicalType MakeNested(TypeId id, std::vector<StructField> fields);
  static bool HaveEqualFields(const LogicalType& a, const LogicalType& b);
  void Retain() const;
  void Release();

  TypeId id_ = TypeId::kNull;
  uint8_t width_ = 0;
  uint8_t scale_ = 0;
  uint32_t modifier_ = 0;
  Nested* nested_ = nullptr;  // for lists, structs, ranges and enums: shared, immutable; null for others
};

constexpr uint32_t ModifierBits(const LogicalType& type) { return type.modifier_; }
constexpr LogicalType WithModifierBits(LogicalType type, uint32_t bits) {
  type.modifier_ = bits;
  return type;
}

/// Returns whether the type is a MAP. Its id is kList, and its elements are its entries, structs of key and
/// value.
SCAUP_API bool IsMap(const LogicalType& type);
/// Returns whether the type is a UNION. Its id is kStruct, and its first field is the tag, a UTINYINT without
/// a name.
SCAUP_API bool IsUnion(const LogicalType& type);
/// Returns whether the type is a UNION, or has one within it.
SCAUP_API bool HasUnion(const LogicalType& type);

/// A field of a struct.
struct SCAUP_API StructField {
  std::string name;
  LogicalType type;
  friend bool operator==(const StructField&, const StructField&) = default;
};

/// Returns the type of a map's keys, and that of its values. REQUIRES: IsMap(map).
SCAUP_API const LogicalType& MapKeyType(const LogicalType& map);
SCAUP_API const LogicalType& MapValueType(const LogicalType& map);
/// Returns the type of the same kind, a list or a map, with other elements. REQUIRES: kList; for a map, the
/// element is a struct of two fields.
SCAUP_API LogicalType WithElement(const LogicalType& list, const LogicalType& element);
/// Returns the type UNION(`members`): a struct of the tag, the position of the member that a value has, and
/// of the members, of which at most that one is not NULL. Throws Error(kNotSupported) beyond kMaxNesting or
/// kMaxMembers. REQUIRES: at least one member.
SCAUP_API LogicalType UnionType(const std::vector<StructField>& members);
/// Returns the members of a union, without the tag. Valid as long as any copy of the type. REQUIRES: IsUnion.
SCAUP_API std::span<const StructField> UnionMembers(const LogicalType& type);
/// Returns the position of a member, counted from 0; nullopt if there is none. REQUIRES: IsUnion(type).
SCAUP_API std::optional<size_t> FindMember(const LogicalType& type, std::string_view name);
/// Returns the type of the same kind, a struct or a union, with other fields. REQUIRES: kStruct; for a union,
/// the first field is the tag.
SCAUP_API LogicalType WithFields(const LogicalType& structure, std::vector<StructField> fields);

/// Returns the type of ranges, or of multiranges, between bounds of a type: INTEGER, BIGINT, NUMERIC, DATE,
/// TIMESTAMP or TIMESTAMP WITH TIME ZONE. A range has five parts, which Value::GetElements returns:
///   kind TINYINT       0 if it is empty, 1 if it has no lower bound, 2 if it has one
///   lower              the lower bound, or NULL
///   lower_exc BOOLEAN  whether the range does not contain its lower bound; true if there is none
///   upper              the upper bound, or NULL
///   upper_inc BOOLEAN  whether the range contains its upper bound; false if there is none
/// Ranges of whole numbers and days are kept as [lower, upper). A multirange has ranges as elements.
SCAUP_API LogicalType RangeType(const LogicalType& bound);
SCAUP_API LogicalType MultirangeType(const LogicalType& bound);
/// Returns the type of the bounds of a range or multirange. REQUIRES: kRange or kMultirange.
SCAUP_API const LogicalType& RangeBoundType(const LogicalType& type);

}  // namespace scaup
