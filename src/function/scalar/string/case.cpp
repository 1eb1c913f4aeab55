// lower, upper and initcap.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Nearly all text is ASCII, and is written where it stays; the rest grows or shrinks.
template <bool (*kMapAscii)(std::string_view, char*), void (*kMap)(std::string_view, std::string&)>
void MapCase(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string mapped;  // Reused by all rows.
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    char inline_bytes[StringRef::kInlineBytes];
    char* target = text.is_inline() ? inline_bytes : result.AllocateString(text.size());
    if (kMapAscii(text.view(), target)) return StringRef(target, text.size());
    kMap(text.view(), mapped);
    return result.AddString(mapped);
  });
}

template <void (*kMap)(std::string_view, std::string&)>
void Kernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string mapped;  // Reused by all rows.
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
  add("lower", &MapCase<&AsciiToLower, &ToLower>, "The text in lower case.", "lower('Scaup')");
  add("upper", &MapCase<&AsciiToUpper, &ToUpper>, "The text in upper case.", "upper('Scaup')");
  add("initcap", &Kernel<&ToInitialCaps>, "The first letter of each word in upper case, the rest in lower.",
      "initcap('greater SCAUP')");
  return list;
}

}  // namespace scaup
