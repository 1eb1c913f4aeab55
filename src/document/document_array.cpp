// Validation and traversal of typed arrays.
#include "document/document_array.hpp"

#include "common/throw.hpp"
#include "document/document_record.hpp"
#include "type/packed_value.hpp"

namespace scaup {

size_t ElementBytes(AttributeType type) {
  switch (type) {
    case AttributeType::kBooleanArray: return 1 + sizeof(uint8_t);
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray: return 1 + sizeof(int64_t);
    case AttributeType::kDoubleArray: return 1 + sizeof(double);
    default: return 0;
  }
}

void CheckArray(AttributeType type, std::string_view slots) {
  const size_t fixed = ElementBytes(type);
  if (slots.empty() || (fixed != 0 && slots.size() % fixed != 0)) ThrowBadRecord("an array is cut");
  for (size_t at = 0; at < slots.size();) {
    if (slots[at] != kSlotValue && slots[at] != kSlotNull) ThrowBadRecord("an array has a wrong mark");
    if (fixed != 0) {
      at += fixed;
    } else if (slots[at] == kSlotNull) {
      at++;
    } else {
      // Strings of documents have no zero bytes, so the first one ends the slot.
      at = slots.find(kSlotEnd, at + 1);
      if (at == std::string_view::npos) ThrowBadRecord("an array is cut");
      at++;
    }
  }
}

std::string_view TakeElement(AttributeType type, std::string_view& slots) {
  SCAUP_ASSERT(!slots.empty());
  size_t size = ElementBytes(type);
  if (size == 0) size = slots[0] == kSlotNull ? 1 : slots.find(kSlotEnd, 1) + 1;
  const std::string_view slot = slots.substr(0, size);
  slots.remove_prefix(size);
  return slot;
}

}  // namespace scaup
