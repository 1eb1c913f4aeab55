// Lists and structs as strings of bytes: how one is put together of slots, and taken apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/throw.hpp"
#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/sortable_bytes.hpp"

namespace scaup {

// A list is the slots of its elements, a struct those of its fields, one after the other, without a header:
// an empty list is an empty string. Byte order is SQL's order of the values (element by element, NULLs last
// and equal to each other, then the shorter list first), and equal values are equal bytes. So all that
// compares, hashes, sorts, groups, joins, indexes or stores strings does so with lists and structs. A slot:
//   mark     kSlotValue or kSlotNull
//   payload  numbers, dates and kin  StoreSortable's bytes; zeros for NULL, so that slots have one size
//            intervals               what they compare by, then months, days and microseconds; zeros for NULL
//            strings                 the bytes, with 0xFF put behind each zero byte, then a zero byte
//            lists                   their slots, then a zero byte; structs: their slots
//            (of NULLs of these: nothing)
// There is one zero and one NaN in lists, as they are equal.

inline constexpr char kSlotEnd = 0;
inline constexpr char kSlotValue = 1;
inline constexpr char kSlotNull = 2;

/// The size of a slot, mark included, or 0 where it varies.
size_t SlotBytes(const LogicalType& type);
inline bool IsNullSlot(std::string_view slot) { return slot[0] == kSlotNull; }
/// Takes the first slot of `bytes` away. REQUIRES: `bytes` is not empty.
std::string_view TakeSlot(const LogicalType& type, std::string_view& bytes);
/// The number of slots of a list with elements of such a type.
size_t CountSlots(const LogicalType& element, std::string_view bytes);
/// The slots from the one at `begin`, counted from 0, up to the one at `end`, as far as there are any.
std::string_view SliceSlots(const LogicalType& element, std::string_view bytes, size_t begin, size_t end);

/// Whether a list with elements of such a type has that slot.
bool HasSlot(const LogicalType& element, std::string_view bytes, std::string_view slot);

void AppendNullSlot(const LogicalType& type, std::string& out);
void AppendStringSlot(std::string_view text, std::string& out);
/// A list or struct within another.
void AppendNestedSlot(const LogicalType& type, std::string_view bytes, std::string& out);
/// A number, date, interval and so on by what stores it.
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
/// REQUIRES: not a NULL slot, as in the other two.
template <typename T>
T ReadFixedSlot(std::string_view slot) {
  const auto* payload = reinterpret_cast<const std::byte*>(slot.data() + 1);
  if constexpr (std::is_same_v<T, Interval>) {
    return {LoadSortable<int32_t>(payload + sizeof(int128_t)),
            LoadSortable<int32_t>(payload + sizeof(int128_t) + 4),
            LoadSortable<int64_t>(payload + sizeof(int128_t) + 8)};
  } else {
    return LoadSortable<T>(payload);
  }
}
/// The bytes lie in the slot or, where they had to be changed, in `scratch`.
std::string_view ReadStringSlot(std::string_view slot, std::string& scratch);
/// The slots of a list or struct within another.
std::string_view ReadNestedSlot(const LogicalType& type, std::string_view slot);

/// Boxed values: slow, for the edges only. REQUIRES: `value` is of `type`.
void AppendValueSlot(const LogicalType& type, const Value& value, std::string& out);
Value ReadValueSlot(const LogicalType& type, std::string_view slot);

}  // namespace scaup
