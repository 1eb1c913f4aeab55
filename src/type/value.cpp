// Makes, reads and prints single values.
#include "scaup/value.hpp"

#include <limits>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/int128.hpp"
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

Value Value::Varchar(std::string text) { return FromBytes(TypeId::kVarchar, std::move(text)); }

Value Value::Blob(std::string bytes) { return FromBytes(TypeId::kBlob, std::move(bytes)); }

Value Value::TimestampTz(int64_t micros_since_epoch) {
  return FromInteger(TypeId::kTimestampTz, micros_since_epoch);
}

Value Value::Uuid(uint128_t bits) { return FromInteger(TypeId::kUuid, UuidFromBits(bits)); }

Value Value::FromBytes(LogicalType type, std::string bytes) {
  Value result(type);
  result.data_ = std::move(bytes);
  return result;
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

std::string Value::ToString() const {
  if (is_null()) return "NULL";
  Value text;
  if (!CastValue(*this, TypeId::kVarchar, text))
    ThrowInternal("a value of type " + type_.ToString() + " has no text");
  return text.GetString();
}

}  // namespace scaup
