// length, octet_length and bit_length.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/function_kernels.hpp"
#include "vector/joined_strings.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Counts characters. Contiguous strings that are all ASCII need not be counted one by one.
void CountJoined(const FunctionKernels& kernels, const TypedView<StringRef>& texts, size_t count,
                 int32_t* out) {
  VisitJoinedStrings(kernels, texts, count, [&](const JoinedStrings& joined) {
    const bool is_ascii =
        joined.inline_are_ascii() && kernels.is_ascii(joined.text.data(), joined.text.size());
    if (is_ascii && AreFlat(texts))
      return kernels.string_sizes(texts.data + joined.begin, joined.end - joined.begin, out + joined.begin);
    for (size_t row = joined.begin; row < joined.end; row++)
      out[row] = static_cast<int32_t>(is_ascii ? texts[row].size() : CountCharacters(texts[row].view()));
  });
}

void Characters(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto texts = arguments.column(0).ViewAs<StringRef>(arguments.size());
  if (texts.all_valid()) {
    const FunctionKernels& kernels = FunctionKernelsOf(call.context.kernels.level);
    return CountJoined(kernels, texts, arguments.size(), result.MutableData<int32_t>());
  }
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result, [](const StringRef& text) {
    return static_cast<int32_t>(CountCharacters(text.view()));
  });
}
void Bytes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result,
                               [](const StringRef& text) { return static_cast<int32_t>(text.size()); });
}
void Bits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result,
                               [](const StringRef& text) { return int64_t{text.size()} * 8; });
}

}  // namespace

ScalarFunctionList LengthFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId argument, TypeId result, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {argument},
                    .return_type = result,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  for (const char* name : {"length", "char_length", "character_length"}) {
    add(name, TypeId::kVarchar, TypeId::kInteger, &Characters, "Number of characters.", "length('mallard')");
  }
  for (const TypeId type : {TypeId::kVarchar, TypeId::kBlob}) {
    add("octet_length", type, TypeId::kInteger, &Bytes, "Number of bytes.", "octet_length('mallard')");
    add("bit_length", type, TypeId::kBigInt, &Bits, "Number of bits.", "bit_length('mallard')");
  }
  add("length", TypeId::kBlob, TypeId::kInteger, &Bytes, "Number of bytes.", "length('\\x01ff'::BLOB)");
  return list;
}

}  // namespace scaup
