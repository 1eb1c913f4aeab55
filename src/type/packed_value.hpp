// Lists, structs, maps, unions and ranges packed into byte strings of slots: encoding and decoding.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/check.hpp"
#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/sortable_bytes.hpp"

namespace scaup {

// A list is the concatenation of its elements' slots, a struct that of its fields', without a header: an
// empty list is an empty string. memcmp order is SQL's order of the values (element by element, NULLs last
// and equal to each other, a prefix first), and equal values have equal bytes. Therefore all code that
// compares, hashes, sorts, groups, joins, indexes or stores strings works for lists and structs. A slot:
//   mark     kSlotValue or kSlotNull
//   payload  numbers, dates and the like  StoreSortable's bytes; zeros for NULL, so that slots have one size
//            intervals                    the sort key, then months, days and microseconds; zeros for NULL
//            strings                      the bytes, with 0xFF after each zero byte, then a zero byte
//            lists                        their slots, then a zero byte; structs: their slots
//            (NULLs of the last three: none)
// Lists have one zero and one NaN, as those compare equal. A map is a list of its entries, structs of key and
// value. A union is a struct of its tag and its members, so that values are ordered by member first. A range
// is a struct of its parts, a multirange a list of its ranges.

inline constexpr char kSlotEnd = 0;
inline constexpr char kSlotValue = 1;
inline constexpr char kSlotNull = 2;

/// The size of a slot, mark included, or 0 if it varies.
size_t SlotBytes(const LogicalType& type);
inline bool IsNullSlot(std::string_view slot) { return slot[0] == kSlotNull; }
/// Removes the first slot of `bytes` and returns it. REQUIRES: `bytes` is not empty.
std::string_view TakeSlot(const LogicalType& type, std::string_view& bytes);
/// The number of slots of a list with elements of the given type.
size_t CountSlots(const LogicalType& element, std::string_view bytes);
/// The slots from position `begin` to before `end`, counted from 0, as far as they exist.
std::string_view SliceSlots(const LogicalType& element, std::string_view bytes, size_t begin, size_t end);

/// Whether a list with elements of the given type contains `slot`.
bool HasSlot(const LogicalType& element, std::string_view bytes, std::string_view slot);

void AppendNullSlot(const LogicalType& type, std::string& out);
void AppendStringSlot(std::string_view text, std::string& out);
/// Appends a list or struct as an element of another one.
void AppendNestedSlot(const LogicalType& type, std::string_view bytes, std::string& out);
/// Appends a number, date, interval or other fixed-size value in its physical type.
template <typename T>
void AppendFixedSlot(const T& value, std::string& out) {
  const size_t at = out.size();
  out.resize(at + 1 + sizeof(T) + (std::is_same_v<T, Interval> ? sizeof(int128_t) : 0));
  out[at] = kSlotValue;
  auto* payload = reinterpret_cast<std::byte*>(out.data() + at + 1);
  StoreSortable(value, payload);
  if constexpr (std::is_same_v<T, Interval>) {
    StoreSortable(value.months, payload + sizeof(int128_t));
    StoreSortable(value.days, payload + sizeof(int128_t) + 4);
    StoreSortable(value.micros, payload + sizeof(int128_t) + 8);
  }
}
/// Reads a fixed-size value. REQUIRES: not a NULL slot, as in the other Read functions below.
template <typename T>
T ReadFixedSlot(std::string_view slot) {
  SCAUP_ASSERT(!IsNullSlot(slot));
  const auto* payload = reinterpret_cast<const std::byte*>(slot.data() + 1);
  if constexpr (std::is_same_v<T, Interval>) {
    return {LoadSortable<int32_t>(payload + sizeof(int128_t)),
            LoadSortable<int32_t>(payload + sizeof(int128_t) + 4),
            LoadSortable<int64_t>(payload + sizeof(int128_t) + 8)};
  } else {
    return LoadSortable<T>(payload);
  }
}
/// Reads a string. The result points into the slot or, if escapes had to be removed, into `scratch`.
std::string_view ReadStringSlot(std::string_view slot, std::string& scratch);
/// The slots of a list or struct within another.
std::string_view ReadNestedSlot(const LogicalType& type, std::string_view slot);

/// Packs and unpacks boxed values: slow, for the edges only. REQUIRES: `value` is of `type`.
void AppendValueSlot(const LogicalType& type, const Value& value, std::string& out);
Value ReadValueSlot(const LogicalType& type, std::string_view slot);

/// The slots of an entry, which point into the map's bytes.
struct MapEntry {
  std::string_view key;
  std::string_view value;
};

/// Removes the first entry of a map's bytes and returns it. REQUIRES: `bytes` is not empty, no entry is NULL.
MapEntry TakeMapEntry(const LogicalType& map, std::string_view& bytes);
/// Appends an entry, made of slots of the map's key and mapped types.
void AppendMapEntry(std::string_view key, std::string_view value, std::string& out);

/// A fault of the keys of a map.
enum class MapFault : uint8_t { kNone, kNullEntry, kNullKey, kDuplicateKey };
/// Returns the first fault of a map's bytes. If a key comes twice, `key` becomes its slot.
MapFault FindMapFault(const LogicalType& map, std::string_view bytes, std::string_view& key);
/// Returns whether every entry and key is there, and no key comes twice.
bool HasGoodKeys(const LogicalType& map, std::string_view bytes);
/// Throws Error(22004 or 22023) that names the fault, if there is one.
void CheckMapKeys(const LogicalType& map, std::string_view bytes);

/// The member that a union has, counted from 0, and its slot, which points into the union's bytes.
struct UnionPart {
  size_t member;
  std::string_view slot;
};

UnionPart ReadUnion(const LogicalType& type, std::string_view bytes);
/// Appends the slots of a union that has a member. `slot` is one of the member's type.
void AppendUnion(const LogicalType& type, size_t member, std::string_view slot, std::string& out);
/// Returns whether the slots are those of a struct of a tag that is a member's position, and of members of
/// which no other one has a value.
bool IsGoodUnion(const LogicalType& type, std::string_view bytes);

}  // namespace scaup
