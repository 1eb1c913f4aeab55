// Writes values in PostgreSQL's binary forms.
#include "binary_value.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "scaup/error.hpp"
#include "scaup/time_tz.hpp"
#include "types.hpp"
#include "wire.hpp"

namespace scaup::server {

namespace {

/// Both sides use the least and the greatest integer for infinities.
template <typename T>
bool IsInfinite(T moment) {
  return moment == std::numeric_limits<T>::max() || moment == std::numeric_limits<T>::min();
}

void AppendField(const Value& value, std::string& out) {
  if (value.is_null()) return PutBig(int32_t{-1}, out);
  const size_t begin = out.size();
  out.append(sizeof(int32_t), '\0');
  AppendBinaryValue(value, out);
  StoreBig(static_cast<uint32_t>(out.size() - begin - sizeof(int32_t)), out.data() + begin);
}

/// Collects the elements of nested lists in order, and the lengths of the levels.
void FlattenList(const Value& list, size_t level, std::vector<size_t>& lengths,
                 std::vector<Value>& elements) {
  std::vector<Value> items = list.GetElements();
  const bool is_new = lengths.size() == level;
  if (is_new) lengths.push_back(items.size());
  const bool is_inner = list.type().element().id() != TypeId::kList || IsMap(list.type().element());
  const bool has_null =
      !is_inner && std::any_of(items.begin(), items.end(), [](const Value& item) { return item.is_null(); });
  if (has_null || lengths[level] != items.size()) {
    throw Error(ErrorKind::kOutOfRange, "2202E",
                "a list of lists with different lengths is no array of the protocol: ask for it as text, or "
                "convert it to JSON");
  }
  for (Value& item : items) {
    if (is_inner) {
      elements.push_back(std::move(item));
    } else {
      FlattenList(item, level + 1, lengths, elements);
    }
  }
}

void AppendArray(const Value& list, std::string& out) {
  std::vector<size_t> lengths;
  std::vector<Value> elements;
  FlattenList(list, 0, lengths, elements);
  const bool has_null =
      std::any_of(elements.begin(), elements.end(), [](const Value& value) { return value.is_null(); });
  PutBig(static_cast<uint32_t>(elements.empty() ? 0 : lengths.size()), out);
  PutBig(static_cast<uint32_t>(has_null), out);
  const bool is_vector = ModifierBits(list.type()) != 0;
  const bool has_numbers = is_vector && list.type().element() == TypeId::kBigInt;  // an oidvector
  PutBig(has_numbers ? kOidOid : TypeForClient(InnermostElement(list.type())).oid, out);
  if (elements.empty()) return;
  for (const size_t length : lengths) {
    PutBig(static_cast<uint32_t>(length), out);
    PutBig(int32_t{is_vector ? 0 : 1}, out);  // the first index
  }
  for (const Value& element : elements) {
    if (!has_numbers) {
      AppendField(element, out);
      continue;
    }
    PutBig(static_cast<int32_t>(sizeof(uint32_t)), out);
    PutBig(static_cast<uint32_t>(element.GetInteger()), out);
  }
}

void AppendRecord(const Value& record, std::string& out) {
  const std::vector<Value> values = record.GetElements();
  PutBig(static_cast<uint32_t>(values.size()), out);
  for (size_t i = 0; i < values.size(); i++) {
    PutBig(TypeForClient(record.type().fields()[i].type).oid, out);
    AppendField(values[i], out);
  }
}

/// Appends the flags of a range, and the bounds that it has.
void AppendBinaryRange(const Value& range, std::string& out) {
  const std::vector<Value> parts = range.GetElements();
  const bool is_empty = parts[0].GetInteger() == 0;
  const Value &lower = parts[1], &upper = parts[3];
  uint8_t flags = is_empty ? kRangeIsEmpty : 0;
  if (!is_empty && lower.is_null()) flags |= kRangeHasNoLower;
  if (!is_empty && upper.is_null()) flags |= kRangeHasNoUpper;
  if (!parts[2].GetBoolean()) flags |= kRangeHasLowerWithin;
  if (parts[4].GetBoolean()) flags |= kRangeHasUpperWithin;
  out.push_back(static_cast<char>(flags));
  if (!lower.is_null()) AppendField(lower, out);
  if (!upper.is_null()) AppendField(upper, out);
}

void AppendBinaryMultirange(const Value& multirange, std::string& out) {
  const std::vector<Value> ranges = multirange.GetElements();
  PutBig(static_cast<uint32_t>(ranges.size()), out);
  for (const Value& range : ranges) AppendField(range, out);
}

}  // namespace

int32_t ToPostgresDate(int32_t days) { return IsInfinite(days) ? days : days - kDaysTo2000; }

int64_t ToPostgresTimestamp(int64_t micros) { return IsInfinite(micros) ? micros : micros - kMicrosTo2000; }

/// Appends the number of bits, and the bits from the highest one of the first byte on.
static void AppendBinaryBits(std::string_view digits, std::string& out) {
  PutBig(static_cast<uint32_t>(digits.size()), out);
  for (size_t at = 0; at < digits.size(); at += 8) {
    unsigned byte = 0;
    for (size_t i = at; i < at + 8; i++) byte = byte << 1 | (i < digits.size() && digits[i] == '1');
    out.push_back(static_cast<char>(byte));
  }
}

/// Appends the time, and how far west of Greenwich its clocks are.
static void AppendBinaryTimeTz(int64_t stored, std::string& out) {
  const TimeTz time = LoadTimeTz(stored);
  PutBig(time.micros, out);
  PutBig(-time.offset_seconds, out);
}

void AppendBinaryInterval(const Interval& interval, std::string& out) {
  PutBig(interval.micros, out);
  PutBig(interval.days, out);
  PutBig(interval.months, out);
}

void AppendBinaryNumeric(int128_t unscaled, uint8_t scale, std::string& out) {
  // Digits to the base of 10,000, the first ones first; those behind the point begin at it.
  constexpr unsigned kBase = 10000;
  constexpr uint8_t kDigits = 4;
  const bool is_negative = unscaled < 0;
  uint128_t rest = is_negative ? -static_cast<uint128_t>(unscaled) : static_cast<uint128_t>(unscaled);
  uint16_t groups[16];
  int count = 0;
  const int behind = (scale + kDigits - 1) / kDigits;
  // The last group is filled up with zeros: 1.5 is 1 and 5000. It is taken off first, as 38 digits and these
  // zeros do not fit in 128 bits.
  const unsigned used = scale % kDigits;
  if (used != 0) {
    unsigned divisor = 1;
    unsigned factor = kBase;
    for (unsigned i = 0; i < used; i++) {
      divisor *= 10;
      factor /= 10;
    }
    groups[count++] = static_cast<uint16_t>(static_cast<unsigned>(rest % divisor) * factor);
    rest /= divisor;
  }
  while (rest != 0 || count < behind) {
    groups[count++] = static_cast<uint16_t>(rest % kBase);
    rest /= kBase;
  }
  int weight = count - behind - 1;
  int last = 0;
  while (last < count && groups[last] == 0) last++;
  while (count > last && groups[count - 1] == 0) {
    count--;
    weight--;
  }
  if (count == last) weight = 0;
  constexpr uint16_t kNegative = 0x4000;
  PutBig(static_cast<uint16_t>(count - last), out);
  PutBig(static_cast<int16_t>(weight), out);
  PutBig(is_negative ? kNegative : uint16_t{0}, out);
  PutBig(uint16_t{scale}, out);
  for (int i = count - 1; i >= last; i--) PutBig(groups[i], out);
}

void AppendBinaryNumericText(std::string_view text, std::string& out) {
  constexpr uint16_t kNegative = 0x4000, kNan = 0xC000, kInfinite = 0xD000, kMinusInfinite = 0xF000;
  constexpr size_t kDigits = 4;
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_nan = text == "NaN", is_infinite = text == "Infinity";
  // Digits in whole groups on both sides of the point.
  std::string digits(is_nan || is_infinite ? std::string_view() : text);
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t scale = digits.size() - std::min(point + 1, digits.size());
  if (point < digits.size()) digits.erase(point, 1);
  digits.append((kDigits - scale % kDigits) % kDigits, '0');
  digits.insert(0, (kDigits - point % kDigits) % kDigits, '0');
  std::vector<uint16_t> groups;
  for (size_t at = 0; at < digits.size(); at += kDigits) {
    uint16_t group = 0;
    for (size_t i = 0; i < kDigits; i++) group = static_cast<uint16_t>(group * 10 + (digits[at + i] - '0'));
    groups.push_back(group);
  }
  int weight = static_cast<int>((point + kDigits - 1) / kDigits) - 1;
  while (!groups.empty() && groups.back() == 0) groups.pop_back();
  const auto first = std::find_if(groups.begin(), groups.end(), [](uint16_t group) { return group != 0; });
  weight -= static_cast<int>(first - groups.begin());
  groups.erase(groups.begin(), first);
  if (groups.empty()) weight = 0;
  PutBig(static_cast<uint16_t>(groups.size()), out);
  PutBig(static_cast<int16_t>(weight), out);
  PutBig(is_nan        ? kNan
         : is_infinite ? (is_negative ? kMinusInfinite : kInfinite)
         : is_negative ? kNegative
                       : uint16_t{0},
         out);
  PutBig(static_cast<uint16_t>(scale), out);
  for (const uint16_t group : groups) PutBig(group, out);
}

void AppendBinaryValue(const Value& value, std::string& out) {
  const LogicalType& type = value.type();
  switch (type.id()) {
    case TypeId::kBoolean: out.push_back(static_cast<char>(value.GetBoolean())); return;
    case TypeId::kTinyInt:
    case TypeId::kUTinyInt:
    case TypeId::kSmallInt: return PutBig(static_cast<int16_t>(value.GetInteger()), out);
    case TypeId::kUSmallInt:
    case TypeId::kInteger: return PutBig(static_cast<int32_t>(value.GetInteger()), out);
    case TypeId::kUInteger:
    case TypeId::kBigInt:
    case TypeId::kTime: return PutBig(static_cast<int64_t>(value.GetInteger()), out);
    case TypeId::kHugeInt:
    case TypeId::kUBigInt:
    case TypeId::kDecimal: return AppendBinaryNumeric(value.GetInteger(), type.scale(), out);
    case TypeId::kBit: return AppendBinaryBits(value.ToString(), out);
    case TypeId::kTimeTz: return AppendBinaryTimeTz(value.GetBigInt(), out);
    case TypeId::kNumeric: return AppendBinaryNumericText(value.ToString(), out);
    case TypeId::kReal: return PutBig(std::bit_cast<uint32_t>(static_cast<float>(value.GetDouble())), out);
    case TypeId::kDouble: return PutBig(std::bit_cast<uint64_t>(value.GetDouble()), out);
    case TypeId::kDate: return PutBig(ToPostgresDate(static_cast<int32_t>(value.GetInteger())), out);
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
      return PutBig(ToPostgresTimestamp(static_cast<int64_t>(value.GetInteger())), out);
    case TypeId::kInterval: return AppendBinaryInterval(value.GetInterval(), out);
    case TypeId::kUuid: {
      // The stored integer has its highest bit inverted.
      const uint128_t bits = static_cast<uint128_t>(value.GetInteger()) ^ (uint128_t{1} << 127);
      PutBig(static_cast<uint64_t>(bits >> 64), out);
      return PutBig(static_cast<uint64_t>(bits), out);
    }
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kJson: out.append(value.GetString()); return;
    case TypeId::kJsonb:
      out.push_back(kJsonbVersion);
      out.append(value.GetString());
      return;
    case TypeId::kEnum: out.append(type.label(static_cast<size_t>(value.GetInteger()))); return;
    case TypeId::kList:
      if (!IsMap(type)) return AppendArray(value, out);
      out.append(value.ToString());
      return;
    case TypeId::kStruct:
      if (!IsUnion(type)) return AppendRecord(value, out);
      out.append(value.ToString());
      return;
    case TypeId::kRange: return AppendBinaryRange(value, out);
    case TypeId::kMultirange: return AppendBinaryMultirange(value, out);
    case TypeId::kNull: return;
  }
}

}  // namespace scaup::server
