// reverse: the characters of a text in reverse order.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void Reverse(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string reversed;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& ref) {
    const std::string_view text = ref.view();
    reversed.resize(text.size());
    size_t end = text.size();
    for (size_t offset = 0; offset < text.size();) {
      const size_t length = CharacterLength(text, offset);
      end -= length;
      std::memcpy(reversed.data() + end, text.data() + offset, length);
      offset += length;
    }
    return result.AddString(reversed);
  });
}

}  // namespace

ScalarFunctionList ReverseFunctions() {
  return {{.name = "reverse",
           .argument_types = {TypeId::kVarchar},
           .return_type = TypeId::kVarchar,
           .kernel = &Reverse,
           .description = "The characters backwards.",
           .example = "reverse('scaup')",
           .can_fail = false}};
}

}  // namespace scaup
