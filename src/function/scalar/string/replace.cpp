// replace and translate.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void ReplaceAll(std::string_view text, std::string_view from, std::string_view to, std::string& out) {
  out.clear();
  while (!from.empty()) {
    const size_t found = text.find(from);
    if (found == text.npos) break;
    out.append(text.substr(0, found)).append(to);
    text.remove_prefix(found + from.size());
  }
  out.append(text);
}

/// Each character of `text` that stands in `from` becomes the one at the same place in `to`, or goes.
void TranslateAll(std::string_view text, std::string_view from, std::string_view to, std::string& out) {
  out.clear();
  for (size_t offset = 0; offset < text.size();) {
    const std::string_view character = text.substr(offset, CharacterLength(text, offset));
    offset += character.size();
    size_t index = 0, at = 0;
    while (at < from.size() && from.substr(at, CharacterLength(from, at)) != character) {
      at += CharacterLength(from, at);
      index++;
    }
    if (at >= from.size()) {
      out.append(character);
    } else if (const size_t target = OffsetOfCharacter(to, index); target < to.size()) {
      out.append(to.substr(target, CharacterLength(to, target)));
    }
  }
}

template <void (*kMap)(std::string_view, std::string_view, std::string_view, std::string&)>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string mapped;
  MapTernary<StringRef, StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, const StringRef& from, const StringRef& to) {
        kMap(text.view(), from.view(), to.view(), mapped);
        return result.AddString(mapped);
      });
}

}  // namespace

ScalarFunctionList ReplaceFunctions() {
  const LogicalType text = TypeId::kVarchar;
  return {{.name = "replace",
           .argument_types = {text, text, text},
           .return_type = text,
           .kernel = &Kernel<&ReplaceAll>,
           .description = "Every occurrence of the second text replaced by the third.",
           .example = "replace('mallard', 'l', 'L')",
           .can_fail = false},
          {.name = "translate",
           .argument_types = {text, text, text},
           .return_type = text,
           .kernel = &Kernel<&TranslateAll>,
           .description = "Characters of the second text replaced by those of the third at the same place.",
           .example = "translate('12345', '143', 'ax')",
           .can_fail = false}};
}

}  // namespace scaup
