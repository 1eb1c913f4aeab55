// Conversion between scaup_value and scaup::Value, and reading of values in columns.
#include "value.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "edge.hpp"

namespace scaup::c {

// The memory of columns is handed out as it is.
static_assert(sizeof(scaup_int128) == sizeof(int128_t) && sizeof(scaup_interval) == sizeof(Interval));
static_assert(sizeof(scaup_string) == 16 && offsetof(scaup_string, tail) == 8);
static_assert(sizeof(scaup_value) == 72 && sizeof(scaup_column) == 56);

namespace {

/// The digits of the widest DECIMAL that is stored in 64 bits.
constexpr uint8_t kMostDigits64 = 18;

int128_t Join(const scaup_int128& parts) {
  return static_cast<int128_t>(static_cast<uint128_t>(parts.high) << 64 | parts.low);
}

scaup_int128 Split(int128_t number) {
  return {static_cast<uint64_t>(number), static_cast<int64_t>(number >> 64)};
}

/// A UUID is stored with its highest bit inverted, and given as it is.
int128_t InvertHighest(int128_t bits) {
  return static_cast<int128_t>(static_cast<uint128_t>(bits) ^ uint128_t{1} << 127);
}

bool Has128Bits(TypeId id, uint8_t width) {
  return id == TypeId::kHugeInt || id == TypeId::kUBigInt || id == TypeId::kUuid ||
         (id == TypeId::kDecimal && width > kMostDigits64);
}

bool IsText(TypeId id) {
  return id == TypeId::kVarchar || id == TypeId::kBlob || id == TypeId::kJson || id == TypeId::kJsonb;
}

scaup_value Typed(const LogicalType& type, bool is_null) {
  scaup_value value = {};
  value.type = static_cast<scaup_type_id>(type.id());
  value.width = type.width();
  value.scale = type.scale();
  value.is_null = is_null || type.id() == TypeId::kNull;
  return value;
}

void SetInteger(const LogicalType& type, int128_t stored, scaup_value& value) {
  if (Has128Bits(type.id(), type.width())) {
    value.huge = Split(type.id() == TypeId::kUuid ? InvertHighest(stored) : stored);
    return;
  }
  value.integer = static_cast<int64_t>(stored);
  if (type.id() != TypeId::kEnum) return;
  const std::string& label = type.label(static_cast<size_t>(stored));
  value.bytes = label.data();
  value.size = label.size();
}

template <typename T>
T Load(const ColumnView& column, size_t row) {
  T stored;
  std::memcpy(&stored, static_cast<const T*>(column.data) + row, sizeof(stored));
  return stored;
}

int128_t LoadUnsigned(const ColumnView& column, size_t row) {
  switch (column.value_bytes) {
    case 1: return Load<uint8_t>(column, row);
    case 2: return Load<uint16_t>(column, row);
    case 4: return Load<uint32_t>(column, row);
    default: return Load<uint64_t>(column, row);
  }
}

int128_t LoadInteger(const ColumnView& column, size_t row) {
  if (scaup::IsUnsigned(column.type.id())) return LoadUnsigned(column, row);
  switch (column.value_bytes) {
    case 1: return Load<int8_t>(column, row);
    case 2: return Load<int16_t>(column, row);
    case 4: return Load<int32_t>(column, row);
    case 8: return Load<int64_t>(column, row);
    default: return Load<int128_t>(column, row);
  }
}

Value RealOf(double number) {
  if (std::isfinite(number) && std::fabs(number) > std::numeric_limits<float>::max())
    ThrowUsage("22003", "the number is out of the range of REAL");
  return Value::Real(static_cast<float>(number));
}

/// Returns the type that a value names. Throws Error(kUsage) if a value cannot be made of it.
LogicalType TypeOf(const scaup_value& value) {
  if (value.type < SCAUP_TYPE_NULL || value.type > SCAUP_TYPE_MULTIRANGE)
    ThrowUsage("42804", "there is no type " + std::to_string(value.type));
  const auto id = static_cast<TypeId>(value.type);
  if (scaup::IsPacked(id) || id == TypeId::kEnum)
    ThrowUsage("42804", "give lists, structs, ranges and enums as text, with type SCAUP_TYPE_VARCHAR");
  // Value::Decimal checks width and scale.
  return id == TypeId::kDecimal ? Value::Decimal(0, value.width, value.scale).type() : LogicalType(id);
}

std::string BytesOf(const scaup_value& value) {
  if (value.type == SCAUP_TYPE_BLOB && value.size == SCAUP_NUL_TERMINATED)
    ThrowUsage("22023", "give the number of bytes of a BLOB");
  return std::string(TextOf(value.bytes, value.size));
}

}  // namespace

/// Returns whether values are read as text, or by elements, alone.
bool HasNoMemory(const LogicalType& type) {
  return scaup::IsPacked(type.id()) || type.id() == TypeId::kNumeric || type.id() == TypeId::kBit;
}

int128_t IntegerOf(const scaup_value& value) {
  return Has128Bits(static_cast<TypeId>(value.type), value.width) ? Join(value.huge) : value.integer;
}

Value ToValue(const scaup_value& value) {
  const LogicalType type = TypeOf(value);
  if (type.id() == TypeId::kNull || value.is_null) return Value(type);
  if (IsText(type.id())) return Value::FromBytes(type, BytesOf(value));
  if (type.id() == TypeId::kNumeric) return MakeNumeric(BytesOf(value));
  if (type.id() == TypeId::kBit) return MakeBit(BytesOf(value));
  switch (type.id()) {
    case TypeId::kReal: return RealOf(value.real);
    case TypeId::kDouble: return Value::Double(value.real);
    case TypeId::kInterval:
      return Value::MakeInterval({value.interval.months, value.interval.days, value.interval.micros});
    case TypeId::kUuid: return Value::Uuid(static_cast<uint128_t>(Join(value.huge)));
    default: return Value::FromInteger(type, IntegerOf(value));
  }
}

Value TextValue(const char* text, size_t length) { return Value::Varchar(std::string(TextOf(text, length))); }

Value BlobValue(const void* bytes, size_t size) {
  scaup_value value = {};
  value.type = SCAUP_TYPE_BLOB;
  value.bytes = static_cast<const char*>(bytes);
  value.size = size;
  return ToValue(value);
}

scaup_value FromValue(const Value& value) {
  const LogicalType& type = value.type();
  scaup_value read = Typed(type, value.is_null());
  if (read.is_null || HasNoMemory(type)) return read;
  if (IsText(type.id())) {
    read.bytes = value.GetString().data();
    read.size = value.GetString().size();
  } else if (type.IsFloating()) {
    read.real = value.GetDouble();
  } else if (type.id() == TypeId::kInterval) {
    const Interval interval = value.GetInterval();
    read.interval = {interval.months, interval.days, interval.micros};
  } else {
    SetInteger(type, value.GetInteger(), read);
  }
  return read;
}

scaup_value ReadValue(const ColumnView& column, size_t row) {
  const TypeId id = column.type.id();
  scaup_value read = Typed(column.type, column.nulls != nullptr && column.nulls[row] != 0);
  if (read.is_null || HasNoMemory(column.type)) return read;
  if (IsText(id)) {
    const scaup_string* string = static_cast<const scaup_string*>(column.data) + row;
    read.bytes = scaup_string_data(string);
    read.size = string->size;
  } else if (id == TypeId::kReal) {
    read.real = Load<float>(column, row);
  } else if (id == TypeId::kDouble) {
    read.real = Load<double>(column, row);
  } else if (id == TypeId::kInterval) {
    read.interval = Load<scaup_interval>(column, row);
  } else {
    SetInteger(column.type, LoadInteger(column, row), read);
  }
  return read;
}

}  // namespace scaup::c
