// Makes, reads and prints single values.
#include "scaup/value.hpp"

#include <limits>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/int128.hpp"
#include "type/packed_value.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowWrongAccess(const Value& value, const char* wanted) {
  throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
              value.is_null()
                  ? fmt::format("a NULL of type {} was read as {}; test is_null() first",
                                value.type().ToString(), wanted)
                  : fmt::format("a value of type {} was read as {}", value.type().ToString(), wanted));
}

void AppendPart(const LogicalType& type, const Value& value, std::string& slots) {
  if (!value.is_null() && !(value.type() == type)) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("a value of type {} was given for one of type {}; cast it first",
                            value.type().ToString(), type.ToString()));
  }
  AppendValueSlot(type, value, slots);
}

}  // namespace

Value Value::FromInteger(LogicalType type, int128_t stored) {
  Value value(type);
  value.data_ = stored;
  return value;
}

Value Value::Boolean(bool value) { return FromInteger(TypeId::kBoolean, value ? 1 : 0); }
Value Value::TinyInt(int8_t value) { return FromInteger(TypeId::kTinyInt, value); }
Value Value::SmallInt(int16_t value) { return FromInteger(TypeId::kSmallInt, value); }
Value Value::Integer(int32_t value) { return FromInteger(TypeId::kInteger, value); }
Value Value::BigInt(int64_t value) { return FromInteger(TypeId::kBigInt, value); }
Value Value::HugeInt(int128_t value) { return FromInteger(TypeId::kHugeInt, value); }
Value Value::Decimal(int128_t unscaled, uint8_t width, uint8_t scale) {
  return FromInteger(LogicalType::Decimal(width, scale), unscaled);
}
Value Value::Date(int32_t days_since_epoch) { return FromInteger(TypeId::kDate, days_since_epoch); }
Value Value::Time(int64_t micros_since_midnight) { return FromInteger(TypeId::kTime, micros_since_midnight); }
Value Value::Timestamp(int64_t micros_since_epoch) {
  return FromInteger(TypeId::kTimestamp, micros_since_epoch);
}

Value Value::Real(float value) {
  Value result((LogicalType(TypeId::kReal)));
  result.data_ = static_cast<double>(value);
  return result;
}

Value Value::Double(double value) {
  Value result((LogicalType(TypeId::kDouble)));
  result.data_ = value;
  return result;
}

Value Value::FromBytes(LogicalType type, std::string bytes) {
  Value result(type);
  result.data_ = std::move(bytes);
  return result;
}

Value Value::TimestampTz(int64_t micros_since_epoch) {
  return FromInteger(TypeId::kTimestampTz, micros_since_epoch);
}

Value Value::Uuid(uint128_t bits) { return FromInteger(TypeId::kUuid, UuidFromBits(bits)); }

Value Value::Varchar(std::string text) { return FromBytes(TypeId::kVarchar, std::move(text)); }
Value Value::Blob(std::string bytes) { return FromBytes(TypeId::kBlob, std::move(bytes)); }

Value Value::List(const LogicalType& element, const std::vector<Value>& values) {
  std::string slots;
  for (const Value& value : values) AppendPart(element, value, slots);
  return FromBytes(LogicalType::List(element), std::move(slots));
}

Value Value::Struct(const LogicalType& type, const std::vector<Value>& values) {
  if (type.id() != TypeId::kStruct || values.size() != type.fields().size()) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("{} values were given for the type {}", values.size(), type.ToString()));
  }
  std::string slots;
  for (size_t i = 0; i < values.size(); i++) AppendPart(type.fields()[i].type, values[i], slots);
  return FromBytes(type, std::move(slots));
}

Value Value::MakeInterval(Interval interval) {
  Value result((LogicalType(TypeId::kInterval)));
  result.data_ = interval;
  return result;
}

int128_t Value::GetInteger() const {
  if (const auto* value = std::get_if<int128_t>(&data_)) return *value;
  ThrowWrongAccess(*this, "an integer");
}

int64_t Value::GetBigInt() const {
  const int128_t value = GetInteger();
  if (value < std::numeric_limits<int64_t>::min() || value > std::numeric_limits<int64_t>::max()) {
    throw Error(
        ErrorKind::kUsage, sqlstate::kNumericOutOfRange,
        fmt::format("the value {} does not fit 64 bits; read it with GetInteger()", scaup::ToString(value)));
  }
  return static_cast<int64_t>(value);
}

double Value::GetDouble() const {
  if (const auto* value = std::get_if<double>(&data_)) return *value;
  ThrowWrongAccess(*this, "a floating-point number");
}

const std::string& Value::GetString() const {
  if (const auto* value = std::get_if<std::string>(&data_)) return *value;
  ThrowWrongAccess(*this, "a string");
}

Interval Value::GetInterval() const {
  if (const auto* value = std::get_if<Interval>(&data_)) return *value;
  ThrowWrongAccess(*this, "an interval");
}

std::vector<Value> Value::GetElements() const {
  if (!type_.IsNested() || is_null()) ThrowWrongAccess(*this, "a list or struct");
  std::vector<Value> values;
  std::string_view bytes = GetString();
  if (type_.id() == TypeId::kList) {
    const LogicalType& element = type_.element();
    while (!bytes.empty()) values.push_back(ReadValueSlot(element, TakeSlot(element, bytes)));
  } else {
    for (const StructField& field : type_.fields())
      values.push_back(ReadValueSlot(field.type, TakeSlot(field.type, bytes)));
  }
  return values;
}

std::string Value::ToString() const {
  if (is_null()) return "NULL";
  Value text;
  if (!CastValue(*this, TypeId::kVarchar, text))
    ThrowInternal("a value of type " + type_.ToString() + " has no text");
  return text.GetString();
}

}  // namespace scaup
