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

/// The next slot of a vector of lists.
struct SlotPosition {
  size_t row = 0;
  size_t byte = 0;  ///< in the list at `row`
};
/// Stores the values of up to kVectorSize slots of a fixed size, from `next` on in `count` lists, as a
/// SlotLoader does, and the row of each slot's list in `rows`. Moves `next` behind them, and returns their
/// number. Stops at the end of the lists, or at a rest of a list that is less than a slot.
using SlotListLoader = size_t (*)(TypedView<StringRef> lists, size_t count, SlotPosition& next,
                                  Vector& target, sel_t* rows);
/// Writes `count` values, which may be NULL, as slots of a fixed size: value i at places[rows[i]], which it
/// moves behind the slot.
using SlotListWriter = void (*)(const UnifiedView& values, const sel_t* rows, size_t count, char** places);

/// The functions for values of `type`; they are called with the same type. Those for lists are null if the
/// size of slots varies.
SlotListLoader FindSlotListLoader(const LogicalType& type);
SlotListWriter FindSlotListWriter(const LogicalType& type);
SlotAppender FindSlotAppender(const LogicalType& type);
SlotLoader FindSlotLoader(const LogicalType& type);

}  // namespace scaup
