// Slots of lists, structs, maps, unions and ranges: their sizes, boxed values, checks of keys and tags.
#include "type/packed_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/throw.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

constexpr char kEscaped = static_cast<char>(0xFF);  // follows a zero byte that belongs to a string

[[noreturn]] void ThrowBroken() { ThrowInternal("a list or struct ends within one of its values"); }

/// The position of the zero byte that terminates the string beginning at `begin`.
size_t EndOfString(std::string_view bytes, size_t begin) {
  for (size_t i = begin;; i += 2) {
    i = bytes.find('\0', i);
    if (i == std::string_view::npos) ThrowBroken();
    if (i + 1 >= bytes.size() || bytes[i + 1] != kEscaped) return i;
  }
}

bool HasFields(const LogicalType& type) {
  return type.id() == TypeId::kStruct || type.id() == TypeId::kRange;
}
bool HasElements(const LogicalType& type) {
  return type.id() == TypeId::kList || type.id() == TypeId::kMultirange;
}

size_t SizeOfSlot(const LogicalType& type, std::string_view bytes) {
  const size_t fixed = SlotBytes(type);
  if (fixed != 0) return fixed;
  if (bytes.empty()) ThrowBroken();
  if (bytes[0] == kSlotNull) return 1;
  std::string_view rest = bytes.substr(1);
  if (HasFields(type)) {
    for (const StructField& field : type.fields()) TakeSlot(field.type, rest);
    return bytes.size() - rest.size();
  }
  if (!HasElements(type)) return EndOfString(bytes, 1) + 1;
  const LogicalType& element = type.element();
  while (!rest.empty() && rest[0] != kSlotEnd) TakeSlot(element, rest);
  return bytes.size() - rest.size() + 1;
}

}  // namespace

size_t SlotBytes(const LogicalType& type) {
  const PhysicalType physical = PhysicalTypeOf(type);
  if (physical == PhysicalType::kString) return 0;
  return 1 + PhysicalSize(physical) + (physical == PhysicalType::kInterval ? sizeof(int128_t) : 0);
}

std::string_view TakeSlot(const LogicalType& type, std::string_view& bytes) {
  SCAUP_ASSERT(!bytes.empty());
  const size_t size = SizeOfSlot(type, bytes);
  if (size > bytes.size()) ThrowBroken();
  const std::string_view slot = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return slot;
}

bool HasSlot(const LogicalType& element, std::string_view bytes, std::string_view slot) {
  while (!bytes.empty()) {
    if (TakeSlot(element, bytes) == slot) return true;
  }
  return false;
}

size_t CountSlots(const LogicalType& element, std::string_view bytes) {
  const size_t fixed = SlotBytes(element);
  if (fixed != 0) return bytes.size() / fixed;
  size_t count = 0;
  for (; !bytes.empty(); count++) TakeSlot(element, bytes);
  return count;
}

std::string_view SliceSlots(const LogicalType& element, std::string_view bytes, size_t begin, size_t end) {
  if (begin >= end) return {};
  const size_t fixed = SlotBytes(element);
  if (fixed != 0) {
    const size_t count = bytes.size() / fixed;
    if (begin >= count) return {};
    return bytes.substr(begin * fixed, (std::min(end, count) - begin) * fixed);
  }
  size_t index = 0;
  for (; index < begin && !bytes.empty(); index++) TakeSlot(element, bytes);
  std::string_view rest = bytes;
  for (; index < end && !rest.empty(); index++) TakeSlot(element, rest);
  return bytes.substr(0, bytes.size() - rest.size());
}

void AppendNullSlot(const LogicalType& type, std::string& out) {
  out += kSlotNull;
  const size_t fixed = SlotBytes(type);
  if (fixed > 1) out.append(fixed - 1, '\0');
}

void AppendStringSlot(std::string_view text, std::string& out) {
  out += kSlotValue;
  for (size_t zero; (zero = text.find('\0')) != std::string_view::npos; text.remove_prefix(zero + 1)) {
    out.append(text.substr(0, zero + 1));
    out += kEscaped;
  }
  out.append(text);
  out += '\0';
}

void AppendNestedSlot(const LogicalType& type, std::string_view bytes, std::string& out) {
  out += kSlotValue;
  out.append(bytes);
  if (HasElements(type)) out += kSlotEnd;
}

std::string_view ReadStringSlot(std::string_view slot, std::string& scratch) {
  const std::string_view stored = slot.substr(1, slot.size() - 2);
  size_t zero = stored.find('\0');
  if (zero == std::string_view::npos) return stored;
  scratch.clear();
  std::string_view rest = stored;
  for (; zero != std::string_view::npos; zero = rest.find('\0')) {
    scratch.append(rest.substr(0, zero + 1));
    rest.remove_prefix(zero + 2);
  }
  scratch.append(rest);
  return scratch;
}

std::string_view ReadNestedSlot(const LogicalType& type, std::string_view slot) {
  return slot.substr(1, slot.size() - (HasElements(type) ? 2 : 1));
}

void AppendValueSlot(const LogicalType& type, const Value& value, std::string& out) {
  if (value.is_null()) return AppendNullSlot(type, out);
  SCAUP_ASSERT(value.type() == type);
  VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef>) {
      if (IsPacked(type.id())) {
        AppendNestedSlot(type, value.GetString(), out);
      } else {
        AppendStringSlot(value.GetString(), out);
      }
    } else if constexpr (std::is_same_v<T, Interval>) {
      AppendFixedSlot(value.GetInterval(), out);
    } else if constexpr (std::is_floating_point_v<T>) {
      AppendFixedSlot(static_cast<T>(value.GetDouble()), out);
    } else {
      AppendFixedSlot(static_cast<T>(value.GetInteger()), out);
    }
  });
}

Value ReadValueSlot(const LogicalType& type, std::string_view slot) {
  if (IsNullSlot(slot)) return Value(type);
  Value value;
  VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef>) {
      std::string scratch;
      value = Value::FromBytes(type, std::string(IsPacked(type.id()) ? ReadNestedSlot(type, slot)
                                                                     : ReadStringSlot(slot, scratch)));
    } else if constexpr (std::is_same_v<T, Interval>) {
      value = Value::MakeInterval(ReadFixedSlot<Interval>(slot));
    } else if constexpr (std::is_same_v<T, float>) {
      value = Value::Real(ReadFixedSlot<float>(slot));
    } else if constexpr (std::is_same_v<T, double>) {
      value = Value::Double(ReadFixedSlot<double>(slot));
    } else {
      value = Value::FromInteger(type, ReadFixedSlot<T>(slot));
    }
  });
  return value;
}

MapEntry TakeMapEntry(const LogicalType& map, std::string_view& bytes) {
  SCAUP_ASSERT(!bytes.empty() && !IsNullSlot(bytes));
  bytes.remove_prefix(1);
  const std::string_view key = TakeSlot(MapKeyType(map), bytes);
  return {key, TakeSlot(MapValueType(map), bytes)};
}

void AppendMapEntry(std::string_view key, std::string_view value, std::string& out) {
  out += kSlotValue;
  out += key;
  out += value;
}

MapFault FindMapFault(const LogicalType& map, std::string_view bytes, std::string_view& key) {
  std::vector<std::string_view> keys;
  while (!bytes.empty()) {
    if (IsNullSlot(bytes)) return MapFault::kNullEntry;
    keys.push_back(TakeMapEntry(map, bytes).key);
    if (IsNullSlot(keys.back())) return MapFault::kNullKey;
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice == keys.end()) return MapFault::kNone;
  key = *twice;
  return MapFault::kDuplicateKey;
}

bool HasGoodKeys(const LogicalType& map, std::string_view bytes) {
  std::string_view ignored;
  return FindMapFault(map, bytes, ignored) == MapFault::kNone;
}

void CheckMapKeys(const LogicalType& map, std::string_view bytes) {
  std::string_view key;
  switch (FindMapFault(map, bytes, key)) {
    case MapFault::kNone: return;
    case MapFault::kNullEntry:
      ThrowError(ErrorKind::kConversion, sqlstate::kNullValueNotAllowed,
                 "an entry of a map must not be NULL");
    case MapFault::kNullKey:
      ThrowError(ErrorKind::kConversion, sqlstate::kNullValueNotAllowed,
                 "a key of a map must not be NULL; only its values may be");
    case MapFault::kDuplicateKey:
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                 fmt::format("the keys of a map must be unique, and \"{}\" comes twice",
                             ReadValueSlot(MapKeyType(map), key).ToString()));
  }
}

UnionPart ReadUnion(const LogicalType& type, std::string_view bytes) {
  const std::vector<StructField>& fields = type.fields();
  const size_t member = ReadFixedSlot<uint8_t>(TakeSlot(fields[0].type, bytes));
  if (member + 1 >= fields.size()) ThrowBroken();
  for (size_t i = 0; i < member; i++) TakeSlot(fields[i + 1].type, bytes);
  return {member, TakeSlot(fields[member + 1].type, bytes)};
}

void AppendUnion(const LogicalType& type, size_t member, std::string_view slot, std::string& out) {
  AppendFixedSlot(static_cast<uint8_t>(member), out);
  const std::span<const StructField> members = UnionMembers(type);
  SCAUP_ASSERT(member < members.size());
  for (size_t i = 0; i < members.size(); i++) {
    if (i == member) {
      out += slot;
    } else {
      AppendNullSlot(members[i].type, out);
    }
  }
}

bool IsGoodUnion(const LogicalType& type, std::string_view bytes) {
  const std::span<const StructField> members = UnionMembers(type);
  if (bytes.empty() || IsNullSlot(bytes)) return false;
  const size_t tag = ReadFixedSlot<uint8_t>(TakeSlot(type.fields()[0].type, bytes));
  for (size_t i = 0; i < members.size(); i++) {
    if (bytes.empty() || (!IsNullSlot(TakeSlot(members[i].type, bytes)) && i != tag)) return false;
  }
  return tag < members.size() && bytes.empty();
}

}  // namespace scaup
