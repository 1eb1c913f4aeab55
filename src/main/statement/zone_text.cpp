// Bounds of zone maps as text.
#include "main/statement/zone_text.hpp"

#include "type/value_cast.hpp"

namespace scaup {

namespace {

// The bytes that a zone map has of a string.
constexpr size_t kPrefixBytes = 8;

/// Returns the length of the text without a character that was cut apart, as results must be valid UTF-8.
size_t WholeCharacters(const std::string& text) {
  size_t end = text.size();
  while (end > 0 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) end--;
  if (end == 0) return text.size();
  const auto lead = static_cast<unsigned char>(text[end - 1]);
  const size_t wanted = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return text.size() - (end - 1) >= wanted ? text.size() : end - 1;
}

std::string PrefixText(int128_t bound, bool is_blob) {
  std::string bytes(kPrefixBytes, '\0');
  auto word = static_cast<uint64_t>(bound);
  for (size_t i = kPrefixBytes; i-- > 0; word >>= 8) bytes[i] = static_cast<char>(word & 0xFF);
  // Shorter strings are padded with zero bytes, so a last byte other than zero means that more may follow.
  const bool may_go_on = bytes.back() != '\0';
  bytes.erase(bytes.find_last_not_of('\0') + 1);
  if (!is_blob) bytes.erase(WholeCharacters(bytes));
  return (is_blob ? BlobToString(bytes) : bytes) + (may_go_on ? "..." : "");
}

std::optional<std::string> BoundText(const ZoneMap& zone, const ZoneBound& bound, const LogicalType& type) {
  if (!zone.has_bounds) return std::nullopt;
  switch (type.id()) {
    case TypeId::kNull:
    case TypeId::kInterval:
    case TypeId::kBit:
    case TypeId::kNumeric:  // a prefix of its bytes is no number
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return std::nullopt;
    case TypeId::kReal: return Value::Real(static_cast<float>(bound.real)).ToString();
    case TypeId::kDouble: return Value::Double(bound.real).ToString();
    case TypeId::kVarchar:
    case TypeId::kJson:
    case TypeId::kJsonb: return PrefixText(bound.integer, false);
    case TypeId::kBlob: return PrefixText(bound.integer, true);
    case TypeId::kBoolean:
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt:
    case TypeId::kDecimal:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimeTz:
    case TypeId::kTimestamp:
    case TypeId::kUuid:
    case TypeId::kEnum:
    case TypeId::kTimestampTz: return Value::FromInteger(type, bound.integer).ToString();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> MinimumText(const ZoneMap& zone, const LogicalType& type) {
  return BoundText(zone, zone.minimum, type);
}
std::optional<std::string> MaximumText(const ZoneMap& zone, const LogicalType& type) {
  return BoundText(zone, zone.maximum, type);
}

}  // namespace scaup
