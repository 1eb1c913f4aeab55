// Arrays of one type, as records have them: the slots of lists (type/packed_value.hpp).
#pragma once

#include <cstddef>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// The bytes of an element of a typed array, or 0 where it varies (strings).
size_t ElementBytes(AttributeType type);
/// Throws Error(kIo, XX001) where the bytes are no slots of elements of a kBooleanArray, kIntegerArray,
/// kLongIntegerArray, kDoubleArray or kStringArray.
void CheckArray(AttributeType type, std::string_view slots);
/// Takes the first element of checked slots away.
std::string_view TakeElement(AttributeType type, std::string_view& slots);
/// The text of a string's slot that is not NULL.
inline std::string_view StringOfElement(std::string_view slot) { return slot.substr(1, slot.size() - 2); }

}  // namespace scaup
