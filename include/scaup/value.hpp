// A single SQL value with its type: parameters, constants, and results read row by row.
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
  /// NULL of unknown type.
  Value() = default;
  /// NULL of the given type.
  explicit Value(LogicalType null_type) : type_(null_type) {}

  static Value Boolean(bool value);
  static Value TinyInt(int8_t value);
  static Value SmallInt(int16_t value);
  static Value Integer(int32_t value);
  static Value BigInt(int64_t value);
  static Value HugeInt(int128_t value);
  static Value Real(float value);
  static Value Double(double value);
  /// `unscaled` is the value times 10^scale. Throws Error(kUsage) if it has more digits than width (1 to 38).
  static Value Decimal(int128_t unscaled, uint8_t width, uint8_t scale);
  static Value Varchar(std::string text);
  static Value Blob(std::string bytes);
  static Value Date(int32_t days_since_epoch);
  static Value Time(int64_t micros_since_midnight);
  static Value Timestamp(int64_t micros_since_epoch);
  static Value MakeInterval(Interval interval);
  /// Microseconds since 1970-01-01 00:00:00 UTC. As Date, Time and Timestamp: Error(kUsage) out of range.
  static Value TimestampTz(int64_t micros_since_epoch);
  /// The 128 bits of the UUID, the first digit highest.
  static Value Uuid(uint128_t bits);
  /// A value of any type whose storage is an integer (BOOLEAN .. HUGEINT, DECIMAL, DATE, TIME, TIMESTAMP,
  /// with and without time zone, UUID, enums). Throws Error(kUsage) for another type or what is out of range.
  static Value FromInteger(LogicalType type, int128_t stored);
  /// A value of any type whose storage is bytes (VARCHAR, BLOB, JSON, JSONB, lists, structs). Throws
  /// Error(kUsage) for another type, and for bytes of a list or struct that are not in its form.
  static Value FromBytes(LogicalType type, std::string bytes);
  /// A list. The values are NULL or of type `element`; else throws Error(kUsage).
  static Value List(const LogicalType& element, const std::vector<Value>& values);
  /// A struct of type `type`. The values are NULL or of the types of its fields; else throws Error(kUsage).
  static Value Struct(const LogicalType& type, const std::vector<Value>& values);

  const LogicalType& type() const { return type_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }

  /// The stored integer of BOOLEAN, integers, DECIMAL (unscaled), DATE, TIME, TIMESTAMP and UUID
  /// (TypeId::kUuid). REQUIRES: not NULL, and of such a type; else throws Error(kUsage).
  int128_t GetInteger() const;
  bool GetBoolean() const { return GetInteger() != 0; }
  int64_t GetBigInt() const;
  /// The value of REAL or DOUBLE.
  double GetDouble() const;
  /// The bytes of VARCHAR, BLOB, JSON or JSONB (of lists and structs in a form of their own); valid as long
  /// as this Value.
  const std::string& GetString() const;
  Interval GetInterval() const;
  /// The elements of a list, or the values of a struct's fields.
  /// REQUIRES: not NULL, and of such a type; else throws Error(kUsage).
  std::vector<Value> GetElements() const;

  /// SQL's text form as PostgreSQL prints it, TIMESTAMP WITH TIME ZONE in UTC; "NULL" for NULL.
  std::string ToString() const;

  /// Same type and same value; NULL equals NULL. (SQL comparison is an expression, not this.)
  friend bool operator==(const Value& a, const Value& b) { return a.type_ == b.type_ && a.data_ == b.data_; }

 private:
  LogicalType type_;
  std::variant<std::monostate, int128_t, double, std::string, Interval> data_;
};

}  // namespace scaup
