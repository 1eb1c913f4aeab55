// Construction, access and printing of single values.
#include "scaup/value.hpp"

#include <limits>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "scaup/time_tz.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/numeric_value.hpp"
#include "type/number/stored_text.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"
#include "type/time/date_time.hpp"
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

[[noreturn]] void ThrowNotInType(const char* sqlstate, const std::string& what, const LogicalType& type) {
  throw Error(ErrorKind::kUsage, sqlstate, fmt::format("{} is no value of type {}", what, type.ToString()));
}

/// Returns "the stored integer 7", for messages.
std::string StoredInteger(int128_t stored) { return "the stored integer " + ToString(stored); }

void CheckDecimal(const LogicalType& type, int128_t unscaled) {
  const int width = type.width(), scale = type.scale();
  if (width < 1 || width > LogicalType::kMaxDecimalWidth || scale > width) {
    throw Error(
        ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
        fmt::format("there is no type DECIMAL({},{}): the width is 1 to {}, the scale at most the width",
                    width, scale, LogicalType::kMaxDecimalWidth));
  }
  const int128_t end = PowerOfTen(type.width());
  if (unscaled <= -end || unscaled >= end)
    ThrowNotInType(sqlstate::kNumericOutOfRange, "the unscaled integer " + ToString(unscaled), type);
}

/// Whether the integer is a valid date or time of the given type.
bool IsMoment(TypeId id, int64_t stored) {
  switch (id) {
    case TypeId::kDate: {
      const auto days = static_cast<int32_t>(stored);
      return days == stored && (IsInfiniteDate(days) || IsDateInRange(days));
    }
    case TypeId::kTime: return stored >= 0 && stored <= kMicrosPerDay;  // 24:00:00 is a valid time
    case TypeId::kTimeTz: {
      const TimeTz time = LoadTimeTz(stored);
      return time.micros >= 0 && time.micros <= kMicrosPerDay && time.offset_seconds >= -kMaxTimeTzOffset &&
             time.offset_seconds <= kMaxTimeTzOffset;
    }
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: return IsInfiniteTimestamp(stored) || IsTimestampInRange(stored);
    default: return true;
  }
}

template <typename T>
bool FitsIn(int128_t stored) {
  return stored >= std::numeric_limits<T>::min() && stored <= std::numeric_limits<T>::max();
}

/// Whether the physical type can store the integer.
bool FitsStorage(PhysicalType type, int128_t stored) {
  switch (type) {
    case PhysicalType::kBool: return stored == 0 || stored == 1;
    case PhysicalType::kInt8: return FitsIn<int8_t>(stored);
    case PhysicalType::kInt16: return FitsIn<int16_t>(stored);
    case PhysicalType::kInt32: return FitsIn<int32_t>(stored);
    case PhysicalType::kInt64: return FitsIn<int64_t>(stored);
    case PhysicalType::kInt128: return true;
    case PhysicalType::kUInt8: return FitsIn<uint8_t>(stored);
    case PhysicalType::kUInt16: return FitsIn<uint16_t>(stored);
    case PhysicalType::kUInt32: return FitsIn<uint32_t>(stored);
    case PhysicalType::kUInt64: return FitsIn<uint64_t>(stored);
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kString:
    case PhysicalType::kInterval: break;
  }
  return false;
}

bool IsStoredAsInteger(const LogicalType& type) {
  if (type.id() == TypeId::kNull) return false;
  if (type.id() == TypeId::kDecimal) return true;  // CheckDecimal checks the width
  return FitsStorage(PhysicalTypeOf(type), 0);
}

void CheckInteger(const LogicalType& type, int128_t stored) {
  if (!IsStoredAsInteger(type)) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("a value of type {} cannot be made of an integer", type.ToString()));
  }
  if (type.id() == TypeId::kDecimal) return CheckDecimal(type, stored);
  const bool is_moment = type.id() == TypeId::kDate || type.id() == TypeId::kTime ||
                         type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz ||
                         type.id() == TypeId::kTimeTz;
  const char* code = is_moment ? sqlstate::kDatetimeOverflow : sqlstate::kNumericOutOfRange;
  if (!FitsStorage(PhysicalTypeOf(type), stored)) ThrowNotInType(code, StoredInteger(stored), type);
  if (is_moment && !IsMoment(type.id(), static_cast<int64_t>(stored)))
    ThrowNotInType(code, StoredInteger(stored), type);
  if (type.id() == TypeId::kEnum && (stored < 0 || stored >= static_cast<int128_t>(type.label_count())))
    ThrowNotInType(code, "the position " + ToString(stored), type);
}

/// Whether the bytes are a valid slot, NULL or not, of a type other than a list or struct.
bool IsPlainSlot(const LogicalType& type, std::string_view slot) {
  if (IsNullSlot(slot)) return slot.find_first_not_of('\0', 1) == std::string_view::npos;
  if (slot[0] != kSlotValue) return false;
  ReadValueSlot(type, slot);  // throws for an invalid value
  return true;
}

bool AreSlots(const LogicalType& type, std::string_view bytes);

bool IsSlot(const LogicalType& type, std::string_view slot) {
  if (!IsPacked(type.id())) return IsPlainSlot(type, slot);
  if (IsNullSlot(slot)) return slot.size() == 1;
  return slot[0] == kSlotValue && AreSlots(type, ReadNestedSlot(type, slot));
}

/// Whether the bytes have the form of a list, struct, range or multirange. The recursion is bounded by the
/// depth limit of types.
bool AreSlots(const LogicalType& type, std::string_view bytes) {
  const std::string_view whole = bytes;
  if (type.id() == TypeId::kList || type.id() == TypeId::kMultirange) {
    while (!bytes.empty()) {
      if (!IsSlot(type.element(), TakeSlot(type.element(), bytes))) return false;
    }
    if (type.id() == TypeId::kMultirange) return IsNormalRange(type, whole);
    return !IsMap(type) || HasGoodKeys(type, whole);
  }
  if (IsUnion(type) && !IsGoodUnion(type, bytes)) return false;
  for (const StructField& field : type.fields()) {
    if (bytes.empty() || !IsSlot(field.type, TakeSlot(field.type, bytes))) return false;
  }
  return bytes.empty() && (type.id() != TypeId::kRange || IsNormalRange(type, whole));
}

void CheckBytes(const LogicalType& type, std::string_view bytes) {
  if (type.id() == TypeId::kNull || type.id() == TypeId::kDecimal ||
      PhysicalTypeOf(type) != PhysicalType::kString) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("a value of type {} cannot be made of bytes", type.ToString()));
  }
  if (HasStoredForm(type) && !IsStoredForm(type, bytes)) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("the bytes given for a {} are not in the form of one; Make{} makes it of a text",
                            type.ToString(), type.id() == TypeId::kBit ? "Bit" : "Numeric"));
  }
  if (!IsPacked(type.id())) return;
  bool is_whole = false;
  try {
    is_whole = AreSlots(type, bytes);
  } catch (const Error&) {
    // The bytes end within a value or hold an invalid one.
  }
  if (!is_whole) {
    throw Error(
        ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
        fmt::format("the bytes given for a value of type {} are not in the form of one; Value::List and "
                    "Value::Struct make them of values",
                    type.ToString()));
  }
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
  CheckInteger(type, stored);
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
  CheckBytes(type, bytes);
  Value result(type);
  result.data_ = Bytes{std::move(bytes)};
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
  if (const auto* value = std::get_if<Bytes>(&data_)) return value->bytes;
  ThrowWrongAccess(*this, "a string");
}

Interval Value::GetInterval() const {
  if (const auto* value = std::get_if<Interval>(&data_)) return *value;
  ThrowWrongAccess(*this, "an interval");
}

std::vector<Value> Value::GetElements() const {
  if (!IsPacked(type_.id()) || is_null()) ThrowWrongAccess(*this, "a list or struct");
  std::vector<Value> values;
  std::string_view bytes = GetString();
  if (type_.id() == TypeId::kList || type_.id() == TypeId::kMultirange) {
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

Value MakeNumeric(std::string_view text) {
  std::string bytes;
  const NumericParse parsed = ParseStoredNumeric(text, bytes);
  if (parsed != NumericParse::kOk) {
    constexpr size_t kMostBytes = 60;
    ThrowNotInType(
        parsed == NumericParse::kOutOfRange ? sqlstate::kNumericOutOfRange
                                            : sqlstate::kInvalidTextRepresentation,
        fmt::format("the text \"{}{}\"", text.substr(0, kMostBytes), text.size() > kMostBytes ? "..." : ""),
        TypeId::kNumeric);
  }
  return Value::FromBytes(TypeId::kNumeric, std::move(bytes));
}

Value MakeBit(std::string_view text) {
  std::string bytes;
  if (!ParseStoredForm(TypeId::kBit, text, bytes)) {
    constexpr size_t kMostBytes = 60;
    ThrowNotInType(
        sqlstate::kInvalidTextRepresentation,
        fmt::format("the text \"{}{}\"", text.substr(0, kMostBytes), text.size() > kMostBytes ? "..." : ""),
        TypeId::kBit);
  }
  return Value::FromBytes(TypeId::kBit, std::move(bytes));
}

Value MakeMap(const LogicalType& type, const std::vector<Value>& keys, const std::vector<Value>& values) {
  if (!IsMap(type) || keys.size() != values.size()) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("{} keys and {} values were given for the type {}", keys.size(), values.size(),
                            type.ToString()));
  }
  std::string slots;
  for (size_t i = 0; i < keys.size(); i++) {
    slots += kSlotValue;
    AppendPart(MapKeyType(type), keys[i], slots);
    AppendPart(MapValueType(type), values[i], slots);
  }
  CheckMapKeys(type, slots);
  return Value::FromBytes(type, std::move(slots));
}

Value MakeUnion(const LogicalType& type, size_t member, const Value& value) {
  if (!IsUnion(type) || member >= UnionMembers(type).size()) {
    throw Error(ErrorKind::kUsage, sqlstate::kDatatypeMismatch,
                fmt::format("the type {} has no member at position {}", type.ToString(), member));
  }
  std::string slot, slots;
  AppendPart(UnionMembers(type)[member].type, value, slot);
  AppendUnion(type, member, slot, slots);
  return Value::FromBytes(type, std::move(slots));
}

size_t UnionTag(const Value& value) {
  if (!IsUnion(value.type()) || value.is_null()) ThrowWrongAccess(value, "a union");
  return ReadUnion(value.type(), value.GetString()).member;
}

Value UnionValue(const Value& value) {
  if (!IsUnion(value.type()) || value.is_null()) ThrowWrongAccess(value, "a union");
  const UnionPart part = ReadUnion(value.type(), value.GetString());
  return ReadValueSlot(UnionMembers(value.type())[part.member].type, part.slot);
}

}  // namespace scaup
