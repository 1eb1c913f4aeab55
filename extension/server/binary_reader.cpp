// Reads values in PostgreSQL's binary forms.
#include <algorithm>
#include <bit>
#include <limits>

#include "binary_value.hpp"
#include "scaup/error.hpp"
#include "scaup/time_tz.hpp"
#include "types.hpp"
#include "wire.hpp"

namespace scaup::server {

namespace {

[[noreturn]] void ThrowMalformed(uint32_t oid) {
  throw Error(ErrorKind::kConversion, "22P03",
              "a binary value is no value of the type with the number " + std::to_string(oid));
}

template <typename T>
T ReadWhole(std::string_view bytes, uint32_t oid) {
  if (bytes.size() != sizeof(T)) ThrowMalformed(oid);
  return LoadBig<T>(bytes.data());
}

/// Adds the years between 1970 and 2000. Infinities stay what they are.
template <typename T>
T FromPostgres(T moment, T difference, uint32_t oid) {
  if (moment == std::numeric_limits<T>::max() || moment == std::numeric_limits<T>::min()) return moment;
  T result = 0;
  if (__builtin_add_overflow(moment, difference, &result)) ThrowMalformed(oid);
  return result;
}

/// The parts of a binary numeric.
struct NumericParts {
  static constexpr uint16_t kNegative = 0x4000, kNan = 0xC000, kInfinite = 0xD000, kMinusInfinite = 0xF000;
  std::vector<uint16_t> groups;  ///< to the base of 10,000
  int weight = 0;                ///< of the first group
  uint16_t sign = 0;
  uint16_t scale = 0;
};

NumericParts ReadNumericParts(std::string_view bytes) {
  constexpr uint16_t kBase = 10000;
  constexpr uint16_t kMostScale = 16383;
  NumericParts parts;
  try {
    MessageReader reader(bytes);
    const auto count = reader.Big<uint16_t>();
    parts.weight = reader.Big<int16_t>();
    parts.sign = reader.Big<uint16_t>();
    parts.scale = reader.Big<uint16_t>();
    for (uint16_t i = 0; i < count; i++) parts.groups.push_back(reader.Big<uint16_t>());
    reader.RequireEnd();
  } catch (const ProtocolError&) {
    ThrowMalformed(kNumericOid);
  }
  const bool has_wrong_group =
      std::any_of(parts.groups.begin(), parts.groups.end(), [](uint16_t group) { return group >= kBase; });
  if (has_wrong_group || parts.scale > kMostScale) ThrowMalformed(kNumericOid);
  return parts;
}

std::string NumericText(const NumericParts& parts) {
  if (parts.sign == NumericParts::kNan) return "NaN";
  if (parts.sign == NumericParts::kInfinite) return "Infinity";
  if (parts.sign == NumericParts::kMinusInfinite) return "-Infinity";
  const auto group_at = [&](int place) {
    const int index = parts.weight - place;
    const bool is_given = index >= 0 && index < static_cast<int>(parts.groups.size());
    return is_given ? parts.groups[static_cast<size_t>(index)] : 0;
  };
  std::string digits;
  for (int place = std::max(parts.weight, 0); place >= 0; place--) {
    const std::string group = std::to_string(group_at(place));
    digits.append(4 - group.size(), '0').append(group);
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::string fraction;
  for (int place = -1; fraction.size() < parts.scale; place--) {
    const std::string group = std::to_string(group_at(place));
    fraction.append(4 - group.size(), '0').append(group);
  }
  fraction.resize(parts.scale);
  std::string text = parts.sign == NumericParts::kNegative ? "-" + digits : digits;
  if (!fraction.empty()) text += "." + fraction;
  return text;
}

Value ReadNumeric(std::string_view bytes) {
  const std::string text = NumericText(ReadNumericParts(bytes));
  return DecimalOfText(text);
}

Value ReadBits(std::string_view bytes, uint32_t oid) {
  if (bytes.size() < sizeof(uint32_t)) ThrowMalformed(oid);
  const auto count = LoadBig<uint32_t>(bytes.data());
  bytes.remove_prefix(sizeof(uint32_t));
  if (bytes.size() != (uint64_t{count} + 7) / 8) ThrowMalformed(oid);
  std::string digits(count, '0');
  for (size_t i = 0; i < count; i++)
    if ((static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8) & 1) != 0) digits[i] = '1';
  return MakeBit(digits);
}

Value ReadTimeTz(std::string_view bytes, uint32_t oid) {
  if (bytes.size() != sizeof(int64_t) + sizeof(int32_t)) ThrowMalformed(oid);
  const auto micros = LoadBig<int64_t>(bytes.data());
  const auto west_seconds = LoadBig<int32_t>(bytes.data() + sizeof(int64_t));
  constexpr int64_t kMicrosOfDay = 86'400'000'000;
  if (micros < 0 || micros > kMicrosOfDay || west_seconds > kMaxTimeTzOffset ||
      west_seconds < -kMaxTimeTzOffset)
    ThrowMalformed(oid);
  return Value::FromInteger(TypeId::kTimeTz, StoreTimeTz({micros, -west_seconds}));
}

Value ReadArray(std::string_view bytes, uint32_t element_oid, uint32_t oid) {
  try {
    MessageReader reader(bytes);
    const auto dimensions = reader.Big<int32_t>();
    reader.Big<uint32_t>();  // whether there are NULLs
    if (reader.Big<uint32_t>() != element_oid) ThrowMalformed(oid);
    std::vector<size_t> lengths;
    constexpr int32_t kMostDimensions = 6;
    if (dimensions < 0 || dimensions > kMostDimensions) ThrowMalformed(oid);
    size_t total = dimensions == 0 ? 0 : 1;
    for (int32_t i = 0; i < dimensions; i++) {
      const auto length = reader.Big<int32_t>();
      reader.Big<int32_t>();  // the first index
      // Each element takes four bytes at least.
      if (length < 0 || static_cast<size_t>(length) > bytes.size()) ThrowMalformed(oid);
      lengths.push_back(static_cast<size_t>(length));
      total *= lengths.back();
      if (total > bytes.size()) ThrowMalformed(oid);
    }
    std::vector<Value> elements;
    LogicalType type = TypeOfParameter(element_oid);
    for (size_t i = 0; i < total; i++) {
      const auto field = reader.Field();
      elements.push_back(field ? ReadBinaryValue(*field, element_oid) : Value());
    }
    reader.RequireEnd();
    return ListOfElements(type, std::move(elements), lengths);
  } catch (const ProtocolError&) {
    ThrowMalformed(oid);
  }
}

/// Reads a bound of a range.
Value ReadRangeBound(std::string_view bytes, const LogicalType& bound) {
  Value value = ReadBinaryValue(bytes, PostgresTypeOf(bound).oid);
  return bound.id() == TypeId::kNumeric ? MakeNumeric(value.ToString()) : value;
}

Value ReadRange(std::string_view bytes, const LogicalType& type, uint32_t oid) {
  try {
    MessageReader reader(bytes);
    const auto flags = static_cast<uint8_t>(reader.Byte());
    const LogicalType& bound = RangeBoundType(type);
    const bool is_empty = (flags & kRangeIsEmpty) != 0;
    const auto read = [&](uint8_t without) {
      if (is_empty || (flags & without) != 0) return Value(bound);
      const auto field = reader.Field();
      if (!field) ThrowMalformed(oid);
      return ReadRangeBound(*field, bound);
    };
    const Value lower = read(kRangeHasNoLower), upper = read(kRangeHasNoUpper);
    reader.RequireEnd();
    if (is_empty) return MakeEmptyRange(type);
    const std::string brackets = {(flags & kRangeHasLowerWithin) != 0 ? '[' : '(',
                                  (flags & kRangeHasUpperWithin) != 0 ? ']' : ')'};
    return MakeRange(type, lower, upper, brackets);
  } catch (const ProtocolError&) {
    ThrowMalformed(oid);
  }
}

Value ReadMultirange(std::string_view bytes, const LogicalType& type, uint32_t oid) {
  try {
    MessageReader reader(bytes);
    const auto count = reader.Big<uint32_t>();
    std::vector<Value> ranges;
    for (uint32_t i = 0; i < count; i++) {
      const auto field = reader.Field();
      if (!field) ThrowMalformed(oid);
      ranges.push_back(ReadRange(*field, type.element(), oid));
    }
    reader.RequireEnd();
    return MakeMultirange(type, ranges);
  } catch (const ProtocolError&) {
    ThrowMalformed(oid);
  }
}

}  // namespace

Value DecimalOfText(const std::string& text) {
  if (text == "NaN" || text == "Infinity" || text == "-Infinity") return MakeNumeric(text);
  int128_t unscaled = 0;
  size_t digits = 0, scale = 0;
  bool is_behind = false;
  const bool is_negative = text[0] == '-';
  for (const char c : text.substr(is_negative ? 1 : 0)) {
    if (c == '.' && !is_behind) {
      is_behind = true;
      continue;
    }
    if (c < '0' || c > '9') return Value::Varchar(text);
    digits++;
    scale += is_behind;
    if (digits <= LogicalType::kMaxDecimalWidth) unscaled = unscaled * 10 + (c - '0');
  }
  if (digits == 0) return Value::Varchar(text);
  if (digits > LogicalType::kMaxDecimalWidth) return MakeNumeric(text);
  return Value::Decimal(is_negative ? -unscaled : unscaled, static_cast<uint8_t>(digits),
                        static_cast<uint8_t>(scale));
}

Value ListOfElements(const LogicalType& type, std::vector<Value> elements,
                     const std::vector<size_t>& lengths) {
  LogicalType element = type;
  if (element.id() == TypeId::kNumeric) {
    // A DECIMAL that holds all of them is faster, and fits columns of DECIMAL.
    uint8_t before = 1, behind = 0;
    bool fits = true;
    for (const Value& value : elements) {
      if (value.is_null()) continue;
      fits = fits && value.type().id() == TypeId::kDecimal;
      before = std::max<uint8_t>(before, value.type().width() - value.type().scale());
      behind = std::max(behind, value.type().scale());
    }
    fits = fits && before + behind <= LogicalType::kMaxDecimalWidth;
    if (fits) element = LogicalType::Decimal(before + behind, behind);
    for (Value& value : elements) {
      if (value.is_null()) continue;
      if (!fits) {
        value = MakeNumeric(value.ToString());
        continue;
      }
      int128_t unscaled = value.GetInteger();
      for (uint8_t i = value.type().scale(); i < behind; i++) unscaled *= 10;
      value = Value::FromInteger(element, unscaled);
    }
  }
  for (Value& value : elements) {
    if (value.is_null()) {
      value = Value(element);
    } else if (element.id() == TypeId::kVarchar && value.type().id() != TypeId::kVarchar) {
      value = Value::Varchar(value.ToString());
    }
  }
  if (lengths.empty()) return Value::List(element, elements);
  LogicalType level = element;
  for (size_t i = lengths.size(); i-- > 1;) {
    std::vector<Value> lists;
    for (size_t begin = 0; begin < elements.size(); begin += lengths[i]) {
      lists.push_back(Value::List(
          level, std::vector<Value>(elements.begin() + static_cast<ptrdiff_t>(begin),
                                    elements.begin() + static_cast<ptrdiff_t>(begin + lengths[i]))));
    }
    level = LogicalType::List(level);
    elements = std::move(lists);
  }
  return Value::List(level, elements);
}

Value ReadBinaryValue(std::string_view bytes, uint32_t oid) {
  switch (oid) {
    case kBoolOid: return Value::Boolean(ReadWhole<uint8_t>(bytes, oid) != 0);
    case kInt2Oid: return Value::SmallInt(ReadWhole<int16_t>(bytes, oid));
    case kInt4Oid: return Value::Integer(ReadWhole<int32_t>(bytes, oid));
    case kInt8Oid: return Value::BigInt(ReadWhole<int64_t>(bytes, oid));
    case kOidOid: return Value::BigInt(ReadWhole<uint32_t>(bytes, oid));
    case kFloat4Oid: return Value::Real(std::bit_cast<float>(ReadWhole<uint32_t>(bytes, oid)));
    case kFloat8Oid: return Value::Double(std::bit_cast<double>(ReadWhole<uint64_t>(bytes, oid)));
    case kNumericOid: return ReadNumeric(bytes);
    case kByteaOid: return Value::Blob(std::string(bytes));
    case kDateOid: return Value::Date(FromPostgres(ReadWhole<int32_t>(bytes, oid), kDaysTo2000, oid));
    case kTimeOid: return Value::Time(ReadWhole<int64_t>(bytes, oid));
    case kTimeTzOid: return ReadTimeTz(bytes, oid);
    case kBitOid:
    case kVarbitOid: return ReadBits(bytes, oid);
    case kTimestampOid:
      return Value::Timestamp(FromPostgres(ReadWhole<int64_t>(bytes, oid), kMicrosTo2000, oid));
    case kTimestampTzOid:
      return Value::TimestampTz(FromPostgres(ReadWhole<int64_t>(bytes, oid), kMicrosTo2000, oid));
    case kIntervalOid: {
      if (bytes.size() != sizeof(Interval)) ThrowMalformed(oid);
      return Value::MakeInterval({.months = LoadBig<int32_t>(bytes.data() + 12),
                                  .days = LoadBig<int32_t>(bytes.data() + 8),
                                  .micros = LoadBig<int64_t>(bytes.data())});
    }
    case kUuidOid: {
      if (bytes.size() != sizeof(uint128_t)) ThrowMalformed(oid);
      return Value::Uuid(uint128_t{LoadBig<uint64_t>(bytes.data())} << 64 |
                         LoadBig<uint64_t>(bytes.data() + 8));
    }
    case kJsonbOid:
      if (bytes.empty() || bytes[0] != kJsonbVersion) ThrowMalformed(oid);
      return Value::Varchar(std::string(bytes.substr(1)));
    case kJsonOid:
    case kCharOid:
    case kNameOid:
    case kTextOid:
    case kUnknownOid:
    case kBpcharOid:
    case kVarcharOid: return Value::Varchar(std::string(bytes));
    default: break;
  }
  if (const uint32_t element = ElementOid(oid)) return ReadArray(bytes, element, oid);
  if (const auto range = RangeWithOid(oid)) {
    return range->id() == TypeId::kRange ? ReadRange(bytes, *range, oid) : ReadMultirange(bytes, *range, oid);
  }
  throw Error(ErrorKind::kNotSupported, "0A000",
              "binary values of the type with the number " + std::to_string(oid) +
                  " are not known: send it as text, or cast the parameter");
}

}  // namespace scaup::server
