// Conversion between vectors of elements and the slots of packed lists and structs.
#pragma once

#include <string>
#include <string_view>

#include "vector/vector.hpp"

namespace scaup {

/// Appends the value at `row`, which may be NULL, as a slot.
using SlotAppender = void (*)(const LogicalType& type, const UnifiedView& values, size_t row,
                              std::string& slots);
/// Stores the slot's value, which may be NULL, at `row` of `target`. Strings are copied. REQUIRES: `target`
/// is flat and after Reset().
using SlotLoader = void (*)(const LogicalType& type, std::string_view slot, Vector& target, size_t row);

/// Stores the values of `count` slots of a fixed size, which `slots` begins with, from row `row` of
/// `target` on, as a SlotLoader does.
using SlotRunLoader = void (*)(const char* slots, size_t count, Vector& target, size_t row);
/// Writes the values at rows [begin, end), which may be NULL, as slots of a fixed size. Returns the end of
/// what it wrote.
using SlotRunWriter = char* (*)(const UnifiedView& values, size_t begin, size_t end, char* slots);

/// The functions for values of `type`; they are called with the same type. Those for runs are null if the
/// size of slots varies.
SlotRunLoader FindSlotRunLoader(const LogicalType& type);
SlotRunWriter FindSlotRunWriter(const LogicalType& type);
SlotAppender FindSlotAppender(const LogicalType& type);
SlotLoader FindSlotLoader(const LogicalType& type);

}  // namespace scaup
