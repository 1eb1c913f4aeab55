// overlay: replaces a part of a text by another text.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

/// overlay(text, new, from [, count]); the default count is the number of new characters, or bytes of a BLOB.
template <bool kIsBlob>
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
    const std::string_view whole = text[row].view(), inserted = part[row].view();
    const size_t inserted_length = kIsBlob ? inserted.size() : CountCharacters(inserted);
    const int64_t gone = has_length ? length[row] : static_cast<int64_t>(inserted_length);
    if (start[row] + gone > INT32_MAX) ThrowOutOfRange("integer out of range");
    const auto offset_of = [&](int64_t position) {
      const auto index = static_cast<size_t>(std::max<int64_t>(position, 0));
      return kIsBlob ? std::min(index, whole.size()) : OffsetOfCharacter(whole, index);
    };
    joined = whole.substr(0, offset_of(first));
    joined += inserted;
    joined += whole.substr(offset_of(first + gone));
    out[row] = result.AddString(joined);
  }
}

}  // namespace

ScalarFunctionList OverlayFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, ScalarKernel kernel, const char* description, const char* example) {
    for (const bool has_length : {false, true}) {
      list.push_back({.name = "overlay",
                      .argument_types = {type, type, TypeId::kInteger},
                      .return_type = type,
                      .kernel = kernel,
                      .description = description,
                      .example = example});
      if (has_length) list.back().argument_types.push_back(TypeId::kInteger);
    }
  };
  add(TypeId::kVarchar, &Overlay<false>, "A part of the text replaced by another text.",
      "overlay('Txxxxas', 'hom', 2, 4)");
  add(TypeId::kBlob, &Overlay<true>, "Some of the bytes replaced by others.",
      "overlay('\\x0102030405'::BLOB, '\\xff'::BLOB, 2, 3)");
  return list;
}

}  // namespace scaup
