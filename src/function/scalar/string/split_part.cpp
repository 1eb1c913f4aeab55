// split_part: one of the parts into which a separator splits a text.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Part `index`, from 1, or from the end if negative; empty if there is none.
std::string_view Part(std::string_view text, std::string_view separator, int64_t index) {
  if (separator.empty()) return index == 1 || index == -1 ? text : std::string_view();
  if (index < 0) {
    int64_t parts = 1;
    for (size_t at = text.find(separator); at != text.npos; at = text.find(separator, at + separator.size()))
      parts++;
    index = parts + index + 1;
    if (index < 1) return {};
  }
  for (;;) {
    const size_t end = text.find(separator);
    if (--index == 0) return text.substr(0, end);
    if (end == text.npos) return {};
    text.remove_prefix(end + separator.size());
  }
}

void SplitPart(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<StringRef, StringRef, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& text, const StringRef& separator, int32_t index) {
        if (index == 0) {
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                     "field position must not be zero");
        }
        return result.AddString(Part(text.view(), separator.view(), index));
      });
}

}  // namespace

ScalarFunctionList SplitPartFunctions() {
  return {{.name = "split_part",
           .argument_types = {TypeId::kVarchar, TypeId::kVarchar, TypeId::kInteger},
           .return_type = TypeId::kVarchar,
           .kernel = &SplitPart,
           .description = "The n-th part between separators, from 1; from the end when negative.",
           .example = "split_part('a,b,c', ',', 2)"}};
}

}  // namespace scaup
