// overlay: replaces a part of a text by another text.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

/// overlay(text, new, from [, count]); the default count is the number of new characters.
void Overlay(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const bool has_length = arguments.column_count() > 3;
  const auto text = arguments.column(0).ViewAs<StringRef>(count);
  const auto part = arguments.column(1).ViewAs<StringRef>(count);
  const auto start = arguments.column(2).ViewAs<int32_t>(count);
  const auto length = has_length ? arguments.column(3).ViewAs<int32_t>(count) : start;
  StringRef* out = result.MutableData<StringRef>();
  std::string joined;
  for (size_t row = 0; row < count; row++) {
    if (!text.IsValid(row) || !part.IsValid(row) || !start.IsValid(row) || !length.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (start[row] <= 0) ThrowError(ErrorKind::kOutOfRange, "22011", "negative substring length not allowed");
    const int64_t first = int64_t{start[row]} - 1;
    const int64_t gone = has_length ? length[row] : static_cast<int64_t>(CountCharacters(part[row].view()));
    joined = FirstCharacters(text[row].view(), static_cast<size_t>(first));
    joined += part[row].view();
    const size_t rest = static_cast<size_t>(std::max<int64_t>(first + gone, 0));
    joined += text[row].view().substr(OffsetOfCharacter(text[row].view(), rest));
    out[row] = result.AddString(joined);
  }
}

}  // namespace

ScalarFunctionList OverlayFunctions() {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kInteger;
  ScalarFunctionList list;
  for (const bool has_length : {false, true}) {
    list.push_back({.name = "overlay",
                    .argument_types = {text, text, number},
                    .return_type = text,
                    .kernel = &Overlay,
                    .description = "A part of the text replaced by another text.",
                    .example = "overlay('Txxxxas', 'hom', 2, 4)"});
    if (has_length) list.back().argument_types.push_back(number);
  }
  return list;
}

}  // namespace scaup
