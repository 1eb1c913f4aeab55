// Between vectors of elements and the slots of lists and structs.
#pragma once

#include <string>
#include <string_view>

#include "type/packed_value.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Appends the value, or NULL, at `row` as a slot.
using SlotAppender = void (*)(const LogicalType& type, const UnifiedView& values, size_t row,
                              std::string& slots);
/// Makes row `row` of `target`, which is flat and after Reset(), the slot's value or NULL. Strings are
/// copied.
using SlotLoader = void (*)(const LogicalType& type, std::string_view slot, Vector& target, size_t row);

/// The functions for values of `type`, which is also what they are called with.
SlotAppender FindSlotAppender(const LogicalType& type);
SlotLoader FindSlotLoader(const LogicalType& type);

}  // namespace scaup
