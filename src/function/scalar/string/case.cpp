// lower, upper and initcap.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "vector/function_kernels.hpp"
#include "vector/joined_strings.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Maps the case of texts. Nearly all text is ASCII and has a fixed size, so contiguous strings are converted
/// in one pass; other text may grow or shrink.
template <char kFirstLetter, bool (*kMapAscii)(std::string_view, char*),
          void (*kMap)(std::string_view, std::string&)>
void MapCase(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string mapped;  // reused for all rows
  const auto map_one = [&](const StringRef& text) {
    char inline_bytes[StringRef::kInlineBytes];
    char* target = text.is_inline() ? inline_bytes : result.AllocateString(text.size());
    if (kMapAscii(text.view(), target)) return StringRef(target, text.size());
    kMap(text.view(), mapped);
    return result.AddString(mapped);
  };
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  if (!texts.all_valid()) return MapUnary<StringRef, StringRef>(arguments.column(0), count, result, map_one);
  auto* out = result.MutableData<StringRef>();
  const FunctionKernels& kernels = FunctionKernelsOf(call.context.kernels.level);
  VisitJoinedStrings(kernels, texts, count, [&](const JoinedStrings& joined) {
    const std::string_view text = joined.text;
    char* target = text.empty() ? nullptr : result.AllocateString(text.size());
    const bool is_mapped =
        target != nullptr && kernels.change_ascii_case(text.data(), text.size(), kFirstLetter, target);
    if ((is_mapped || text.empty()) && joined.inline_are_ascii() && AreFlat(texts)) {
      const uintptr_t distance =
          reinterpret_cast<uintptr_t>(target) - reinterpret_cast<uintptr_t>(text.data());
      return kernels.move_with_case(texts.data + joined.begin, joined.end - joined.begin, kFirstLetter,
                                    static_cast<ptrdiff_t>(distance), out + joined.begin);
    }
    for (size_t row = joined.begin; row < joined.end; row++) {
      const StringRef& string = texts[row];
      out[row] = is_mapped && !string.is_inline()
                     ? StringRef(target + (string.data() - text.data()), string.size())
                     : map_one(string);
    }
  });
}

template <void (*kMap)(std::string_view, std::string&)>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string mapped;  // reused for all rows
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    kMap(text.view(), mapped);
    return result.AddString(mapped);
  });
}

}  // namespace

ScalarFunctionList CaseFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {TypeId::kVarchar},
                    .return_type = TypeId::kVarchar,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  add("lower", &MapCase<'A', &AsciiToLower, &ToLower>, "The text in lower case.", "lower('Scaup')");
  add("upper", &MapCase<'a', &AsciiToUpper, &ToUpper>, "The text in upper case.", "upper('Scaup')");
  add("initcap", &Kernel<&ToInitialCaps>, "The first letter of each word in upper case, the rest in lower.",
      "initcap('greater SCAUP')");
  return list;
}

}  // namespace scaup
