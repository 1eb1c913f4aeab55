// Casts of single values: text to value, value to text, and among numbers and times.
#include "type/value_cast.hpp"

#include <algorithm>

#include "type/json_nested.hpp"
#include "type/nested_text.hpp"
#include "type/number/bit_string.hpp"
#include "type/number/number_cast.hpp"
#include "type/number/numeric_value.hpp"
#include "type/number/stored_text.hpp"
#include "type/physical_type.hpp"
#include "type/range_value.hpp"
#include "type/text/json_text.hpp"
#include "type/time/time_tz.hpp"
#include "type/type_rules.hpp"
#include "type/uuid.hpp"

namespace scaup {

namespace {

template <typename T>
bool ParseIntegerValue(std::string_view text, const LogicalType& type, Value& result) {
  T value;
  if (!ParseInteger(text, value)) return false;
  result = Value::FromInteger(type, value);
  return true;
}

// Adapts a parser that writes a plain number, which `make` boxes.
template <typename T, typename Parse, typename Make>
bool ParseBoxed(std::string_view text, Parse parse, Make make, Value& result) {
  T value;
  if (!parse(text, value)) return false;
  result = make(value);
  return true;
}

// Formats a value that is neither NULL nor a string.
size_t FormatValue(const Value& value, const TimeZone& zone, char* out) {
  switch (value.type().id()) {
    case TypeId::kBoolean: return FormatBoolean(value.GetBoolean(), out);
    case TypeId::kReal: return FormatFloat(static_cast<float>(value.GetDouble()), out);
    case TypeId::kDouble: return FormatDouble(value.GetDouble(), out);
    case TypeId::kDecimal: return FormatDecimal(value.GetInteger(), value.type().scale(), out);
    case TypeId::kDate: return FormatDate(static_cast<int32_t>(value.GetInteger()), out);
    case TypeId::kTime: return FormatTime(value.GetBigInt(), out);
    case TypeId::kTimestamp: return FormatTimestamp(value.GetBigInt(), out);
    case TypeId::kTimeTz: return FormatTimeTz(value.GetBigInt(), out);
    case TypeId::kInterval: return FormatInterval(value.GetInterval(), out);
    case TypeId::kUuid: return FormatUuid(value.GetInteger(), out);
    case TypeId::kTimestampTz: {
      TimeZoneConverter converter(zone);
      return FormatTimestampTz(value.GetBigInt(), converter, out);
    }
    default: return FormatInt128(value.GetInteger(), out);
  }
}

Value TextOf(const Value& value, const TimeZone& zone) {
  if (value.type().IsNested()) return Value::Varchar(NestedToText(value, &zone));
  if (IsRangeOrMultirange(value.type().id()))
    return Value::Varchar(RangeToText(value.type(), value.GetString(), &zone));
  if (value.type().id() == TypeId::kEnum)
    return Value::Varchar(value.type().label(static_cast<size_t>(value.GetInteger())));
  if (value.type().id() == TypeId::kBlob) return Value::Varchar(BlobToString(value.GetString()));
  if (IsJson(value.type())) return Value::Varchar(value.GetString());
  if (HasStoredForm(value.type())) {
    std::string text;
    AppendStoredText(value.type(), value.GetString(), text);
    return Value::Varchar(std::move(text));
  }
  char buffer[kFormatBufferBytes];
  return Value::Varchar(std::string(buffer, FormatValue(value, zone, buffer)));
}

bool FitsInteger(int128_t value, TypeId id) {
  switch (id) {
    case TypeId::kTinyInt: return value == static_cast<int8_t>(value);
    case TypeId::kSmallInt: return value == static_cast<int16_t>(value);
    case TypeId::kInteger: return value == static_cast<int32_t>(value);
    case TypeId::kBigInt: return value == static_cast<int64_t>(value);
    case TypeId::kUTinyInt: return value == static_cast<uint8_t>(value);
    case TypeId::kUSmallInt: return value == static_cast<uint16_t>(value);
    case TypeId::kUInteger: return value == static_cast<uint32_t>(value);
    case TypeId::kUBigInt: return value == static_cast<uint64_t>(value);
    default: return true;
  }
}

bool NumberToInteger(const Value& value, const LogicalType& type, Value& result) {
  int128_t integer;
  if (value.type().IsFloating()) {
    if (!DoubleToInteger(value.GetDouble(), integer)) return false;
  } else if (value.type().id() == TypeId::kNumeric) {
    if (!NumericToInteger(value.GetString(), integer)) return false;
  } else {
    integer = value.GetInteger();
    if (value.type().scale() > 0) integer = DecimalScaleDown<int128_t>(value.type().scale())(integer);
  }
  if (!FitsInteger(integer, type.id())) return false;
  result = Value::FromInteger(type, integer);
  return true;
}

/// Casts BIT to an integer, of no more bits than that has.
bool BitsToInteger(const Value& value, const LogicalType& type, Value& result) {
  uint128_t bits = 0;
  const uint64_t size = PhysicalSize(type) * 8;
  if (!IntegerOfBits(BitString(value.GetString()), size, bits)) return false;
  const auto shift = static_cast<int>(128 - size);
  result = Value::FromInteger(type, IsUnsigned(type.id()) ? static_cast<int128_t>(bits)
                                                          : static_cast<int128_t>(bits << shift) >> shift);
  return true;
}

/// Casts an integer, all of whose bits count, or a BLOB to BIT.
Value BitsOfValue(const Value& value) {
  BitString bits;
  if (value.type().id() == TypeId::kBlob) {
    BitsOfBytes(value.GetString(), bits);
  } else {
    BitsOfInteger(value.GetInteger(), PhysicalSize(value.type()) * 8, bits);
  }
  std::string stored;
  bits.Store(stored);
  return Value::FromBytes(TypeId::kBit, std::move(stored));
}

Value BlobOfBits(const Value& value) {
  std::string bytes;
  BytesOfBits(BitString(value.GetString()), bytes);
  return Value::Blob(std::move(bytes));
}

bool NumberToDecimal(const Value& value, const LogicalType& type, Value& result) {
  int128_t unscaled;
  const uint8_t from_scale = value.type().scale();
  if (value.type().id() == TypeId::kDouble) {
    if (!DoubleToDecimal(value.GetDouble(), type.width(), type.scale(), unscaled)) return false;
  } else if (value.type().id() == TypeId::kReal) {
    if (!FloatToDecimal(static_cast<float>(value.GetDouble()), type.width(), type.scale(), unscaled))
      return false;
  } else if (value.type().id() == TypeId::kNumeric) {
    if (!NumericToDecimal(value.GetString(), type.width(), type.scale(), unscaled)) return false;
  } else if (from_scale > type.scale()) {
    unscaled =
        DecimalScaleDown<int128_t>(static_cast<uint8_t>(from_scale - type.scale()))(value.GetInteger());
    if (!DecimalWidthCheck<int128_t>(type.width())(unscaled)) return false;
  } else {
    const DecimalScaleUp<int128_t, int128_t> scale_up(type.width(),
                                                      static_cast<uint8_t>(type.scale() - from_scale));
    if (!scale_up(value.GetInteger(), unscaled)) return false;
  }
  result = Value::FromInteger(type, unscaled);
  return true;
}

bool NumberToReal(const Value& value, Value& result) {
  float real;
  if (value.type().IsFloating()) {
    if (!DoubleToFloat(value.GetDouble(), real)) return false;
  } else if (value.type().id() == TypeId::kNumeric) {
    if (!NumericToFloat(value.GetString(), real)) return false;
  } else if (value.type().id() == TypeId::kDecimal) {
    real = DecimalToFloat(value.GetInteger(), value.type().scale());
  } else {
    real = static_cast<float>(value.GetInteger());
  }
  result = Value::Real(real);
  return true;
}

bool NumberToDouble(const Value& value, Value& result) {
  if (value.type().IsFloating()) {
    result = Value::Double(value.GetDouble());
  } else if (value.type().id() == TypeId::kNumeric) {
    double real;
    if (!NumericToDouble(value.GetString(), real)) return false;
    result = Value::Double(real);
  } else if (value.type().id() == TypeId::kDecimal) {
    result = Value::Double(DecimalToDouble(value.GetInteger(), value.type().scale()));
  } else {
    result = Value::Double(Int128ToDouble(value.GetInteger()));
  }
  return true;
}

bool NumberToNumeric(const Value& value, Value& result) {
  std::string bytes;
  if (value.type().id() == TypeId::kDouble) {
    NumericOfDouble(value.GetDouble(), bytes);
  } else if (value.type().id() == TypeId::kReal) {
    NumericOfFloat(static_cast<float>(value.GetDouble()), bytes);
  } else {
    bytes = ShortNumeric(value.GetInteger(), value.type().scale()).view();
  }
  result = Value::FromBytes(TypeId::kNumeric, std::move(bytes));
  return true;
}

// Converts a moment to the zone's local time; other types are local times already.
bool LocalTimeOf(const Value& value, const TimeZone& zone, int64_t& micros) {
  if (value.type().id() == TypeId::kDate)
    return DateToTimestamp(static_cast<int32_t>(value.GetInteger()), micros);
  micros = value.GetBigInt();
  return value.type().id() != TypeId::kTimestampTz || TimeZoneConverter(zone).ToLocal(micros, micros);
}

bool ToTimestamp(const Value& value, const TimeZone& zone, Value& result) {
  int64_t micros;
  if (!LocalTimeOf(value, zone, micros)) return false;
  result = Value::Timestamp(micros);
  return true;
}

bool ToTimestampTz(const Value& value, const TimeZone& zone, Value& result) {
  int64_t micros;
  if (!LocalTimeOf(value, zone, micros) || !TimeZoneConverter(zone).ToMoment(micros, micros)) return false;
  result = Value::TimestampTz(micros);
  return true;
}

bool ToDate(const Value& value, const TimeZone& zone, Value& result) {
  int64_t micros;
  if (!LocalTimeOf(value, zone, micros)) return false;
  result = Value::Date(TimestampToDate(micros));
  return true;
}

bool ToTimeTz(const Value& value, const TimeZone& zone, Value& result) {
  int64_t stored = 0;
  if (value.type().id() == TypeId::kTime) {
    if (!TimeTzOfTime(value.GetBigInt(), zone, stored)) return false;
  } else if (TimeZoneConverter converter(zone); !TimeTzOfMoment(value.GetBigInt(), converter, stored)) {
    if (!IsInfiniteTimestamp(value.GetBigInt())) return false;
    result = Value(LogicalType(TypeId::kTimeTz));
    return true;
  }
  result = Value::FromInteger(TypeId::kTimeTz, stored);
  return true;
}

bool ToTime(const Value& value, const TimeZone& zone, Value& result) {
  if (value.type().id() == TypeId::kInterval) {
    result = Value::Time(TimeOfInterval(value.GetInterval()));
  } else if (value.type().id() == TypeId::kTimeTz) {
    result = Value::Time(LoadTimeTz(value.GetBigInt()).micros);
  } else {
    int64_t micros;
    if (!LocalTimeOf(value, zone, micros)) return false;
    result = IsInfiniteTimestamp(micros) ? Value(LogicalType(TypeId::kTime))
                                         : Value::Time(TimeOfTimestamp(micros));
  }
  return true;
}

}  // namespace

static bool NestedCastExists(const LogicalType& from, const LogicalType& to) {
  if (IsMap(from) != IsMap(to)) return false;
  if (to.id() == TypeId::kList) return CastExists(from.element(), to.element());
  return std::equal(from.fields().begin(), from.fields().end(), to.fields().begin(), to.fields().end(),
                    [](const StructField& a, const StructField& b) { return CastExists(a.type, b.type); });
}

/// Casts of ranges: to multiranges, and of those to lists; structs of a range's parts, as files have them, to
/// ranges.
static bool RangeCastExists(const LogicalType& from, const LogicalType& to) {
  if (from.id() == TypeId::kRange && to.id() == TypeId::kMultirange) return from == to.element();
  if (from.id() == TypeId::kMultirange) return to == LogicalType::List(from.element());
  if (from.id() != TypeId::kStruct || to.id() != TypeId::kRange) return false;
  return std::equal(from.fields().begin(), from.fields().end(), to.fields().begin(), to.fields().end(),
                    [](const StructField& a, const StructField& b) {
                      return a.name == b.name && CastExists(a.type, b.type);
                    });
}

static bool UnionCastExists(const LogicalType& from, const LogicalType& to) {
  if (!IsUnion(to)) return to.id() == TypeId::kVarchar;
  // Whether a text or a JSON value fits is seen when it is there.
  if (from.id() == TypeId::kNull || from.id() == TypeId::kVarchar || IsJson(from)) return true;
  if (IsUnion(from) && HasMembersOf(to, from)) {
    return std::ranges::all_of(UnionMembers(from), [&](const StructField& member) {
      return CastExists(member.type, UnionMembers(to)[*FindMember(to, member.name)].type);
    });
  }
  const MemberChoice choice = ChooseMember(from, to);
  if (choice.member) return !choice.is_ambiguous;
  if (!IsUnionInFile(from, to)) return false;
  const std::vector<StructField>&given = from.fields(), &wanted = to.fields();
  return std::equal(given.begin(), given.end(), wanted.begin(), wanted.end(),
                    [](const StructField& a, const StructField& b) { return CastExists(a.type, b.type); });
}

bool ParseValue(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone) {
  switch (type.id()) {
    case TypeId::kNull: return false;
    case TypeId::kBoolean: return ParseBoxed<bool>(text, ParseBoolean, Value::Boolean, result);
    case TypeId::kTinyInt: return ParseIntegerValue<int8_t>(text, type, result);
    case TypeId::kSmallInt: return ParseIntegerValue<int16_t>(text, type, result);
    case TypeId::kInteger: return ParseIntegerValue<int32_t>(text, type, result);
    case TypeId::kBigInt: return ParseIntegerValue<int64_t>(text, type, result);
    case TypeId::kHugeInt: return ParseIntegerValue<int128_t>(text, type, result);
    case TypeId::kUTinyInt: return ParseIntegerValue<uint8_t>(text, type, result);
    case TypeId::kUSmallInt: return ParseIntegerValue<uint16_t>(text, type, result);
    case TypeId::kUInteger: return ParseIntegerValue<uint32_t>(text, type, result);
    case TypeId::kUBigInt: return ParseIntegerValue<uint64_t>(text, type, result);
    case TypeId::kReal: return ParseBoxed<float>(text, ParseFloat, Value::Real, result);
    case TypeId::kDouble: return ParseBoxed<double>(text, ParseDouble, Value::Double, result);
    case TypeId::kDecimal: {
      int128_t unscaled;
      if (!ParseDecimal(text, type.width(), type.scale(), unscaled)) return false;
      result = Value::FromInteger(type, unscaled);
      return true;
    }
    case TypeId::kNumeric:
    case TypeId::kBit: {
      std::string bytes;
      if (!ParseStoredForm(type, text, bytes)) return false;
      result = Value::FromBytes(type, std::move(bytes));
      return true;
    }
    case TypeId::kVarchar: result = Value::Varchar(std::string(text)); return true;
    case TypeId::kBlob: return ParseBoxed<std::string>(text, ParseBlob, Value::Blob, result);
    case TypeId::kDate: return ParseBoxed<int32_t>(text, ParseDate, Value::Date, result);
    case TypeId::kTime: return ParseBoxed<int64_t>(text, ParseTime, Value::Time, result);
    case TypeId::kTimestamp: return ParseBoxed<int64_t>(text, ParseTimestamp, Value::Timestamp, result);
    case TypeId::kInterval: return ParseBoxed<Interval>(text, ParseInterval, Value::MakeInterval, result);
    case TypeId::kUuid: {
      int128_t stored;
      if (!ParseUuid(text, stored)) return false;
      result = Value::FromInteger(type, stored);
      return true;
    }
    case TypeId::kTimeTz: {
      const TimeZone utc;
      int64_t stored;
      if (!ParseTimeTz(text, zone == nullptr ? utc : *zone, stored)) return false;
      result = Value::FromInteger(type, stored);
      return true;
    }
    case TypeId::kTimestampTz: {
      const TimeZone utc;
      TimeZoneConverter converter(zone == nullptr ? utc : *zone);
      int64_t micros;
      if (!ParseTimestampTz(text, converter, micros)) return false;
      result = Value::TimestampTz(micros);
      return true;
    }
    case TypeId::kJson:
      if (!IsJsonText(text)) return false;
      result = Value::FromBytes(type, std::string(text));
      return true;
    case TypeId::kJsonb: {
      std::string normal;
      if (!NormalizeJson(text, normal)) return false;
      result = Value::FromBytes(type, std::move(normal));
      return true;
    }
    case TypeId::kEnum: {
      const auto position = type.FindLabel(text);
      if (!position) return false;
      result = Value::FromInteger(type, static_cast<int128_t>(*position));
      return true;
    }
    case TypeId::kList:
    case TypeId::kStruct: return ParseNested(text, type, result, zone);
    case TypeId::kRange:
    case TypeId::kMultirange: return ParseRange(text, type, result, zone);
  }
  return false;
}

bool CastExists(const LogicalType& from, const LogicalType& to) {
  const TypeId source = from.id(), target = to.id();
  if (from != to && (IsUnion(from) || IsUnion(to))) return UnionCastExists(from, to);
  if (source == target && to.IsNested()) return NestedCastExists(from, to);
  // The names of fields become keys.
  if (source == TypeId::kStruct && IsMap(to)) {
    return CastExists(TypeId::kVarchar, MapKeyType(to)) &&
           std::all_of(from.fields().begin(), from.fields().end(),
                       [&](const StructField& field) { return CastExists(field.type, MapValueType(to)); });
  }
  const bool has_range = IsRangeOrMultirange(source) || IsRangeOrMultirange(target);
  if (has_range && source != TypeId::kNull && source != TypeId::kVarchar && target != TypeId::kVarchar)
    return from == to || RangeCastExists(from, to);
  // The source may be an older version of the same enum.
  if (source == target && target == TypeId::kEnum) return from.enum_name() == to.enum_name();
  if (source == target || source == TypeId::kNull) return true;
  if (target == TypeId::kNull) return false;
  if (source == TypeId::kVarchar || target == TypeId::kVarchar) return true;
  if (from.IsNumeric() && to.IsNumeric()) return true;
  if ((source == TypeId::kBoolean && to.IsInteger()) || (from.IsInteger() && target == TypeId::kBoolean))
    return true;
  if (source == TypeId::kBit) return to.IsInteger() || target == TypeId::kBlob;
  if (target == TypeId::kBit) return from.IsInteger() || source == TypeId::kBlob;
  if (source == TypeId::kTimeTz) return target == TypeId::kTime;
  if (target == TypeId::kTimeTz) return source == TypeId::kTime || source == TypeId::kTimestampTz;
  if (source == TypeId::kDate) return target == TypeId::kTimestamp || target == TypeId::kTimestampTz;
  if (source == TypeId::kTimestamp || source == TypeId::kTimestampTz) {
    return target == TypeId::kDate || target == TypeId::kTime || target == TypeId::kTimestamp ||
           target == TypeId::kTimestampTz;
  }
  if (source == TypeId::kJsonb && (to.IsNumeric() || target == TypeId::kBoolean)) return true;
  if (IsJson(from)) return IsJson(to) || to.IsNested();
  return (source == TypeId::kTime && target == TypeId::kInterval) ||
         (source == TypeId::kInterval && target == TypeId::kTime);
}

/// Whether the type is TIMESTAMP or TIME WITH TIME ZONE or contains them.
static bool HasMoments(const LogicalType& type) {
  if (IsRangeOrMultirange(type.id())) return HasMoments(RangeBoundType(type));
  if (type.id() == TypeId::kList) return HasMoments(type.element());
  if (type.id() != TypeId::kStruct) return type.id() == TypeId::kTimestampTz || type.id() == TypeId::kTimeTz;
  return std::any_of(type.fields().begin(), type.fields().end(),
                     [](const StructField& field) { return HasMoments(field.type); });
}

bool CastDependsOnTimeZone(const LogicalType& from, const LogicalType& to) {
  return from != to && from.id() != TypeId::kNull && (HasMoments(from) || HasMoments(to));
}

bool CastValue(const Value& value, const LogicalType& type, Value& result, const TimeZone* session_zone) {
  const LogicalType from = value.type();
  if (!CastExists(from, type)) return false;
  if (value.is_null()) {
    result = Value(type);
    return true;
  }
  if (from == type) {
    result = value;
    return true;
  }
  if (from.id() == TypeId::kVarchar) return ParseValue(value.GetString(), type, result, session_zone);
  if (from.id() == TypeId::kJsonb && (type.IsNumeric() || type.id() == TypeId::kBoolean)) {
    const auto text = JsonbScalarText(value.GetString(), type);
    return text && ParseValue(*text, type, result);
  }
  if (IsUnion(type) && !IsJson(from)) return CastToUnion(value, type, result, session_zone);
  if (IsJson(from) && type.IsNested()) return ParseJsonNested(value.GetString(), type, result, session_zone);
  if (IsJson(from) && type.id() != TypeId::kVarchar) return ParseValue(value.GetString(), type, result);
  if (from.id() == TypeId::kBit && type.IsInteger()) return BitsToInteger(value, type, result);
  const TimeZone utc;
  const TimeZone& zone = session_zone == nullptr ? utc : *session_zone;
  switch (type.id()) {
    case TypeId::kVarchar: result = TextOf(value, zone); return true;
    case TypeId::kBoolean: result = Value::Boolean(value.GetBoolean()); return true;
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt: return NumberToInteger(value, type, result);
    case TypeId::kReal: return NumberToReal(value, result);
    case TypeId::kDouble: return NumberToDouble(value, result);
    case TypeId::kDecimal: return NumberToDecimal(value, type, result);
    case TypeId::kNumeric: return NumberToNumeric(value, result);
    case TypeId::kDate: return ToDate(value, zone, result);
    case TypeId::kTime: return ToTime(value, zone, result);
    case TypeId::kTimestamp: return ToTimestamp(value, zone, result);
    case TypeId::kTimestampTz: return ToTimestampTz(value, zone, result);
    case TypeId::kInterval: result = Value::MakeInterval({0, 0, value.GetBigInt()}); return true;
    case TypeId::kEnum: return ParseValue(from.label(static_cast<size_t>(value.GetInteger())), type, result);
    case TypeId::kList:
    case TypeId::kStruct:
      if (from.id() == TypeId::kMultirange) return CastRange(value, type, result, session_zone);
      return CastNested(value, type, result, session_zone);
    case TypeId::kRange:
    case TypeId::kMultirange: return CastRange(value, type, result, session_zone);
    case TypeId::kBit: result = BitsOfValue(value); return true;
    case TypeId::kBlob: result = BlobOfBits(value); return true;
    case TypeId::kTimeTz: return ToTimeTz(value, zone, result);
    case TypeId::kNull:
    case TypeId::kUuid:
    case TypeId::kJson:
    case TypeId::kJsonb: return false;
  }
  return false;
}

void AppendDouble(double value, std::string& out) {
  char buffer[kFormatBufferBytes];
  out.append(buffer, FormatDouble(value, buffer));
}

void AppendFloat(float value, std::string& out) {
  char buffer[kFormatBufferBytes];
  out.append(buffer, FormatFloat(value, buffer));
}

}  // namespace scaup
