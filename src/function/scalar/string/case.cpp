// lower, upper and initcap.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

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
  add("lower", &Kernel<&ToLower>, "The text in lower case.", "lower('Scaup')");
  add("upper", &Kernel<&ToUpper>, "The text in upper case.", "upper('Scaup')");
  add("initcap", &Kernel<&ToInitialCaps>, "The first letter of each word in upper case, the rest in lower.",
      "initcap('greater SCAUP')");
  return list;
}

}  // namespace scaup
