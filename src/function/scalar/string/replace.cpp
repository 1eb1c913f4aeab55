// replace and translate.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void ReplaceAll(std::string_view text, std::string_view from, std::string_view to, std::string& out,
                TextAccount& account) {
  out.clear();
  while (!from.empty()) {
    const size_t found = text.find(from);
    if (found == text.npos) break;
    account.Expect(out, found + to.size());
    out.append(text.substr(0, found)).append(to);
    account.Note(out);
    text.remove_prefix(found + from.size());
  }
  account.Expect(out, text.size());
  out.append(text);
}

/// Replaces each character of `text` that occurs in `from` by the one at the same position in `to`, or
/// removes it if there is none.
void TranslateAll(std::string_view text, std::string_view from, std::string_view to, std::string& out,
                  TextAccount& account) {
  out.clear();
  for (size_t offset = 0; offset < text.size();) {
    if (out.size() % 256 == 0) RunningCall::CheckInterrupt();
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
    account.Note(out);
  }
}

template <void (*kMap)(std::string_view, std::string_view, std::string_view, std::string&, TextAccount&)>
void Kernel(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string mapped;
  TextAccount account(call.context);
  MapTernary<StringRef, StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, const StringRef& from, const StringRef& to) {
        kMap(text.view(), from.view(), to.view(), mapped, account);
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
