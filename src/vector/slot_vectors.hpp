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

/// The functions for values of `type`; they are called with the same type.
SlotAppender FindSlotAppender(const LogicalType& type);
SlotLoader FindSlotLoader(const LogicalType& type);

}  // namespace scaup
