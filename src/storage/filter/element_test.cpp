// Element test: a search for the element's bytes, then an exact test of the lists that have them.
#include "storage/filter/element_test.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/packed_value.hpp"
#include "type/text/literal_text.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

ElementTest::ElementTest(const Value& element)
    : element_(element),
      list_(Value::List(element.type(), {element})),
      search_(KernelsOf(BestKernelLevel()), list_.GetString()) {
  SCAUP_ASSERT(!element_.is_null());
}

void ElementTest::Evaluate(const std::byte* values, size_t count, uint8_t* mask) const {
  // The byte search is fast and rejects most rows, but the bytes may also occur across or within other
  // elements. So the lists that have them are tested element by element.
  const auto* lists = reinterpret_cast<const StringRef*>(values);
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const size_t some = std::min(count - begin, kVectorSize);
    search_.Mark({lists + begin, IdentitySelection(), nullptr}, some, mask + begin);
  }
  const std::string& slot = list_.GetString();
  for (size_t i = 0; i < count; i++)
    mask[i] = static_cast<uint8_t>(mask[i] != 0 && HasSlot(element_.type(), lists[i].view(), slot));
}

void ElementTest::EvaluateJoined(std::string_view text, std::span<const uint32_t> lengths,
                                 uint8_t* mask) const {
  search_.MarkJoined(text, lengths, mask);
  const std::string& slot = list_.GetString();
  const char* list = text.data();
  for (size_t row = 0; row < lengths.size(); list += lengths[row++]) {
    if (mask[row] != 0)
      mask[row] = static_cast<uint8_t>(HasSlot(element_.type(), {list, lengths[row]}, slot));
  }
}

std::string ElementTest::Describe(const std::string& column) const {
  return column + " @> " + LiteralText(list_);
}

}  // namespace scaup
