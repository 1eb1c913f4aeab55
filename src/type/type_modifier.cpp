// Modifiers of types: their bits, their texts, and rounding to a precision.
#include "type/type_modifier.hpp"

#include <iterator>

#include "common/check.hpp"

namespace scaup {

namespace {

// Bits: for texts the length, and whether it is CHAR; for BIT the length, 0 for none, and whether it is
// VARYING; for times the precision plus one, so that 0 means none; for INTERVAL also its fields, where 0
// means all.
constexpr uint32_t kCharBit = uint32_t{1} << 31;
constexpr uint32_t kPrecisionShift = 16;

struct IntervalFields {
  uint32_t fields;
  const char* text;
};
constexpr IntervalFields kIntervalFields[] = {
    {kAllIntervalFields, ""},
    {kIntervalYear, "year"},
    {kIntervalMonth, "month"},
    {kIntervalDay, "day"},
    {kIntervalHour, "hour"},
    {kIntervalMinute, "minute"},
    {kIntervalSecond, "second"},
    {kIntervalYear | kIntervalMonth, "year to month"},
    {kIntervalDay | kIntervalHour, "day to hour"},
    {kIntervalDay | kIntervalHour | kIntervalMinute, "day to minute"},
    {kIntervalDay | kIntervalHour | kIntervalMinute | kIntervalSecond, "day to second"},
    {kIntervalHour | kIntervalMinute, "hour to minute"},
    {kIntervalHour | kIntervalMinute | kIntervalSecond, "hour to second"},
    {kIntervalMinute | kIntervalSecond, "minute to second"},
};

// By kind, without kNone.
constexpr const char* kObjectNumbers[] = {"regclass", "regproc", "regtype", "regnamespace", "regrole"};

bool IsTime(TypeId id) {
  return id == TypeId::kTime || id == TypeId::kTimeTz || id == TypeId::kTimestamp ||
         id == TypeId::kTimestampTz || id == TypeId::kInterval;
}

}  // namespace

LogicalType VarcharWithLength(int64_t length) {
  SCAUP_CHECK(length >= 1 && length <= kMaxTextLength);
  return WithModifierBits(TypeId::kVarchar, static_cast<uint32_t>(length));
}

LogicalType CharWithLength(int64_t length) {
  SCAUP_CHECK(length >= 1 && length <= kMaxTextLength);
  return WithModifierBits(TypeId::kVarchar, static_cast<uint32_t>(length) | kCharBit);
}

LogicalType BitWithLength(int64_t length) {
  SCAUP_CHECK(length >= 1 && length <= kMaxBitLength);
  return WithModifierBits(TypeId::kBit, static_cast<uint32_t>(length));
}

LogicalType VaryingBitWithLength(int64_t length) {
  SCAUP_CHECK(length >= 1 && length <= kMaxBitLength);
  return WithModifierBits(TypeId::kBit, static_cast<uint32_t>(length) | kVaryingBit);
}

LogicalType WithPrecision(TypeId id, std::optional<int64_t> precision, uint32_t interval_fields) {
  SCAUP_CHECK(IsTime(id) && (!precision || (*precision >= 0 && *precision <= kMaxPrecision)));
  uint32_t bits = precision ? (static_cast<uint32_t>(*precision) + 1) << kPrecisionShift : 0;
  if (interval_fields != kAllIntervalFields) bits |= interval_fields;
  return WithModifierBits(id, bits);
}

std::optional<uint32_t> TextLengthOf(const LogicalType& type) {
  if (type.id() != TypeId::kVarchar || ModifierBits(type) == 0) return std::nullopt;
  return ModifierBits(type) & ~kCharBit;
}

bool IsChar(const LogicalType& type) {
  return type.id() == TypeId::kVarchar && (ModifierBits(type) & kCharBit) != 0;
}

std::optional<uint32_t> BitLengthOf(const LogicalType& type) {
  const uint32_t length = ModifierBits(type) & ~kVaryingBit;
  return type.id() == TypeId::kBit && length != 0 ? std::optional(length) : std::nullopt;
}

bool IsVaryingBit(const LogicalType& type) {
  return type.id() == TypeId::kBit && (ModifierBits(type) & kVaryingBit) != 0;
}

std::optional<uint32_t> PrecisionOf(const LogicalType& type) {
  if (!IsTime(type.id())) return std::nullopt;
  const uint32_t stored = ModifierBits(type) >> kPrecisionShift;
  return stored == 0 ? std::nullopt : std::optional(stored - 1);
}

uint32_t IntervalFieldsOf(const LogicalType& type) {
  const uint32_t fields = ModifierBits(type) & ((uint32_t{1} << kPrecisionShift) - 1);
  return type.id() != TypeId::kInterval || fields == 0 ? kAllIntervalFields : fields;
}

std::string IntervalFieldsText(uint32_t fields) {
  for (const IntervalFields& known : kIntervalFields)
    if (known.fields == fields) return known.text;
  return "";
}

std::optional<uint32_t> IntervalFieldsFromText(std::string_view text) {
  for (const IntervalFields& known : kIntervalFields)
    if (known.text == text) return known.fields;
  return std::nullopt;
}

const char* ObjectNumberName(ObjectNumber kind) {
  const size_t index = static_cast<size_t>(kind) - 1;
  SCAUP_CHECK(index < std::size(kObjectNumbers));
  return kObjectNumbers[index];
}

std::string DeclaredTypeName(const LogicalType& type) {
  if (ModifierBits(type) == 0) return type.ToString();
  if (ObjectNumberOf(type) != ObjectNumber::kNone) return ObjectNumberName(ObjectNumberOf(type));
  if (const auto length = TextLengthOf(type))
    return (IsChar(type) ? "CHAR(" : "VARCHAR(") + std::to_string(*length) + ")";
  if (type.id() == TypeId::kBit) {
    const auto length = BitLengthOf(type);
    return std::string(IsVaryingBit(type) ? "BIT VARYING" : "BIT") +
           (length ? "(" + std::to_string(*length) + ")" : "");
  }
  std::string precision;
  if (const auto digits = PrecisionOf(type)) precision = "(" + std::to_string(*digits) + ")";
  if (type.id() == TypeId::kTimestampTz) return "TIMESTAMP" + precision + " WITH TIME ZONE";
  if (type.id() == TypeId::kTimeTz) return "TIME" + precision + " WITH TIME ZONE";
  std::string name = type.ToString();
  const std::string fields = IntervalFieldsText(IntervalFieldsOf(type));
  if (!fields.empty()) name += " ";
  for (const char c : fields) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name + precision;
}

int64_t RoundMicros(int64_t micros, uint32_t precision) {
  int64_t unit = 1;
  for (uint32_t i = precision; i < kMaxPrecision; i++) unit *= 10;
  const int64_t rest = micros % unit;
  const int64_t floor = micros - rest;
  if (rest >= 0) return rest * 2 >= unit ? floor + unit : floor;
  return -rest * 2 >= unit ? floor - unit : floor;
}

bool IsValidModifier(TypeId id, uint32_t bits) {
  const LogicalType type = WithModifierBits(id, bits);
  if (const auto length = TextLengthOf(type)) return *length >= 1 && *length <= kMaxTextLength;
  if (id == TypeId::kBit) return bits != 0 && BitLengthOf(type).value_or(0) <= kMaxBitLength;
  if (id == TypeId::kBigInt) return bits >= 1 && bits <= std::size(kObjectNumbers);
  if (!IsTime(id)) return false;
  const auto precision = PrecisionOf(type);
  if (precision && *precision > kMaxPrecision) return false;
  const uint32_t fields = bits & ((uint32_t{1} << kPrecisionShift) - 1);
  return fields == 0 || (id == TypeId::kInterval && !IntervalFieldsText(fields).empty());
}

}  // namespace scaup
