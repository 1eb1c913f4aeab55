// Typed arrays in records, stored as list slots (type/packed_value.hpp).
#pragma once

#include <cstddef>
#include <string_view>

#include "common/check.hpp"
#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// The bytes of an element of a typed array; 0 if they vary (strings).
size_t ElementBytes(AttributeType type);
/// Checks that the bytes are slots of the array type, which is kBooleanArray, kIntegerArray,
/// kLongIntegerArray, kDoubleArray or kStringArray. Throws Error(kIo, XX001).
void CheckArray(AttributeType type, std::string_view slots);
/// Removes and returns the first element. REQUIRES: the slots were checked.
std::string_view TakeElement(AttributeType type, std::string_view& slots);
/// The text of a string element. REQUIRES: not NULL.
inline std::string_view StringOfElement(std::string_view slot) {
  SCAUP_ASSERT(slot.size() >= 2);
  return slot.substr(1, slot.size() - 2);
}

}  // namespace scaup
