// Value: a single SQL value with its type, for parameters, constants, and results that are read by row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scaup/export.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// One value or NULL of one LogicalType. Owns its bytes; copyable; const access from any thread.
class SCAUP_API Value {
 public:
  /// Makes a NULL of unknown type.
  Value() = default;
  /// Makes a NULL of the given type.
  explicit Value(LogicalType null_type) : type_(null_type) {}

  // Functions that make a value of the type in their name.
  static Value Boolean(bool value);
  static Value TinyInt(int8_t value);
  static Value SmallInt(int16_t value);
  static Value Integer(int32_t value);
  static Value BigInt(int64_t value);
  static Value HugeInt(int128_t value);
  static Value Real(float value);
  static Value Double(double value);
  /// Makes a DECIMAL. `unscaled` is the value times 10^scale. Throws Error(kUsage) if it has more digits than
  /// `width`, which is 1 to 38.
  static Value Decimal(int128_t unscaled, uint8_t width, uint8_t scale);
  static Value Varchar(std::string text);
  static Value Blob(std::string bytes);
  // Dates count from 1970-01-01, timestamps from 1970-01-01 00:00:00, and TimestampTz from that moment in
  // UTC. All four throw Error(kUsage) for values out of SQL's range.
  static Value Date(int32_t days_since_epoch);
  static Value Time(int64_t micros_since_midnight);
  static Value Timestamp(int64_t micros_since_epoch);
  static Value MakeInterval(Interval interval);
  static Value TimestampTz(int64_t micros_since_epoch);
  /// Makes a UUID of 128 bits; its first digit is the highest four bits.
  static Value Uuid(uint128_t bits);
  /// Makes a value of any type whose storage is an integer (BOOLEAN .. HUGEINT, DECIMAL, DATE, TIME,
  /// TIMESTAMP with and without time zone, UUID, enums). Throws Error(kUsage) for other types, and for
  /// numbers out of range.
  static Value FromInteger(LogicalType type, int128_t stored);
  /// Makes a value of any type whose storage is bytes (VARCHAR, BLOB, JSON, JSONB, NUMERIC, lists, structs).
  /// Throws Error(kUsage) for other types, and for bytes that are no number, list or struct of this type.
  static Value FromBytes(LogicalType type, std::string bytes);
  /// Makes a list. Throws Error(kUsage) unless each value is NULL or of type `element`.
  static Value List(const LogicalType& element, const std::vector<Value>& values);
  /// Makes a struct of type `type`. Throws Error(kUsage) unless each value is NULL or of its field's type.
  static Value Struct(const LogicalType& type, const std::vector<Value>& values);

  const LogicalType& type() const { return type_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }

  // These functions throw Error(kUsage) for NULL and for values of other types than those that they name.

  /// Returns the stored integer of BOOLEAN, integers, DECIMAL (unscaled), DATE, TIME, TIMESTAMP, UUID (see
  /// TypeId::kUuid) and enums.
  int128_t GetInteger() const;
  bool GetBoolean() const { return GetInteger() != 0; }
  /// Returns the stored integer. Throws Error(kUsage), too, if it has more than 64 bits.
  int64_t GetBigInt() const;
  /// Returns the value of a REAL or DOUBLE.
  double GetDouble() const;
  /// Returns the bytes of VARCHAR, BLOB, JSON or JSONB; of NUMERIC, lists and structs in an internal form
  /// (the digits of a NUMERIC are those of ToString). Valid as long as this Value is neither changed nor
  /// destroyed.
  const std::string& GetString() const;
  Interval GetInterval() const;
  /// Returns the elements of a list, the entries of a map as structs of key and value, or the values of a
  /// struct's fields; of a union, the tag and the values of all members; of a range, its parts; of a
  /// multirange, its ranges.
  std::vector<Value> GetElements() const;

  /// Returns the text as PostgreSQL prints it, TIMESTAMP WITH TIME ZONE in UTC; "NULL" for NULL.
  std::string ToString() const;

  /// Returns whether types and values are equal. NULL equals NULL, unlike in SQL.
  friend bool operator==(const Value& a, const Value& b) { return a.type_ == b.type_ && a.data_ == b.data_; }

 private:
  // A type of our own, for libstdc++ takes a variant of std::string for one that always holds a value. A copy
  // for which there is no memory would be destroyed although it holds none.
  struct Bytes {
    std::string bytes;
    friend bool operator==(const Bytes&, const Bytes&) = default;
  };
  LogicalType type_;
  std::variant<std::monostate, int128_t, double, Bytes, Interval> data_;
};

/// Makes a NUMERIC of a text: "-12.50", "1e-30", "NaN", "Infinity". Throws Error(kUsage) for texts that are
/// no number, and for numbers beyond PostgreSQL's limits: 131072 digits before the point, 16383 after it.
SCAUP_API Value MakeNumeric(std::string_view text);

/// Makes a BIT of a text of zeros and ones. Throws Error(kUsage) for other texts.
SCAUP_API Value MakeBit(std::string_view text);

/// Makes a map of type `type`. Throws Error(kUsage) unless there are as many keys as values, each of its type
/// or, of the values, NULL; Error(kConversion) if a key is NULL or comes twice.
SCAUP_API Value MakeMap(const LogicalType& type, const std::vector<Value>& keys,
                        const std::vector<Value>& values);

/// Makes a union of type `type` that has the member at a position, counted from 0. Throws Error(kUsage)
/// unless there is such a member, and the value is of its type or NULL.
SCAUP_API Value MakeUnion(const LogicalType& type, size_t member, const Value& value);
/// Returns the position of the member that a union has. REQUIRES: a union that is not NULL.
SCAUP_API size_t UnionTag(const Value& value);
/// Returns the value of the member that a union has, which may be NULL. REQUIRES: a union that is not NULL.
SCAUP_API Value UnionValue(const Value& value);

/// Makes a range of type `type` between two bounds; a NULL is none. `brackets` are "[)", "(]", "[]" or "()".
/// Throws Error(kUsage) for bounds of other types, Error(kConversion) if the lower one is greater.
SCAUP_API Value MakeRange(const LogicalType& type, const Value& lower, const Value& upper,
                          std::string_view brackets = "[)");
/// Makes the range of type `type` that has no values. REQUIRES: kRange.
SCAUP_API Value MakeEmptyRange(const LogicalType& type);
/// Makes a multirange of type `type` of what is in any of the ranges. Throws Error(kUsage) for other values.
SCAUP_API Value MakeMultirange(const LogicalType& type, const std::vector<Value>& ranges);

}  // namespace scaup
