// length, octet_length and bit_length.
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void Characters(const ScalarCall&, DataChunk& arguments, Vector& result) {
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
